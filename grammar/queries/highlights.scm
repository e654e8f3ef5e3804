; Names as nvim-treesitter has them; more particular patterns come last.

(identifier) @variable
(field_identifier) @property
(namespace_identifier) @module
(type_identifier) @type
(statement_identifier) @label
[(primitive_type) (sized_type_specifier)] @type.builtin
(auto) @type.builtin
(this) @variable.builtin

((identifier) @constant
 (#match? @constant "^[A-Z][A-Z0-9_]+$"))

; Literals

[(number_literal) (user_defined_literal)] @number
[(true) (false)] @boolean
(null) @constant.builtin
[(string_literal) (raw_string_literal) (system_lib_string)] @string
(char_literal) @character
(escape_sequence) @string.escape

[(comment) (preproc_inactive)] @comment

; Functions

(function_declarator declarator: [(identifier) (field_identifier)] @function)
(function_declarator declarator: (qualified_identifier name: (identifier) @function))
(function_declarator
  declarator: (qualified_identifier name: (qualified_identifier name: (identifier) @function)))
(call_expression function: (identifier) @function.call)
(call_expression function: (qualified_identifier name: (identifier) @function.call))
(call_expression function: (field_expression field: (field_identifier) @function.method.call))
(template_function name: (identifier) @function.call)
(template_method name: (field_identifier) @function.method.call)
(function_declarator
  declarator: [
    (template_function name: (identifier) @function)
    (qualified_identifier name: (template_function name: (identifier) @function))
  ])
(preproc_function_def name: (identifier) @function.macro)
(preproc_def name: (identifier) @constant.macro)
(destructor_name) @constructor

; What only a preprocessor reads

[(macro) (macro_qualifier (identifier))] @attribute
(macro_definition name: (identifier) @function.macro)
[
  "#define" "#include" "#if" "#ifdef" "#ifndef" "#elif" "#elifdef" "#elifndef" "#else" "#endif"
  (preproc_directive) (preproc_line)
] @keyword.directive
["#pragma gcluster" (pragma_operator)] @keyword.directive

; CUDA

(call_expression
  function: [
    (identifier) @function.kernel
    (template_function name: (identifier) @function.kernel)
    (qualified_identifier name: (identifier) @function.kernel)
    (qualified_identifier name: (template_function name: (identifier) @function.kernel))
    (qualified_identifier name: (qualified_identifier name: (identifier) @function.kernel))
  ]
  (kernel_call_syntax))
(kernel_call_syntax ["<<<" ">>>"] @punctuation.special)

((identifier) @variable.builtin
 (#any-of? @variable.builtin "threadIdx" "blockIdx" "blockDim" "gridDim" "warpSize"))

[
  "__global__" "__device__" "__host__" "__shared__" "__constant__" "__managed__" "__local__"
  "__grid_constant__" "__forceinline__" "__noinline__" "__launch_bounds__" "__cluster_dims__"
  "__maxnreg__" "__block_size__" "__align__" "__builtin_align__" "__restrict__" "__restrict"
  "__inline__" "__inline" "__forceinline" "__thread" "__extension__"
] @keyword.modifier

; Words and signs

[
  "alignas" "class" "concept" "const" "constexpr" "decltype" "enum" "explicit" "extern" "final"
  "friend" "inline" "mutable" "namespace" "noexcept" "operator" "override" "private" "protected"
  "public" "register" "requires" "restrict" "static" "static_assert" "struct" "template"
  "thread_local" "typedef" "typename" "union" "using" "virtual" "volatile"
  "asm" "__asm__" "__asm" "__volatile__" "__attribute__" "__attribute" "__declspec"
  "alignof" "consteval" "constinit" "delete" "new" "offsetof" "sizeof"
] @keyword
["and" "and_eq" "bitand" "bitor" "compl" "not" "not_eq" "or" "or_eq" "xor" "xor_eq"
 "defined"] @keyword.operator
["break" "case" "continue" "default" "do" "else" "for" "goto" "if" "return" "switch" "while"
 "co_await" "co_return" "co_yield"] @keyword.control
["catch" "throw" "try"] @keyword.exception

[
  "=" "+=" "-=" "*=" "/=" "%=" "&=" "|=" "^=" "<<=" ">>="
  "+" "-" "*" "/" "%" "&" "|" "^" "~" "!" "<<" ">>"
  "==" "!=" "<" ">" "<=" ">=" "<=>" "&&" "||" "++" "--" "->" "->*" ".*" "?" "..."
] @operator
["," ";" "." ":" "::"] @punctuation.delimiter
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
