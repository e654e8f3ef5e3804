; Written by derive.py.
((pragma_clauses) @injection.content
 (#set! injection.language "gcluster_pragma"))

; Macros, and branches that aren't read, are CUDA, too.
([(preproc_def value: (preproc_arg) @injection.content)
  (preproc_function_def value: (preproc_arg) @injection.content)]
 (#set! injection.language "cuda"))

(raw_string_literal
  delimiter: (raw_string_delimiter) @injection.language
  (raw_string_content) @injection.content)
