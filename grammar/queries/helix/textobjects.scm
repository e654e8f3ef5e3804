(function_definition body: (_) @function.inside) @function.around
(macro_definition body: (_) @function.inside) @function.around
(lambda_expression body: (_) @function.inside) @function.around

(class_specifier body: (_) @class.inside) @class.around
(struct_specifier body: (_) @class.inside) @class.around
(union_specifier body: (_) @class.inside) @class.around
(enum_specifier body: (_) @class.inside) @class.around

(parameter_list (_) @parameter.inside)
(argument_list (_) @parameter.inside)
(template_parameter_list (_) @parameter.inside)
(template_argument_list (_) @parameter.inside)

(comment) @comment.inside
(comment)+ @comment.around
