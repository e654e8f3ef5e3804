(namespace_definition "namespace" @context name: (_) @name) @item
(class_specifier "class" @context name: (_) @name body: (_)) @item
(struct_specifier "struct" @context name: (_) @name body: (_)) @item
(union_specifier "union" @context name: (_) @name body: (_)) @item
(enum_specifier "enum" @context name: (_) @name body: (_)) @item
(preproc_function_def "#define" @context name: (_) @name) @item

(function_definition
  (type_qualifier)* @context
  declarator: (function_declarator declarator: (_) @name)) @item
(function_definition
  (type_qualifier)* @context
  declarator: [
    (pointer_declarator declarator: (function_declarator declarator: (_) @name))
    (reference_declarator (function_declarator declarator: (_) @name))
  ]) @item
