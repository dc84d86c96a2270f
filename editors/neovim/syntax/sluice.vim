" Colours of scripts where the server's semantic tokens are not to be had.
if exists('b:current_syntax') | finish | endif

syntax keyword sluiceKeyword type import export as new const in
syntax keyword sluiceConditional if else
syntax keyword sluiceRepeat while do for foreach
syntax keyword sluiceStatement return yield break continue main
syntax keyword sluiceException try catch throw
syntax keyword sluiceType int double boolean string json void
syntax keyword sluiceConstant null true false
syntax match sluiceNumber /\v<(0[xX][0-9a-fA-F_]+|0[bB][01_]+|\d[0-9_]*(\.\d[0-9_]*)?([eE][+-]?\d+)?)>/
syntax match sluiceHeader /^@\k\+:\k\+/
syntax match sluiceEscape /\\\(u{\x\+}\|u\x\{4}\|.\)/ contained
syntax region sluiceString start=/"/ skip=/\\./ end=/"/ oneline contains=sluiceEscape
syntax region sluiceValue matchgroup=sluiceDelimiter start=/\${/ end=/}/ contained contains=TOP
syntax region sluiceTemplate start=/`/ skip=/\\./ end=/`/ contains=sluiceEscape,sluiceValue
syntax region sluiceComment start=/\/\// end=/$/ oneline
syntax region sluiceComment start=/\/\*/ end=/\*\//

highlight default link sluiceKeyword Keyword
highlight default link sluiceConditional Conditional
highlight default link sluiceRepeat Repeat
highlight default link sluiceStatement Statement
highlight default link sluiceException Exception
highlight default link sluiceType Type
highlight default link sluiceConstant Constant
highlight default link sluiceNumber Number
highlight default link sluiceHeader PreProc
highlight default link sluiceEscape SpecialChar
highlight default link sluiceString String
highlight default link sluiceDelimiter Delimiter
highlight default link sluiceTemplate String
highlight default link sluiceComment Comment

let b:current_syntax = 'sluice'
