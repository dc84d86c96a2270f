// The grammar. Statements and expressions are decided without ambiguity; an object literal and a block
// look alike only where an expression statement would begin with `{`, and there the block wins.

parser grammar SluiceParser;

options { tokenVocab = SluiceLexer; }

file: header* importDeclaration* item* EOF;

header: AT headerName COLON headerName STRING_LITERAL;

headerName: memberName;

importDeclaration: IMPORT STRING_LITERAL AS name SEMICOLON;

item
    : typeDeclaration                                                             # typeItem
    | EXPORT? typeReference name parameterList block                              # functionItem
    | MAIN parameterList block                                                    # mainItem
    | statement                                                                   # statementItem
    ;

typeDeclaration: TYPE name LBRACE field* RBRACE;

field: typeReference memberName SEMICOLON;

parameterList: LPAREN (parameter (COMMA parameter)* COMMA?)? RPAREN;

parameter
    : typeReference name (ASSIGN expression)?                                     # plainParameter
    | typeReference ELLIPSIS name LBRACKET RBRACKET                               # variadicParameter
    ;

typeReference: baseType typeSuffix*;

typeSuffix
    : QUESTION                                                                    # nullableSuffix
    | LBRACKET RBRACKET                                                           # arraySuffix
    ;

baseType
    : primitive=(INT | DOUBLE | BOOLEAN | STRING | JSON | VOID)                   # primitiveType
    | name (DOT name)?                                                            # namedType
    ;

// After `as` a question mark begins a conditional.
castType: baseType (LBRACKET RBRACKET)*;

block: LBRACE statement* RBRACE;

statement
    : block                                                                       # blockStatement
    | variableDeclaration SEMICOLON                                               # variableStatement
    | IF LPAREN expression RPAREN statement elseClause?                           # ifStatement
    | WHILE LPAREN expression RPAREN statement                                    # whileStatement
    | DO statement WHILE LPAREN expression RPAREN SEMICOLON                       # doStatement
    | FOR LPAREN forInitialiser? SEMICOLON expression? SEMICOLON simpleStatements? RPAREN statement # forStatement
    | FOREACH LPAREN typeReference name IN expression RPAREN statement            # foreachStatement
    | BREAK SEMICOLON                                                             # breakStatement
    | CONTINUE SEMICOLON                                                          # continueStatement
    | RETURN expression? SEMICOLON                                                # returnStatement
    | YIELD expression SEMICOLON                                                  # yieldStatement
    | THROW expression SEMICOLON                                                  # throwStatement
    | TRY block catchClause+                                                      # tryStatement
    | simpleStatement SEMICOLON                                                   # plainStatement
    | SEMICOLON                                                                   # emptyStatement
    ;

elseClause: ELSE statement;

catchClause: CATCH LPAREN (errorType=name)? variable=name RPAREN block;

forInitialiser
    : variableDeclaration                                                         # declaringInitialiser
    | simpleStatements                                                            # plainInitialiser
    ;

variableDeclaration: CONST? typeReference declarator (COMMA declarator)*;

declarator: name (ASSIGN expression)?;

simpleStatements: simpleStatement (COMMA simpleStatement)*;

simpleStatement
    : target=expression operator=(ASSIGN | ADD_ASSIGN | SUB_ASSIGN | MUL_ASSIGN | DIV_ASSIGN | MOD_ASSIGN | AND_ASSIGN | OR_ASSIGN | XOR_ASSIGN | SHL_ASSIGN | SHR_ASSIGN | USHR_ASSIGN) value=expression # assignStatement
    | expression                                                                  # expressionStatement
    ;

expression
    : primary                                                                     # primaryExpression
    | expression DOT memberName                                                   # memberExpression
    | expression LBRACKET expression RBRACKET                                     # indexExpression
    | expression LPAREN (expression (COMMA expression)* COMMA?)? RPAREN           # callExpression
    | expression operator=(INCREMENT | DECREMENT)                                 # postfixExpression
    | operator=(MINUS | NOT | TILDE | INCREMENT | DECREMENT) expression           # prefixExpression
    | expression AS castType                                                      # castExpression
    | expression operator=(STAR | SLASH | PERCENT) expression                     # binaryExpression
    | expression operator=(PLUS | MINUS) expression                               # binaryExpression
    | expression operator=(SHL | SHR | USHR) expression                           # binaryExpression
    | expression operator=(LT | LE | GT | GE) expression                          # binaryExpression
    | expression operator=(EQ | NE) expression                                    # binaryExpression
    | expression operator=AND expression                                          # binaryExpression
    | expression operator=XOR expression                                          # binaryExpression
    | expression operator=OR expression                                           # binaryExpression
    | expression operator=AND_AND expression                                      # binaryExpression
    | expression operator=OR_OR expression                                        # binaryExpression
    | <assoc = right> expression QUESTION expression COLON expression             # conditionalExpression
    ;

primary
    : INT_LITERAL                                                                 # intLiteral
    | DOUBLE_LITERAL                                                              # doubleLiteral
    | STRING_LITERAL                                                              # stringLiteral
    | (TRUE | FALSE)                                                              # booleanLiteral
    | NULL                                                                        # nullLiteral
    | BACKTICK templatePart* TEMPLATE_END                                         # templateLiteral
    | name                                                                        # nameExpression
    | LPAREN expression RPAREN                                                    # parenthesizedExpression
    | LBRACKET (expression (COMMA expression)* COMMA?)? RBRACKET                  # arrayLiteral
    | LBRACE (entry (COMMA entry)* COMMA?)? RBRACE                                # objectLiteral
    // Further lengths read as an index, which the builder turns around: `new T[n]` is never indexed.
    | NEW baseType LBRACKET expression RBRACKET (LBRACKET RBRACKET)*              # newArray
    ;

templatePart
    : TEMPLATE_TEXT                                                               # textPart
    | TEMPLATE_DOLLAR                                                             # dollarPart
    | TEMPLATE_OPEN expression RBRACE                                             # expressionPart
    ;

entry: entryKey COLON expression;

entryKey
    : memberName                                                                  # nameKey
    | STRING_LITERAL                                                              # stringKey
    ;

// `main` is a word of its own only where a program's main begins.
name: NAME | MAIN;

memberName
    : NAME | MAIN | TYPE | IF | ELSE | WHILE | DO | FOR | FOREACH | IN | RETURN | YIELD | BREAK | CONTINUE
    | TRY | CATCH | THROW | IMPORT | EXPORT | NEW | CONST | AS | NULL | TRUE | FALSE
    | INT | DOUBLE | BOOLEAN | STRING | JSON | VOID
    ;
