// CUDA C++ as real programs have it: what tree-sitter-cuda reads, and what it lacks.
//
// Conditionals of the preprocessor are told by the scanner, see src/scanner.c.

const CUDA = require('tree-sitter-cuda/grammar');

const list = (rule) => optional(list1(rule));
const list1 = (rule) => seq(rule, repeat(seq(',', rule)));

// Of a postfix operator, as in tree-sitter-c.
const CALL = 15;

// A rule in which `replace` has been asked for another one in place of each of its parts.
function rewritten(rule, replace) {
    const other = replace(rule);
    if (other) return other;
    const result = { ...rule };
    if (rule.content) result.content = rewritten(rule.content, replace);
    if (rule.members) result.members = rule.members.map((member) => rewritten(member, replace));
    return result;
}

const conditions = ['if', 'ifdef', 'ifndef', 'elif', 'elifdef', 'elifndef', 'else', 'endif'];

// Line ends, and the words of conditionals, from the scanner.
function fromScanner($, rule) {
    return rewritten(rule, (part) => {
        const text = part.type === 'IMMEDIATE_TOKEN' ? part.content.value : part.value;
        if (part.type !== 'ALIAS' && (text === '\n' || text === '\\r?\\n')) return $._line_end;
        if (part.type === 'ALIAS' && conditions.includes(part.value.slice(1)))
            return alias($[`_${part.value.slice(1)}`], part.value);
    });
}

const preprocessor = {};
for (const name of ['include', 'def', 'function_def', 'call'])
    preprocessor[`preproc_${name}`] = fromScanner;
for (const suffix of ['', '_in_field_declaration_list'])
    for (const name of ['if', 'ifdef', 'else', 'elif', 'elifdef'])
        preprocessor[`preproc_${name}${suffix}`] = fromScanner;

module.exports = grammar(CUDA, {
    name: 'gcluster',

    externals: ($, original) =>
        original.concat([
            $._line_end,
            ...conditions.map((word) => $[`_${word}`]),
            $.preproc_line,
            $.preproc_inactive,
            $.preproc_directive,
            $._macro_call,
            $._macro_head,
            $._macro_qualifier,
            $._macro_qualifier_behind,
            $._macro_qualifier_call,
            $._macro_qualifier_lambda,
            $.macro,
        ]),

    extras: ($, original) => original.concat([$.preproc_line, $.preproc_inactive, $.macro, $.pragma_operator]),

    conflicts: ($, original) =>
        original.concat([
            [$.type_specifier, $._type_argument],
            [$.type_specifier, $._class_name],
        ]),

    rules: {
        ...Object.fromEntries(
            Object.entries(preprocessor).map(([name, change]) => [
                name,
                ($, original) => change($, original),
            ])
        ),

        // `#pragma gcluster …`, whose clauses pragma/grammar.js reads.

        _top_level_item: ($, original) => choice(original, $.gcluster_pragma),
        _block_item: ($, original) => choice(original, $.gcluster_pragma),
        gcluster_pragma: ($) =>
            seq(
                alias(token(prec(1, /#[ \t]*pragma[ \t]+gcluster/)), '#pragma gcluster'),
                optional($.pragma_clauses),
                $._line_end
            ),
        pragma_clauses: () =>
            token(
                prec(
                    -1,
                    /[^\s\/\\]([^\n\r\/\\]|\\[^\r\n]|\\\r?\n|\/[^*\/\r\n]|\/\*([^*]|\*+[^*\/])*\*+\/)*/
                )
            ),
        pragma_operator: () => token(/_Pragma\s*\(\s*"([^"\\\n]|\\.)*"\s*\)/),

        // Conditionals between enumerators are lines, because commas join what they part.
        enumerator_list: ($) => seq('{', list($.enumerator), optional(','), '}'),

        // Qualifiers of kernels.

        // CUDA's words are qualifiers of types, too: `T & __device__ f()`.
        _declaration_modifiers: ($, original) =>
            choice(
                ...original.members.filter(({ type }) => type !== 'STRING' && type !== 'PREC'),
                $.kernel_attribute,
                $.macro_qualifier
            ),
        _declaration_specifiers: ($) =>
            prec.right(
                seq(
                    repeat($._declaration_modifiers),
                    field('type', $.type_specifier),
                    repeat(
                        choice(
                            $._declaration_modifiers,
                            alias($.macro_qualifier_behind, $.macro_qualifier)
                        )
                    )
                )
            ),
        type_qualifier: ($, original) =>
            choice(
                original,
                '__device__',
                '__host__',
                '__forceinline__',
                '__noinline__',
                '__restrict'
            ),
        ms_pointer_modifier: ($) =>
            choice(
                $.ms_unaligned_ptr_modifier,
                $.ms_unsigned_ptr_modifier,
                $.ms_signed_ptr_modifier
            ),
        launch_bounds: ($) => seq('__launch_bounds__', '(', list1($.expression), ')'),
        kernel_attribute: ($) =>
            seq(
                field('name', choice('__cluster_dims__', '__maxnreg__', '__block_size__')),
                field('arguments', $.argument_list)
            ),
        alignas_qualifier: ($, original) =>
            choice(original, seq(choice('__align__', '__builtin_align__'), '(', $.expression, ')')),

        // Lambdas for the device.

        lambda_expression: ($) =>
            seq(
                field('captures', $.lambda_capture_specifier),
                optional(
                    seq(
                        field('template_parameters', $.template_parameter_list),
                        optional(field('constraint', $.requires_clause))
                    )
                ),
                repeat(
                    choice(
                        '__device__',
                        '__host__',
                        alias($.macro_qualifier_lambda, $.macro_qualifier)
                    )
                ),
                optional(field('declarator', $.abstract_function_declarator)),
                field('body', $.compound_statement)
            ),

        kernel_call_syntax: ($, original) =>
            rewritten(original, (part) =>
                part.name === 'expression' ? choice($.expression, $.initializer_list) : undefined
            ),

        // `asm volatile("…" :: "r"(x) : "memory")`: two colons in a row are one word of C++.

        gnu_asm_expression: ($) =>
            prec(
                CALL,
                seq(
                    choice('asm', '__asm__', '__asm'),
                    repeat($.gnu_asm_qualifier),
                    '(',
                    field('assembly_code', $._string),
                    optional(
                        choice(
                            seq(
                                field('output_operands', $.gnu_asm_output_operand_list),
                                optional(
                                    choice(
                                        seq(
                                            field(
                                                'input_operands',
                                                $.gnu_asm_input_operand_list
                                            ),
                                            optional($._asm_clobbers)
                                        ),
                                        seq(
                                            '::',
                                            list(field('register', $._string))
                                        )
                                    )
                                )
                            ),
                            seq(
                                '::',
                                list(field('operand', $.gnu_asm_input_operand)),
                                optional($._asm_clobbers)
                            )
                        )
                    ),
                    ')'
                )
            ),
        _asm_clobbers: ($) =>
            seq(
                field('clobbers', $.gnu_asm_clobber_list),
                optional(field('goto_labels', $.gnu_asm_goto_list))
            ),

        // Macros.

        macro_qualifier: ($) =>
            choice(
                alias($._macro_qualifier, $.identifier),
                seq(
                    alias($._macro_qualifier_call, $.identifier),
                    field('arguments', $.argument_list)
                )
            ),
        macro_qualifier_behind: ($) => alias($._macro_qualifier_behind, $.identifier),
        macro_qualifier_lambda: ($) => alias($._macro_qualifier_lambda, $.identifier),
        macro_call: ($) =>
            seq(
                field('function', alias($._macro_call, $.identifier)),
                field('arguments', $.argument_list)
            ),
        macro_definition: ($) =>
            seq(
                field('name', alias($._macro_head, $.identifier)),
                field('arguments', $.argument_list),
                field('body', $.compound_statement)
            ),
        expression_statement: ($, original) =>
            choice(original, alias($.macro_call, $.call_expression), $.macro_definition),
        _top_level_expression_statement: ($, original) =>
            choice(original, alias($.macro_call, $.call_expression), $.macro_definition),
        _field_declaration_list_item: ($, original) =>
            choice(
                original,
                alias($.macro_statement, $.expression_statement),
                $.gcluster_pragma
            ),
        macro_statement: ($) => alias($.macro_call, $.call_expression),

        // Types are arguments of macros, and of typeid and va_arg.
        argument_list: ($) =>
            seq(
                '(',
                list(
                    choice(
                        $.expression,
                        $.initializer_list,
                        $.compound_statement,
                        alias($._type_argument, $.type_descriptor)
                    )
                ),
                ')'
            ),
        _type_argument: ($) =>
            prec.dynamic(
                -1,
                seq(
                    field('type', choice($.primitive_type, $.sized_type_specifier)),
                    repeat('*')
                )
            ),

        // `new const float *[n]`.
        new_expression: ($) =>
            prec.right(
                CALL + 1,
                seq(
                    optional('::'),
                    'new',
                    field('placement', optional($.argument_list)),
                    repeat($.type_qualifier),
                    field('type', $.type_specifier),
                    optional($._new_pointer),
                    field('declarator', optional($.new_declarator)),
                    field('arguments', optional(choice($.argument_list, $.initializer_list)))
                )
            ),

        _new_pointer: ($) =>
            prec.right(seq('*', repeat($.type_qualifier), optional($._new_pointer))),

        reference_declarator: ($) =>
            prec.dynamic(
                1,
                prec.right(seq(choice('&', '&&'), repeat($.type_qualifier), $._declarator))
            ),

        // `unsigned(x)`, `typename T::type{}`.
        call_expression: ($, original) =>
            choice(
                original,
                seq(
                    field('function', choice($.sized_type_specifier, $.dependent_type)),
                    field('arguments', $.argument_list)
                )
            ),
        compound_literal_expression: ($, original) =>
            choice(
                original,
                seq(field('type', $.dependent_type), field('value', $.initializer_list))
            ),
        optional_parameter_declaration: ($) =>
            seq(
                $._declaration_specifiers,
                field(
                    'declarator',
                    optional(choice($._declarator, $.abstract_reference_declarator))
                ),
                '=',
                field('default_value', choice($.expression, $.initializer_list))
            ),

        // Identifiers are macros: `"%" PRIu64 "\n"`, `"-I" DIRECTORY`.
        concatenated_string: ($) => {
            const string = choice($.string_literal, $.raw_string_literal);
            const part = choice(
                string,
                $.identifier,
                alias($._string_call, $.call_expression)
            );
            return prec.right(
                seq(choice(seq($.identifier, string), seq(string, part)), repeat(part))
            );
        },
        _string_call: ($) =>
            prec(1, seq(field('function', $.identifier), field('arguments', $.argument_list))),

        // `template <class T> void f(T) = delete;`
        init_declarator: ($, original) =>
            choice(
                original,
                seq(field('declarator', $._declarator), '=', choice('default', 'delete'))
            ),

        _preproc_expression: ($, original) =>
            choice(original, alias($._preproc_not, $.unary_expression)),
        _preproc_not: ($) => prec(14, seq(field('operator', 'not'), $._preproc_expression)),

        // `float a[4] __attribute__((aligned(16)))`.
        declaration: ($) =>
            seq(
                $._declaration_specifiers,
                list1(
                    field(
                        'declarator',
                        choice(
                            seq(
                                $._declarator,
                                optional($.gnu_asm_expression),
                                repeat($.attribute_specifier)
                            ),
                            $.init_declarator
                        )
                    )
                ),
                ';'
            ),

        template_instantiation: ($) =>
            prec(
                1,
                seq(
                    optional('extern'),
                    'template',
                    optional($._declaration_specifiers),
                    optional(field('declarator', $._declarator)),
                    ';'
                )
            ),
    },
});
