[
  (compound_statement)
  (declaration_list)
  (field_declaration_list)
  (enumerator_list)
  (initializer_list)
  (case_statement)
  (field_initializer_list)
  (argument_list)
  (parameter_list)
] @indent

["}" ")" (access_specifier)] @outdent
