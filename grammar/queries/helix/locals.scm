; Written by derive.py.
[
  (function_definition)
  (macro_definition)
  (lambda_expression)
  (compound_statement)
  (for_statement)
  (for_range_loop)
  (template_declaration)
] @local.scope

(parameter_declaration declarator: (identifier) @local.definition.variable.parameter)
(parameter_declaration
  declarator: [
    (pointer_declarator declarator: (identifier) @local.definition.variable.parameter)
    (reference_declarator (identifier) @local.definition.variable.parameter)
    (array_declarator declarator: (identifier) @local.definition.variable.parameter)
  ])
(parameter_declaration
  declarator: (function_declarator
    declarator: (parenthesized_declarator
      (pointer_declarator declarator: (identifier) @local.definition.variable.parameter))))
(optional_parameter_declaration declarator: (identifier) @local.definition.variable.parameter)

(declaration declarator: (identifier) @local.definition.variable)
(declaration
  declarator: [
    (pointer_declarator declarator: (identifier) @local.definition.variable)
    (array_declarator declarator: (identifier) @local.definition.variable)
  ])
(declaration
  declarator: (function_declarator
    declarator: (parenthesized_declarator
      (pointer_declarator declarator: (identifier) @local.definition.variable))))
(init_declarator
  declarator: (function_declarator
    declarator: (parenthesized_declarator
      (pointer_declarator declarator: (identifier) @local.definition.variable))))
(init_declarator declarator: (identifier) @local.definition.variable)
(init_declarator
  declarator: [
    (pointer_declarator declarator: (identifier) @local.definition.variable)
    (reference_declarator (identifier) @local.definition.variable)
    (array_declarator declarator: (identifier) @local.definition.variable)
  ])
(for_range_loop declarator: (identifier) @local.definition.variable)
(for_range_loop declarator: (reference_declarator (identifier) @local.definition.variable))

(type_parameter_declaration (type_identifier) @local.definition.type)
(alias_declaration name: (type_identifier) @local.definition.type)

[(identifier) (type_identifier)] @local.reference
