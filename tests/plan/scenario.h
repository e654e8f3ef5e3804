// A planning scenario: what a program does with memory, as text, and as statements.
//
//     machine 2 nodes            buffer a, b: 4096 bytes; a on 0
//     launch blur grid 8 block 128: block i reads a [512 i - 4, 512 i + 516),
//         writes b [512 i, 512 i + 512)
//
// Statements are carried out in the order in which they stand; line ends don't matter, and what
// follows a # up to the end of its line is for people.
//
//     machine N nodes
//     weigh WEIGHT, …
//         From here on nodes' parts of launches are in proportion to these, one for each node.
//     fault
//         From here on whole pages of what launches read vaguely come as they are touched.
//     buffer NAME, …: SIZE bytes [host | guarded] [; NAME on NODE] …
//         Every node has all of it at first; what the host uses, node 0; `on`: that node alone.
//     launch NAME grid X [x Y [x Z]] block X [x Y [x Z]] [split AXIS] [on NODE]:
//         [block I [J [K]]] [thread I [J [K]]] ACCESS, …
//     copy host -> NAME BYTES
//     copy NAME BYTES -> host
//     fill NAME BYTES with VALUE
//     free NAME
//
// An access is `reads`, `writes`, `may write`, `claims` (changes by atomic operations and looks at
// their results) or `reduces`, then a buffer and its bytes; a reduction goes on with `with 4-byte
// add`. Bytes are [BEGIN, END), sums of constants and of constants times the numbers that `block`
// and `thread` name, of one length for all of them; or `anywhere`: data decides which.
#ifndef TEST_SCENARIO_H
#define TEST_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gcluster/access.h"
#include "plan/directory/directory.h"

enum {
    SCENARIO_NAME = 32,
    SCENARIO_ACCESSES = 8,
    SCENARIO_VARIABLES = 6, ///< block numbers of three axes, then thread numbers
    SCENARIO_STATEMENTS = 64,
    SCENARIO_WEIGHTS = 8,
};

/// Bytes that one thread accesses, from `constant` + the sum of factors times variables on.
struct scenario_bytes {
    int64_t constant;
    int64_t factors[SCENARIO_VARIABLES];
    int64_t length;
    bool is_anywhere;
};

struct scenario_access {
    enum gcl_access_kind kind;
    bool is_doubtful; ///< data decides whether it happens
    enum gcl_reduction reduction;
    uint16_t element; ///< bytes of what is reduced
    char buffer[SCENARIO_NAME];
    struct scenario_bytes bytes;
};

struct scenario_launch {
    uint32_t grid[3], block[3];
    char split;    ///< 'x', 'y', 'z': the axis that a pragma names; 0: none
    uint32_t node; ///< the only one that may run it; GCL_NOBODY: all share it
    struct scenario_access accesses[SCENARIO_ACCESSES];
    size_t access_count;
};

enum scenario_kind {
    SCENARIO_MACHINE,  ///< `number` nodes
    SCENARIO_BUFFER,   ///< `number` bytes
    SCENARIO_PLACE,    ///< node `number` alone has the buffer
    SCENARIO_LAUNCH,   ///< `name` is the kernel's
    SCENARIO_COPY_IN,  ///< from the host
    SCENARIO_COPY_OUT, ///< to the host
    SCENARIO_FILL,     ///< with `number`
    SCENARIO_FREE,
    SCENARIO_WEIGH,
    SCENARIO_FAULT,
};

struct scenario_statement {
    enum scenario_kind kind;
    const char *file; ///< where it stands
    unsigned line;
    char name[SCENARIO_NAME];
    int64_t number;                     ///< of weights, where there are any
    uint32_t weights[SCENARIO_WEIGHTS]; ///< of nodes
    enum gcl_host_use use;              ///< of a buffer
    struct scenario_bytes bytes;        ///< of copies and fills
    struct scenario_launch launch;
};

/// Reads the statements of a text. What can't be read ends the program, with a message that names
/// the line.
size_t scenario_parse(const char *file, const char *text, struct scenario_statement *statements);
/// Ends the program with a message about a line of a scenario.
_Noreturn void scenario_fail(const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
