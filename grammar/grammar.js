// CUDA C++ as real programs have it: what tree-sitter-cuda (tree-sitter-cuda-base in package.json)
// reads, and what it lacks.
//
// Conditionals of the preprocessor are told by the scanner, see src/scanner.c.

const CUDA = require('tree-sitter-cuda-base/grammar');

const list = (rule) => optional(list1(rule));
const list1 = (rule) => seq(rule, repeat(seq(',', rule)));

// Precedences, as in tree-sitter-c.
const MULTIPLY = 11;
const CALL = 15; // of a postfix operator

// A rule in which `replace` has been asked for another one in place of each of its parts.
function rewritten(rule, replace) {
    const other = replace(rule);
    if (other) return other;
    const result = { ...rule };
    if (rule.content) result.content = rewritten(rule.content, replace);
    if (rule.members) result.members = rule.members.map((member) => rewritten(member, replace));
    return result;
}

const replaced = (rule, symbol, other) =>
    rewritten(rule, (part) => (part.name === symbol ? other : undefined));

// The members of a choice, and of the choices in it.
function members(rule) {
    return rule.type === 'CHOICE' ? rule.members.flatMap(members) : [rule];
}

const name = (rule) => rule.name ?? rule.content?.name;

// What a text is that can be read in several ways: the reading with the greatest sum. C++ says
// that what can be a declaration is one, but knows which names are types.
const IS = {
    VARIABLE: 1000, // with arguments, in a function: `dim3 grid(n)`
    ARRAY: 12, // of what stands in parentheses: `T (*rows)[4]`
    TEMPLATE: 10, // times 1 to 3, for each of its arguments
    FUNCTION: 2,
    // `T (*x)` is a call, `T (*x)(y)` is one in a function only, and neither if that is assigned to
    CALL_OUTSIDE: -8,
    CALL_ASSIGNED: -8,
    POINTER_IN_PARENTHESES: -10,
    IN_PARENTHESES: -30,
    // and no call if either word is a type for sure
    CALL_OF_TYPE: -40,
    CALL_WITH_TYPE: -2000,
    MACRO_IN_CLASS: -4000, // and not a constructor
};

// A list of declarators, some of which have values as `init` has them.
const declared = ($, init) =>
    seq(
        $._declaration_specifiers,
        list1(
            field(
                'declarator',
                choice(
                    // `float a[4] __attribute__((aligned(16)))`
                    seq(
                        $._declarator,
                        optional($.gnu_asm_expression),
                        repeat($.attribute_specifier)
                    ),
                    init
                )
            )
        ),
        ';'
    );

const initialized = ($) => [
    seq(
        field('declarator', $._declarator),
        '=',
        field('value', choice($.expression, $.initializer_list))
    ),
    seq(field('declarator', $._declarator), field('value', $.initializer_list)),
];

// In front of a type, and of the name of a constructor: were there two lists of them, each function
// with a qualifier would be read twice, and again after each keystroke elsewhere.
const modifier = ($) => choice($._declaration_modifiers, $.explicit_function_specifier);
const withModifiers = ($, original) => replaced(original, '_constructor_specifiers', modifier($));
const constructors = [
    'constructor_or_destructor_declaration',
    'constructor_or_destructor_definition',
    'operator_cast_definition',
];

// With macros behind the `*`, or behind its qualifiers.
const withMacro = ($, original) => {
    const macro = optional(alias($.macro_qualifier_behind, $.macro_qualifier));
    return rewritten(original, (part) => {
        if (part.value === '*') return seq('*', macro);
        if (part.type === 'FIELD') return seq(macro, part);
    });
};

const argument = ($) =>
    choice(
        $.expression,
        $.initializer_list,
        $.compound_statement,
        alias($._type_argument, $.type_descriptor),
        alias($.argument_statements, $.compound_statement),
        alias($.argument_block, $.compound_statement),
        alias($.argument_return, $.return_statement)
    );

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
    name: 'cuda',

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
            $._macro_qualifier_class,
            $._macro_behind_parameter,
            $._macro_parameter,
            $._macro_extern,
            $._macro_access,
            $._statements_open,
            $._statements_begin,
            $._statements_call,
            $.macro,
        ]),

    extras: ($, original) => original.concat([$.preproc_line, $.preproc_inactive, $.macro, $.pragma_operator]),

    conflicts: ($, original) =>
        original.concat([
            [$.type_specifier, $._type_argument],
            [$.type_specifier, $._class_name],
            [$.parenthesized_declarator, $.type_specifier, $.expression],
            [$.parenthesized_declarator, $.expression],
            [$._declarator, $._initialized],
            [$.field_expression, $.template_method],
            [$._declarator, $.type_specifier, $._field_call],
            [$._declarator, $.call_expression],
        ]),

    rules: {
        ...Object.fromEntries(constructors.map((rule) => [rule, withModifiers])),
        ...Object.fromEntries(
            Object.entries(preprocessor).map(([name, change]) => [
                name,
                ($, original) => change($, original),
            ])
        ),

        // `#pragma gcluster …`, whose clauses pragma/grammar.js reads.

        _top_level_item: ($, original) =>
            choice(
                original,
                $.gcluster_pragma,
                alias($.macro_declaration, $.declaration)
            ),
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
                    repeat(modifier($)),
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
                '__tile__',
                '__tile_global__',
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
                optional(
                    seq(
                        field('declarator', $.abstract_function_declarator),
                        repeat(alias($.macro_qualifier_lambda, $.macro_qualifier))
                    )
                ),
                field('body', $.compound_statement)
            ),

        kernel_call_syntax: ($, original) =>
            replaced(original, 'expression', choice($.expression, $.initializer_list)),

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
                field('arguments', alias($._macro_arguments, $.argument_list))
            ),
        macro_declaration: ($) => // `extern DECLARE(64, 64);`
            seq(
                alias('extern', $.storage_class_specifier),
                alias($._extern_call, $.call_expression),
                ';'
            ),
        _extern_call: ($) =>
            seq(
                field('function', alias($._macro_extern, $.identifier)),
                field('arguments', $.argument_list)
            ),
        macro_definition: ($) =>
            seq(
                field('name', alias($._macro_head, $.identifier)),
                field('arguments', alias($._macro_arguments, $.argument_list)),
                field('body', choice($.compound_statement, $.try_statement))
            ),
        // With gaps: `TEST("all of it", ) { … }`.
        _macro_arguments: ($) =>
            seq('(', optional(argument($)), repeat(seq(',', optional(argument($)))), ')'),
        expression_statement: ($, original) =>
            choice(original, alias($.macro_call, $.call_expression), $.macro_definition),
        _top_level_expression_statement: ($, original) =>
            choice(
                prec.dynamic(IS.CALL_OUTSIDE, original),
                alias($.macro_call, $.call_expression),
                $.macro_definition
            ),
        _field_declaration_list_item: ($, original) =>
            choice(
                original,
                alias($.macro_statement, $.expression_statement),
                alias($.macro_field, $.expression_statement),
                seq(alias($._macro_access, $.access_specifier), ':'),
                $.gcluster_pragma
            ),
        macro_statement: ($) => alias($.macro_call, $.call_expression),
        macro_field: ($) =>
            prec.dynamic(IS.MACRO_IN_CLASS, seq(alias($._field_call, $.call_expression), ';')),
        _field_call: ($) =>
            seq(field('function', $.identifier), field('arguments', $.argument_list)),

        // `template <class T, ENABLE_IF(is_small<T>())>`, `int f(float x MORE_PARAMETERS)`.
        template_parameter_list: ($, original) =>
            rewritten(original, (part) =>
                part.type === 'CHOICE' &&
                part.members.some((parameter) => name(parameter) === 'parameter_declaration')
                    ? choice(...part.members, alias($._parameter_call, $.call_expression))
                    : undefined
            ),
        _parameter_call: ($) =>
            seq(
                field('function', alias($._macro_parameter, $.identifier)),
                field('arguments', $.argument_list)
            ),
        parameter_declaration: ($) =>
            seq(
                $._declaration_specifiers,
                optional(
                    choice(
                        seq(
                            field('declarator', $._declarator),
                            repeat(alias($.macro_behind_parameter, $.macro_qualifier))
                        ),
                        field('declarator', $._abstract_declarator)
                    )
                ),
                repeat($.attribute_specifier)
            ),
        macro_behind_parameter: ($) => alias($._macro_behind_parameter, $.identifier),

        // `const T *__restrict__... rows`, `T &__restrict__... rows`.
        variadic_reference_declarator: ($) =>
            seq(choice('&', '&&'), repeat($.type_qualifier), $.variadic_declarator),
        variadic_parameter_declaration: ($, original) =>
            replaced(
                original,
                'variadic_declarator',
                choice(
                    $.variadic_declarator,
                    alias($.variadic_pointer_declarator, $.pointer_declarator)
                )
            ),
        variadic_pointer_declarator: ($) =>
            seq(
                '*',
                repeat($.type_qualifier),
                choice(
                    $.variadic_declarator,
                    alias($.variadic_reference_declarator, $.reference_declarator),
                    alias($.variadic_pointer_declarator, $.pointer_declarator)
                )
            ),

        // Types are arguments of macros, and of typeid and va_arg.
        argument_list: ($) => seq('(', list(argument($)), ')'),
        _type_argument: ($) =>
            prec.dynamic(
                IS.CALL_WITH_TYPE,
                seq(
                    field('type', choice($.primitive_type, $.sized_type_specifier, $.decltype)),
                    repeat('*')
                )
            ),

        // `IF_DEVICE((a = f(); return;))`, `SWITCH(type, T, int n = sizeof(T); f<T>(n);)` and
        // `CHECK(f(), return false)`. The scanner tells where statements are.
        argument_statements: ($) =>
            seq(alias($._statements_open, '('), repeat($._local_item), ')'),
        argument_block: ($) =>
            seq(
                choice(
                    seq($._statements_begin, $._local_item),
                    alias($._first_statement, $.expression_statement)
                ),
                repeat($._local_item)
            ),
        _first_statement: ($) => seq(alias($._first_call, $.call_expression), ';'),
        _first_call: ($) =>
            seq(
                field('function', alias($._statements_call, $.identifier)),
                field('arguments', $.argument_list)
            ),
        argument_return: ($) => seq('return', optional($.expression)),

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

        // `task->*[=](auto x) { … }`.
        // And `X<n >= 2>`, where a `>` would end the arguments.
        binary_expression: ($, original) =>
            choice(
                rewritten(original, (part) =>
                    part.value === '>=' ? alias(token(prec(1, '>=')), '>=') : undefined
                ),
                prec.left(
                    MULTIPLY,
                    seq(
                        field('left', $.expression),
                        field('operator', '->*'),
                        field('right', $.expression)
                    )
                )
            ),

        // `f.operator()(x)`.
        field_expression: ($, original) =>
            replaced(
                original,
                'destructor_name',
                choice($.destructor_name, $.operator_name)
            ),

        // `x.template f(y)`, and `template <> void f::operator()<float>(float x) { … }`.
        dependent_field_identifier: ($) =>
            choice(
                seq('template', choice($.template_method, $.destructor_name)),
                prec(-1, seq('template', $._field_identifier))
            ),
        template_function: ($, original) =>
            choice(
                original,
                prec(
                    1,
                    seq(
                        field('name', $.operator_name),
                        field('arguments', $.template_argument_list)
                    )
                )
            ),

        // `decltype(f(), g())`.
        decltype: ($, original) =>
            replaced(original, 'expression', choice($.expression, $.comma_expression)),

        // `(i = 1, j)`.
        parenthesized_expression: ($, original) =>
            choice(original, seq('(', alias($._assignment_first, $.comma_expression), ')')),
        _assignment_first: ($) =>
            seq(
                field('left', alias($._assignment_expression_lhs, $.assignment_expression)),
                ',',
                field('right', choice($.expression, $.comma_expression))
            ),

        // `unsigned(x)`, `typename T::type{}`, `decltype(x)(y)`, `operator()(x)`.
        call_expression: ($, original) =>
            choice(
                original.members[0], // of an expression; the other is of a primitive type
                prec.dynamic(
                    IS.CALL_OF_TYPE,
                    seq(
                        field(
                            'function',
                            choice(
                                $.primitive_type,
                                $.sized_type_specifier,
                                $.dependent_type,
                                $.decltype
                            )
                        ),
                        field('arguments', $.argument_list)
                    )
                ),
                seq(field('function', $.operator_name), field('arguments', $.argument_list))
            ),
        compound_literal_expression: ($, original) =>
            choice(
                original,
                seq(
                    field('type', choice($.dependent_type, $.sized_type_specifier, $.decltype)),
                    field('value', $.initializer_list)
                )
            ),
        optional_parameter_declaration: ($) =>
            seq(
                $._declaration_specifiers,
                field(
                    'declarator',
                    optional(choice($._declarator, $._abstract_declarator))
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
        init_declarator: ($) =>
            choice(
                ...initialized($),
                seq(field('declarator', $._declarator), field('value', $.argument_list)),
                seq(field('declarator', $._declarator), '=', choice('default', 'delete'))
            ),

        // `#if COMPILER(GCC, >=, 12) && __has_include(<vector>)`.
        preproc_argument_list: ($, original) =>
            replaced(
                original,
                '_preproc_expression',
                choice(
                    $._preproc_expression,
                    '<',
                    '<=',
                    '>',
                    '>=',
                    '==',
                    '!=',
                    $.string_literal,
                    alias(/<[\w.\/+-]+>/, $.system_lib_string),
                    alias(/[A-Za-z_]\w*(\.\w+)+/, $.system_lib_string)
                )
            ),
        _preproc_expression: ($, original) =>
            choice(
                original,
                alias($._preproc_not, $.unary_expression),
                alias($._preproc_words, $.binary_expression)
            ),
        _preproc_not: ($) => prec(14, seq(field('operator', 'not'), $._preproc_expression)),
        _preproc_words: ($) =>
            choice(
                ...Object.entries({ or: 1, and: 2 }).map(([word, precedence]) =>
                    prec.left(
                        precedence,
                        seq(
                            field('left', $._preproc_expression),
                            field('operator', word),
                            field('right', $._preproc_expression)
                        )
                    )
                )
            ),

        // With the comments in it, but not those at its end.
        preproc_arg: () => {
            const comment = /\/\*([^*]|\*+[^*\/])*\*+\//;
            const word = /[^\s\/\\]|\\./;
            const text = /([^\/\n\\]|\/[^*]|\\[^\n]|\\\r?\n)*/;
            const blank = /([ \t]|\\\r?\n)*/;
            return token(
                prec(
                    -1,
                    seq(
                        choice(word, /\/[^*]/),
                        text,
                        repeat(seq(repeat1(seq(comment, blank)), word, text))
                    )
                )
            );
        },

        declaration: ($) => declared($, $.init_declarator),

        // In a function, where `dim3 grid(n);` is no function.
        compound_statement: ($, original) => replaced(original, '_block_item', $._local_item),
        case_statement: ($, original) =>
            replaced(original, 'declaration', alias($._local_declaration, $.declaration)),
        _local_item: ($) =>
            choice(
                ...members(CUDA.grammar.rules._block_item).filter(
                    (item) => !['declaration', 'attributed_statement'].includes(name(item))
                ),
                alias($._local_declaration, $.declaration),
                $.gcluster_pragma
            ),
        _local_declaration: ($) => declared($, alias($._local_init_declarator, $.init_declarator)),
        _local_init_declarator: ($) =>
            choice(
                ...initialized($),
                prec.dynamic(
                    IS.VARIABLE,
                    seq(
                        field('declarator', $._initialized),
                        field('value', alias($._first_arguments, $.argument_list))
                    )
                )
            ),
        _initialized: ($) =>
            choice(
                $.identifier,
                alias($._initialized_pointer, $.pointer_declarator),
                alias($._initialized_reference, $.reference_declarator)
            ),
        _initialized_pointer: ($) =>
            seq('*', repeat($.type_qualifier), field('declarator', $._initialized)),
        _initialized_reference: ($) => seq(choice('&', '&&'), $._initialized),
        _first_arguments: ($) => seq('(', list1(argument($)), ')'),

        // What stands in front of a statement is one node, because the parser gives up on what is
        // more than 16 nodes deep when it looks for a place to go on behind a mistake.
        for_statement: ($) => seq($._for_head, field('body', $.statement)),
        _for_head: ($) => seq('for', '(', $._for_statement_body, ')'),
        for_range_loop: ($) => seq($._for_range_head, field('body', $.statement)),
        _for_range_head: ($) => seq('for', '(', $._for_range_loop_body, ')'),
        // And no `for (T x<y…`: what follows a second word typed there would be template arguments,
        // to the end of the file. That costs `for (T (&row)[n] : rows)`.
        _for_range_loop_body: ($, original) =>
            replaced(
                original,
                '_declarator',
                choice(
                    $.identifier,
                    $.pointer_declarator,
                    $.reference_declarator,
                    $.structured_binding_declarator
                )
            ),
        while_statement: ($) => seq($._while_head, field('body', $.statement)),
        _while_head: ($) => seq('while', field('condition', $.condition_clause)),
        if_statement: ($) =>
            prec.right(
                seq(
                    $._if_head,
                    field('consequence', $.statement),
                    optional(field('alternative', $.else_clause))
                )
            ),
        _if_head: ($) =>
            seq(
                'if',
                optional(choice('constexpr', alias($.macro_of_if, $.macro_qualifier))),
                field('condition', $.condition_clause)
            ),
        macro_of_if: ($) => $.identifier,

        // `__device__ friend bool operator<(T a, T b)`.
        friend_declaration: ($, original) =>
            seq(repeat(modifier($)), 'friend', original.members[2]),

        // `struct API name`, `using name DEPRECATED("…") = T`, `enum : short { … }`.
        _class_declaration: ($, original) =>
            seq(repeat($._macro_of_class), ...original.members),
        _macro_of_class: ($) =>
            alias($.macro_qualifier_class, $.macro_qualifier),
        macro_qualifier_class: ($) =>
            prec.right(
                seq(
                    alias($._macro_qualifier_class, $.identifier),
                    field('arguments', optional($.argument_list))
                )
            ),
        enum_specifier: ($) =>
            prec.right(
                seq(
                    'enum',
                    optional(choice('class', 'struct')),
                    repeat($._macro_of_class),
                    choice(
                        seq(
                            field('name', $._class_name),
                            optional($._enum_base_clause),
                            optional(field('body', $.enumerator_list))
                        ),
                        seq(optional($._enum_base_clause), field('body', $.enumerator_list))
                    ),
                    optional($.attribute_specifier)
                )
            ),
        // `namespace API name { … }`.
        namespace_definition: ($, original) =>
            replaced(
                original,
                'attribute_declaration',
                repeat1(choice($.attribute_declaration, $.attribute_specifier, $._macro_of_class))
            ),
        // `using pair = int __attribute__((ext_vector_type(2)))`.
        alias_declaration: ($) =>
            seq(
                'using',
                field('name', $._type_identifier),
                repeat(choice($.attribute_declaration, alias($.macro_of_alias, $.macro_qualifier))),
                '=',
                repeat($.attribute_specifier),
                field('type', $.type_descriptor),
                repeat($.attribute_specifier),
                ';'
            ),
        _type_definition_type: ($) =>
            seq(
                repeat($.type_qualifier),
                field('type', $.type_specifier),
                repeat(choice($.type_qualifier, $.attribute_specifier))
            ),
        macro_of_alias: ($) =>
            seq($.identifier, field('arguments', optional($.argument_list))),

        // `template <class I = const T *>`, `template <class T, enable_if_t<f<T>> * = nullptr>`.
        optional_type_parameter_declaration: ($, original) =>
            replaced(
                original,
                'default_type',
                seq(
                    repeat($.type_qualifier),
                    field('default_type', $.type_specifier),
                    repeat($.type_qualifier),
                    optional($._abstract_declarator)
                )
            ),
        using_declaration: ($, original) =>
            rewritten(original, (part) =>
                part.value === 'enum' ? choice('enum', 'typename') : undefined
            ),
        base_class_clause: ($, original) =>
            replaced(original, '_class_name', choice($._class_name, $.decltype)),
        operator_cast_declaration: ($, original) => {
            const specified = withModifiers($, original);
            return rewritten(specified, (part) =>
                part.name === 'default_value'
                    ? choice(field('default_value', $.expression), 'default', 'delete')
                    : undefined
            );
        },

        // `float *RESTRICT p`.
        pointer_declarator: withMacro,
        pointer_field_declarator: withMacro,

        // `int a : 3, : 5;`.
        field_declaration: ($) =>
            seq(
                $._declaration_specifiers,
                list(
                    choice(
                        seq(
                            field('declarator', $._field_declarator),
                            optional(
                                choice(
                                    $.bitfield_clause,
                                    field('default_value', $.initializer_list),
                                    seq(
                                        '=',
                                        field(
                                            'default_value',
                                            choice($.expression, $.initializer_list)
                                        )
                                    )
                                )
                            )
                        ),
                        $.bitfield_clause
                    )
                ),
                optional($.attribute_specifier),
                ';'
            ),

        // `T (*f)(int)`.
        parenthesized_declarator: ($, original) => {
            const pointers = ['pointer_declarator', 'reference_declarator'];
            const others = members(CUDA.grammar.rules._declarator).filter(
                (declarator) => !pointers.includes(name(declarator))
            );
            const around = (weight, declarators) =>
                prec.dynamic(
                    weight,
                    replaced(original.content, '_declarator', choice(...declarators))
                );
            return choice(
                around(IS.IN_PARENTHESES, others),
                around(
                    IS.POINTER_IN_PARENTHESES,
                    pointers.map((pointer) => $[pointer])
                )
            );
        },
        array_declarator: ($, original) =>
            choice(
                original,
                prec.dynamic(
                    IS.ARRAY,
                    prec(2, replaced(original.content, '_declarator', $.parenthesized_declarator))
                )
            ),
        function_declarator: (_, original) => prec.dynamic(IS.FUNCTION, original.content),
        assignment_expression: ($, original) =>
            choice(
                original,
                prec.dynamic(
                    IS.CALL_ASSIGNED,
                    replaced(original, '_assignment_left_expression', $.call_expression)
                )
            ),
        _assignment_left_expression: (_, original) =>
            choice(...members(original).filter((left) => name(left) !== 'call_expression')),
        template_argument_list: (_, original) =>
            rewritten(original, (part) =>
                part.type === 'PREC_DYNAMIC'
                    ? prec.dynamic(IS.TEMPLATE * part.value, part.content)
                    : undefined
            ),
        structured_binding_declarator: (_, original) =>
            prec.dynamic(IS.IN_PARENTHESES, original.content),

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
