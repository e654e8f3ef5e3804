; Functions: what returns a pointer or a reference has its name further down.

(function_definition
  declarator: [
    (function_declarator
      declarator: [(identifier) @name (template_function name: (identifier) @name)])
    (pointer_declarator
      declarator: (function_declarator
        declarator: [(identifier) @name (template_function name: (identifier) @name)]))
    (pointer_declarator
      declarator: (pointer_declarator
        declarator: (function_declarator declarator: (identifier) @name)))
    (reference_declarator
      (function_declarator
        declarator: [(identifier) @name (template_function name: (identifier) @name)]))
  ]) @definition.function
(function_definition
  declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)] @name)
    (pointer_declarator
      declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
    (pointer_declarator
      declarator: (pointer_declarator
        declarator: (function_declarator declarator: (field_identifier) @name)))
    (reference_declarator
      (function_declarator declarator: [(field_identifier) (operator_name)] @name))
  ]) @definition.method
(function_definition
  declarator: [
    (function_declarator
      declarator: (qualified_identifier
        name: [
          (identifier) @name
          (operator_name) @name
          (destructor_name) @name
          (template_function name: (identifier) @name)
        ]))
    (function_declarator
      declarator: (qualified_identifier
        name: (qualified_identifier
          name: [(identifier) (operator_name) (destructor_name)] @name)))
    (pointer_declarator
      declarator: (function_declarator
        declarator: (qualified_identifier
          name: [
            (identifier) @name
            (operator_name) @name
            (template_function name: (identifier) @name)
          ])))
    (reference_declarator
      (function_declarator
        declarator: (qualified_identifier
          name: [
            (identifier) @name
            (operator_name) @name
            (template_function name: (identifier) @name)
          ])))
  ]) @definition.method
(macro_definition name: (identifier) @name) @definition.function

(struct_specifier name: (type_identifier) @name body: (_)) @definition.class
(class_specifier name: (type_identifier) @name body: (_)) @definition.class
(union_specifier name: (type_identifier) @name body: (_)) @definition.class
(enum_specifier name: (type_identifier) @name body: (_)) @definition.type
(type_definition declarator: (type_identifier) @name) @definition.type
(alias_declaration name: (type_identifier) @name) @definition.type
(namespace_definition name: (namespace_identifier) @name) @definition.module
(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

(call_expression function: (identifier) @name) @reference.call
(call_expression function: (template_function name: (identifier) @name)) @reference.call
(call_expression
  function: (qualified_identifier name: (identifier) @name)) @reference.call
(call_expression
  function: (field_expression field: (field_identifier) @name)) @reference.call
