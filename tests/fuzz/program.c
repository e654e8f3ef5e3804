// Access programs from any bytes: those that the check lets pass can be evaluated, whatever they
// say, and come to an end.
//
// An input: how long each table is, a byte each, then the tables as they lie in memory, then the
// arguments.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plan/program/check.h"
#include "plan/program/footprint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TABLES = 6, ARGUMENT_SIZE = 96, VARIABLES = 2 };

struct input {
    const uint8_t *at;
    size_t left;
};

// As many elements as there are bytes for; a copy, so that a sanitizer sees what is read behind it.
static void *take(struct input *input, size_t element, uint8_t wanted, uint16_t *count) {
    size_t most = input->left / element;
    *count = (uint16_t)(wanted < most ? wanted : most);
    void *copy = malloc(*count * element + (*count == 0));
    if (!copy)
        abort();
    memcpy(copy, input->at, *count * element);
    input->at += *count * element;
    input->left -= *count * element;
    return copy;
}

static bool find(void *context, uint64_t address, struct gcl_span *allocation) {
    (void)context;
    *allocation = (struct gcl_span){(int64_t)(address & ~UINT64_C(0xffff)),
                                    (int64_t)(address & ~UINT64_C(0xffff)) + 0x10000};
    return (address >> 60) == 0;
}

// The same everywhere: small numbers, and addresses of allocations.
static const unsigned char *contents(void *context, const struct gcl_span *allocation,
                                     struct gcl_span *run, uint64_t *version) {
    static uint32_t words[0x4000];
    (void)context;
    *run = (struct gcl_span){0, allocation->end - allocation->begin};
    for (uint32_t i = 0; i < 0x4000 && words[0x3fff] == 0; i++)
        words[i] = i % 4 == 0 ? (i % 3 + 1) << 16 : i % 7;
    *version = 1;
    return (const unsigned char *)words;
}

static void evaluate(const struct gcl_program *program, const uint8_t *arguments) {
    struct gcl_evaluator *evaluator = gcl_evaluator_create(program);
    const struct gcl_launch_part part = {.arguments = arguments,
                                         .geometry.block = {4, 2, 1},
                                         .geometry.grid = {3, 2, 2},
                                         .end = {2, 2, 1}};
    const struct gcl_memory memory = {.find = find, .contents = contents};
    struct gcl_footprint footprint;
    if (evaluator && gcl_footprint_find(evaluator, &part, &memory, &footprint))
        gcl_footprint_finish(&footprint);
    gcl_evaluator_destroy(evaluator);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const file = "a.cu";
    static void *targets[VARIABLES] = {(void *)0x10000, (void *)0x20000};
    static void *const *const slots[VARIABLES] = {&targets[0], &targets[1]};
    if (size < TABLES)
        return 0;
    struct input input = {data + TABLES, size - TABLES};
    struct gcl_program p = {
        .files = &file, .variables = slots, .file_count = 1, .variable_count = VARIABLES};
    uint8_t *arguments = calloc(1, ARGUMENT_SIZE);
    p.nodes = take(&input, sizeof *p.nodes, data[0], &p.node_count);
    p.constants = take(&input, sizeof *p.constants, data[1], &p.constant_count);
    p.guards = take(&input, sizeof *p.guards, data[2], &p.guard_count);
    p.bases = take(&input, sizeof *p.bases, data[3], &p.base_count);
    p.accesses = take(&input, sizeof *p.accesses, data[4], &p.access_count);
    p.reasons = take(&input, sizeof *p.reasons, data[5], &p.reason_count);
    if (!arguments)
        abort();
    memcpy(arguments, input.at, input.left < ARGUMENT_SIZE ? input.left : ARGUMENT_SIZE);
    struct gcl_program_fault fault;
    bool is_good = gcl_program_check(&p, ARGUMENT_SIZE, &fault);
    if (is_good)
        evaluate(&p, arguments);
    void *const copies[] = {(void *)p.nodes,  (void *)p.constants, (void *)p.guards,
                            (void *)p.bases,  (void *)p.accesses,  (void *)p.reasons,
                            (void *)arguments};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        free(copies[i]);
    return is_good ? 0 : -1;
}
