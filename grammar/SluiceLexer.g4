// Tokens. Templates switch modes: a text in backticks is its own mode, `${` goes back to the default mode
// and the matching `}` returns. What is nearly a token is one too, so that its error is reported once.

lexer grammar SluiceLexer;

channels { COMMENTS }

TYPE: 'type';
IF: 'if';
ELSE: 'else';
WHILE: 'while';
DO: 'do';
FOR: 'for';
FOREACH: 'foreach';
IN: 'in';
RETURN: 'return';
YIELD: 'yield';
BREAK: 'break';
CONTINUE: 'continue';
TRY: 'try';
CATCH: 'catch';
THROW: 'throw';
IMPORT: 'import';
EXPORT: 'export';
NEW: 'new';
CONST: 'const';
AS: 'as';
NULL: 'null';
TRUE: 'true';
FALSE: 'false';
INT: 'int';
DOUBLE: 'double';
BOOLEAN: 'boolean';
STRING: 'string';
JSON: 'json';
VOID: 'void';
MAIN: 'main';

NAME: [A-Za-z_] [A-Za-z0-9_]*;

fragment DIGITS: [0-9] ('_'? [0-9])*;
fragment WHOLE: '0' | [1-9] ('_'? [0-9])*;
fragment EXPONENT: [eE] [+-]? DIGITS;

INT_LITERAL: WHOLE | '0' [xX] [0-9a-fA-F] ('_'? [0-9a-fA-F])* | '0' [bB] [01] ('_'? [01])*;
DOUBLE_LITERAL: WHOLE '.' DIGITS EXPONENT? | WHOLE EXPONENT;
// 007, 1_, 1__0, 12abc, 0xG: longer than the literal that it begins with.
BAD_NUMBER: [0-9] [0-9A-Za-z_]* ('.' [0-9] [0-9A-Za-z_]*)?;
LEADING_POINT: '.' [0-9] [0-9A-Za-z_]*;

STRING_LITERAL: '"' (~["\\\r\n] | '\\' ~[\r\n])* '"';
UNTERMINATED_STRING: '"' (~["\\\r\n] | '\\' ~[\r\n])* '\\'?;
SINGLE_QUOTED: '\'' (~['\\\r\n] | '\\' ~[\r\n])* '\'';

BACKTICK: '`' -> pushMode(TEMPLATE);

LINE_COMMENT: '//' ~[\r\n]* -> channel(COMMENTS);
BLOCK_COMMENT: '/*' .*? '*/' -> channel(COMMENTS);
UNTERMINATED_COMMENT: '/*' (~'*' | '*'+ ~[*/])* '*'*;
WHITE_SPACE: [ \t\r\n\f\u000B]+ -> skip;

LBRACE: '{' -> pushMode(DEFAULT_MODE);
RBRACE: '}' -> popMode;
LPAREN: '(';
RPAREN: ')';
LBRACKET: '[';
RBRACKET: ']';
SEMICOLON: ';';
COMMA: ',';
ELLIPSIS: '...';
DOT: '.';
COLON: ':';
QUESTION: '?';
AT: '@';

ASSIGN: '=';
ADD_ASSIGN: '+=';
SUB_ASSIGN: '-=';
MUL_ASSIGN: '*=';
DIV_ASSIGN: '/=';
MOD_ASSIGN: '%=';
AND_ASSIGN: '&=';
OR_ASSIGN: '|=';
XOR_ASSIGN: '^=';
SHL_ASSIGN: '<<=';
SHR_ASSIGN: '>>=';
USHR_ASSIGN: '>>>=';

INCREMENT: '++';
DECREMENT: '--';
PLUS: '+';
MINUS: '-';
STAR: '*';
SLASH: '/';
PERCENT: '%';
SHL: '<<';
SHR: '>>';
USHR: '>>>';
LT: '<';
LE: '<=';
GT: '>';
GE: '>=';
EQ: '==';
NE: '!=';
AND_AND: '&&';
OR_OR: '||';
AND: '&';
OR: '|';
XOR: '^';
NOT: '!';
TILDE: '~';

// Operators of other languages, to be told what to write instead.
FOREIGN_OPERATOR: '===' | '!==' | '=>' | '->' | '**' | '??' | '::' | ':=';

UNKNOWN: .;

mode TEMPLATE;

TEMPLATE_OPEN: '${' -> pushMode(DEFAULT_MODE);
TEMPLATE_END: '`' -> popMode;
TEMPLATE_TEXT: (~[`\\$] | '\\' .)+;
TEMPLATE_DOLLAR: '$';
TEMPLATE_BACKSLASH: '\\';
