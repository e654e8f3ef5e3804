; As nvim-treesitter reads them.

[
  (compound_statement)
  (declaration_list)
  (field_declaration_list)
  (enumerator_list)
  (initializer_list)
  (case_statement)
  (field_initializer_list)
] @indent.begin

(if_statement condition: (_) @indent.begin)
(for_statement body: (expression_statement)) @indent.begin
(while_statement body: (expression_statement)) @indent.begin

((argument_list) @indent.align
 (#set! indent.open_delimiter "(")
 (#set! indent.close_delimiter ")"))
((parameter_list) @indent.align
 (#set! indent.open_delimiter "(")
 (#set! indent.close_delimiter ")"))

["}" ")"] @indent.end
["}" (access_specifier) "else"] @indent.branch
(labeled_statement) @indent.dedent
[
  (preproc_if)
  (preproc_ifdef)
  (preproc_def)
  (preproc_function_def)
  (preproc_call)
  (preproc_line)
  (preproc_inactive)
  (gcluster_pragma)
] @indent.zero
[(comment) (raw_string_literal)] @indent.ignore
