["split" "single" "reads" "writes" "reduces" "replicate" "disjoint"] @keyword
(name) @variable.parameter
(number) @number
(comment) @comment
(axis) @property
(reduction) @operator
(index variable: _ @variable.builtin)
(call function: _ @function.builtin)
(unary operator: _ @operator)
(binary operator: _ @operator)
(conditional ["?" ":"] @operator)
["," ":" "."] @punctuation.delimiter
["(" ")" "[" "]"] @punctuation.bracket
