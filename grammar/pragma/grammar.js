// The language of `#pragma gcluster …`: what stands behind these two words. gcluster-cc parses
// pragmas with what is generated from here; compiler/base/pragma.h says what they mean.

// As in C, loosest first. compiler/base/pragma.h has the same ranks for writing expressions.
const BINARY = [
    ['||'],
    ['&&'],
    ['|'],
    ['^'],
    ['&'],
    ['==', '!='],
    ['<', '>', '<=', '>='],
    ['<<', '>>'],
    ['+', '-'],
    ['*', '/', '%'],
];

const list = (rule) => seq(rule, repeat(seq(',', rule)));

module.exports = grammar({
    name: 'gcluster_pragma',

    extras: ($) => [/\s/, /\\[ \t]*(\r\n|\n|\r)/, $.comment],
    word: ($) => $.name,
    supertypes: ($) => [$.clause, $.expression],

    rules: {
        pragma: ($) => seq($.clause, repeat(seq(optional(','), $.clause))),

        clause: ($) =>
            choice($.split, $.single, $.access_clause, $.reduction_clause, $.object_clause),
        split: ($) => seq(field('kind', 'split'), '(', field('axis', $.axis), ')'),
        single: () => field('kind', 'single'),
        access_clause: ($) =>
            seq(field('kind', choice('reads', 'writes')), '(', list($.access), ')'),
        reduction_clause: ($) =>
            seq(
                field('kind', 'reduces'),
                '(',
                field('operator', $.reduction),
                ':',
                list($.object),
                ')'
            ),
        object_clause: ($) =>
            seq(field('kind', choice('replicate', 'disjoint')), '(', list($.object), ')'),

        access: ($) =>
            seq(
                field('object', $.object),
                '[',
                field('first', $.expression),
                optional(seq(':', field('count', $.expression))),
                ']'
            ),
        // `min` and `max` are names where nothing is called.
        object: ($) =>
            seq(
                choice($.name, alias(choice('min', 'max'), $.name)),
                repeat(seq('.', $.name))
            ),
        axis: () => choice('x', 'y', 'z'),
        reduction: () => choice('+', '&', '|', '^', 'min', 'max'),

        expression: ($) =>
            choice(
                $.conditional,
                $.binary,
                $.unary,
                $.parenthesized,
                $.call,
                $.index,
                $.object,
                $.number
            ),
        conditional: ($) =>
            prec.right(
                0,
                seq(
                    field('condition', $.expression),
                    '?',
                    field('consequence', $.expression),
                    ':',
                    field('alternative', $.expression)
                )
            ),
        binary: ($) =>
            choice(
                ...BINARY.flatMap((operators, rank) =>
                    operators.map((operator) =>
                        prec.left(
                            rank + 1,
                            seq(
                                field('left', $.expression),
                                field('operator', operator),
                                field('right', $.expression)
                            )
                        )
                    )
                )
            ),
        unary: ($) =>
            prec(
                BINARY.length + 1,
                seq(field('operator', choice('+', '-', '~', '!')), field('operand', $.expression))
            ),
        parenthesized: ($) => seq('(', field('inner', $.expression), ')'),
        call: ($) =>
            seq(
                field('function', choice('min', 'max')),
                '(',
                field('left', $.expression),
                ',',
                field('right', $.expression),
                ')'
            ),
        index: ($) =>
            seq(
                field('variable', choice('threadIdx', 'blockIdx', 'blockDim', 'gridDim')),
                '.',
                field('axis', $.axis)
            ),

        // Whatever begins with a digit: what is no integer is told by the reader, as one word.
        number: () => /[0-9][0-9A-Za-z_$.'\u{80}-\u{10ffff}]*/u,
        name: () => /[A-Za-z_$\u{80}-\u{10ffff}][0-9A-Za-z_$\u{80}-\u{10ffff}]*/u,
        // One that never closes goes on to the end.
        comment: () =>
            token(
                choice(
                    /\/\/([^\n\r\\]|\\+([^\n\r\\]|\r\n|\n|\r))*\\*/,
                    /\/\*([^*]|\*+[^*\/])*(\*+\/|\**)/
                )
            ),
    },
});
