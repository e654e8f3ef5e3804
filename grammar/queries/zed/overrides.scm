(comment) @comment
[(string_literal) (raw_string_literal) (system_lib_string)] @string
