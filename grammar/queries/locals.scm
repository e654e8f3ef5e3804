[
  (function_definition)
  (macro_definition)
  (lambda_expression)
  (compound_statement)
  (for_statement)
  (for_range_loop)
  (template_declaration)
] @local.scope

(parameter_declaration declarator: (identifier) @local.definition.parameter)
(parameter_declaration
  declarator: [
    (pointer_declarator declarator: (identifier) @local.definition.parameter)
    (reference_declarator (identifier) @local.definition.parameter)
    (array_declarator declarator: (identifier) @local.definition.parameter)
  ])
(parameter_declaration
  declarator: (function_declarator
    declarator: (parenthesized_declarator
      (pointer_declarator declarator: (identifier) @local.definition.parameter))))
(optional_parameter_declaration declarator: (identifier) @local.definition.parameter)

(declaration declarator: (identifier) @local.definition.var)
(declaration
  declarator: [
    (pointer_declarator declarator: (identifier) @local.definition.var)
    (array_declarator declarator: (identifier) @local.definition.var)
  ])
(declaration
  declarator: (function_declarator
    declarator: (parenthesized_declarator
      (pointer_declarator declarator: (identifier) @local.definition.var))))
(init_declarator
  declarator: (function_declarator
    declarator: (parenthesized_declarator
      (pointer_declarator declarator: (identifier) @local.definition.var))))
(init_declarator declarator: (identifier) @local.definition.var)
(init_declarator
  declarator: [
    (pointer_declarator declarator: (identifier) @local.definition.var)
    (reference_declarator (identifier) @local.definition.var)
    (array_declarator declarator: (identifier) @local.definition.var)
  ])
(for_range_loop declarator: (identifier) @local.definition.var)
(for_range_loop declarator: (reference_declarator (identifier) @local.definition.var))

(type_parameter_declaration (type_identifier) @local.definition.type)
(alias_declaration name: (type_identifier) @local.definition.type)

[(identifier) (type_identifier)] @local.reference
