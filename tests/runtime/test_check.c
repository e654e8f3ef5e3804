// Damaged access programs are told from sound ones, and what is wrong is named.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "plan/program/check.h"

enum { ARGUMENT_SIZE = 16 };

// for (i = 0; i < n; i++) a[i] = 0, and behind it a[last i] = 0.
struct program {
    struct gcl_node nodes[9];
    int64_t constants[1];
    struct gcl_guard guards[2];
    struct gcl_base bases[1];
    struct gcl_access accesses[2];
    struct gcl_reason reasons[1];
    const char *files[1];
    struct gcl_program tables;
};

static void make(struct program *p) {
    *p = (struct program){
        .nodes = {{GCL_NODE_ITERATION, 32, 0, 0, 0},
                  {GCL_NODE_ARGUMENT, 32, 8, 0, 0},
                  {GCL_NODE_SLT, 1, 0, 1, 0},
                  {GCL_NODE_SEXT, 64, 0, 0, 0},
                  {GCL_NODE_CONSTANT, 64, 0, 0, 0},
                  {GCL_NODE_MULTIPLY, 64, 3, 4, 0},
                  {GCL_NODE_LAST, 64, 0, 0, 0},
                  {GCL_NODE_MULTIPLY, 64, 6, 4, 0},
                  {GCL_NODE_SELECT, 64, 2, 5, 7}},
        .constants = {4},
        .guards = {{GCL_GUARD_LOOP, 0, 2, GCL_NONE}, {GCL_GUARD_HOLDS, 0, 2, 0}},
        .bases = {{GCL_BASE_ARGUMENT, 0, 0}},
        .accesses = {{.kind = GCL_ACCESS_WRITE,
                      .offset = 5,
                      .guard = 1,
                      .length = GCL_NONE,
                      .size = 4,
                      .place = {.line = 1}},
                     {.kind = GCL_ACCESS_WRITE,
                      .offset = 8,
                      .guard = GCL_NONE,
                      .length = GCL_NONE,
                      .size = 4}},
        .reasons = {{.code = 211, .access = 1}},
        .files = {"a.cu"},
    };
    p->tables = (struct gcl_program){.nodes = p->nodes,
                                     .constants = p->constants,
                                     .guards = p->guards,
                                     .bases = p->bases,
                                     .accesses = p->accesses,
                                     .reasons = p->reasons,
                                     .files = p->files,
                                     .node_count = 9,
                                     .constant_count = 1,
                                     .guard_count = 2,
                                     .base_count = 1,
                                     .access_count = 2,
                                     .reason_count = 1,
                                     .file_count = 1};
}

static void sound(void **state) {
    struct program p;
    struct gcl_program_fault fault;
    const struct gcl_program empty = {.node_count = 0};
    (void)state;
    make(&p);
    assert_true(gcl_program_check(&p.tables, ARGUMENT_SIZE, &fault));
    assert_true(gcl_program_check(&empty, 0, &fault));
    p.guards[0].node = GCL_NONE; // endless
    assert_true(gcl_program_check(&p.tables, ARGUMENT_SIZE, &fault));
}

// Expects the fault after `damage`, a statement about `p`.
#define CHECK_FAULT(damage, expected)                                                              \
    do {                                                                                           \
        struct program p;                                                                          \
        struct gcl_program_fault fault = {"", 0, ""};                                              \
        char text[128];                                                                            \
        make(&p);                                                                                  \
        damage;                                                                                    \
        assert_false(gcl_program_check(&p.tables, ARGUMENT_SIZE, &fault));                         \
        snprintf(text, sizeof text, "%s %zu: %s", fault.table, fault.index, fault.what);           \
        assert_string_equal(text, expected);                                                       \
    } while (0)

static void nodes(void **state) {
    (void)state;
    CHECK_FAULT(p.nodes[5].kind = GCL_NODE_TRUNC + 1, "node 5: its kind doesn't exist");
    CHECK_FAULT(p.nodes[5].width = 0, "node 5: its width isn't 1 to 64");
    CHECK_FAULT(p.nodes[5].width = 65, "node 5: its width isn't 1 to 64");
    CHECK_FAULT(p.nodes[5].a = 5, "node 5: an operand doesn't stand in front");
    CHECK_FAULT(p.nodes[5].b = 6, "node 5: an operand doesn't stand in front");
    CHECK_FAULT(p.nodes[8].c = 8, "node 8: an operand doesn't stand in front");
    CHECK_FAULT(p.nodes[5].width = 32, "node 5: its operands have another width");
    CHECK_FAULT(p.nodes[2].width = 32, "node 2: its operands have another width");
    CHECK_FAULT(p.nodes[3].width = 32, "node 3: its operands have another width");
    CHECK_FAULT(p.nodes[8].a = 0, "node 8: its operands have another width");
    CHECK_FAULT(p.nodes[4].a = 1, "node 4: its constant doesn't exist");
    CHECK_FAULT(p.nodes[1].a = 13, "node 1: it lies behind the arguments");
    CHECK_FAULT(p.nodes[0].a = 1, "node 0: its loop doesn't exist");
    CHECK_FAULT(p.nodes[0].a = 2, "node 0: its loop doesn't exist");
    CHECK_FAULT(p.nodes[6].kind = GCL_NODE_LOAD;
                p.nodes[6].a = 2, "node 6: its access doesn't exist");
    CHECK_FAULT(p.nodes[6].kind = GCL_NODE_UNKNOWN;
                p.nodes[6].a = 1, "node 6: its reason doesn't exist");
    CHECK_FAULT(p.nodes[6].kind = GCL_NODE_GRID_SIZE;
                p.nodes[6].a = 3, "node 6: its axis doesn't exist");
}

static void others(void **state) {
    (void)state;
    CHECK_FAULT(p.guards[1].kind = GCL_GUARD_LOOP + 1, "guard 1: its kind doesn't exist");
    CHECK_FAULT(p.guards[1].node = GCL_NONE, "guard 1: its node is no condition");
    CHECK_FAULT(p.guards[1].node = 0, "guard 1: its node is no condition");
    CHECK_FAULT(p.guards[0].outer = 1, "guard 0: the one around it doesn't stand in front");
    CHECK_FAULT(p.guards[1].outer = 1, "guard 1: the one around it doesn't stand in front");
    CHECK_FAULT(p.bases[0].kind = GCL_BASE_ANY + 1, "base 0: its kind doesn't exist");
    CHECK_FAULT(p.bases[0].index = 9, "base 0: it lies behind the arguments");
    CHECK_FAULT(p.bases[0].kind = GCL_BASE_VARIABLE, "base 0: no such variable");
    CHECK_FAULT(p.bases[0].kind = GCL_BASE_LOADED; p.bases[0].index = 2, "base 0: no such access");
    CHECK_FAULT(p.bases[0].kind = GCL_BASE_ANY; p.bases[0].index = 1, "base 0: no such reason");
    CHECK_FAULT(p.accesses[0].kind = GCL_ACCESS_ATOMIC + 1, "access 0: its kind doesn't exist");
    CHECK_FAULT(p.accesses[0].base = 1, "access 0: its base doesn't exist");
    CHECK_FAULT(p.accesses[0].offset = 9, "access 0: its offset is no node of 64 bits");
    CHECK_FAULT(p.accesses[0].offset = 0, "access 0: its offset is no node of 64 bits");
    CHECK_FAULT(p.accesses[1].length = 2, "access 1: its length is no node of 64 bits");
    CHECK_FAULT(p.accesses[1].guard = 2, "access 1: its guard doesn't exist");
    CHECK_FAULT(p.accesses[0].place.file = 1, "access 0: its file doesn't exist");
    CHECK_FAULT(p.reasons[0].access = 2, "reason 0: its access doesn't exist");
    CHECK_FAULT(p.tables.constants = NULL, "program 0: a table is missing");
    CHECK_FAULT(p.tables.variable_count = 1, "program 0: a table is missing");
    CHECK_FAULT(p.tables.access_count = GCL_NONE, "program 0: a table is too long");
    CHECK_FAULT(p.tables.split = 'w', "program 0: it is split along no axis");
}

static void loops(void **state) {
    (void)state;
    CHECK_FAULT(p.nodes[0].kind = GCL_NODE_LAST, "program 0: a loop or a load follows from itself");
}

// Node 6 is what an access loads: access 0 doesn't need it, access 1 is at a place that it says.
static void loads(void **state) {
    struct program p;
    struct gcl_program_fault fault;
    (void)state;
    make(&p);
    p.nodes[6] = (struct gcl_node){GCL_NODE_LOAD, 64, 0, 0, 0};
    assert_true(gcl_program_check(&p.tables, ARGUMENT_SIZE, &fault));
    p.bases[0] = (struct gcl_base){GCL_BASE_ARGUMENT, GCL_BASE_TEXTURE, 0};
    assert_true(gcl_program_check(&p.tables, ARGUMENT_SIZE, &fault));
    CHECK_FAULT(p.nodes[6] = ((struct gcl_node){GCL_NODE_LOAD, 64, 1, 0, 0}),
                "program 0: a loop or a load follows from itself");
    CHECK_FAULT(p.bases[0] = ((struct gcl_base){GCL_BASE_LOADED, 0, 0}),
                "program 0: a loop or a load follows from itself");
}

// A write says whether it may store addresses, where a reduction says what it does.
static void stored(void **state) {
    struct program p;
    struct gcl_program_fault fault;
    (void)state;
    make(&p);
    p.accesses[0].reduction = GCL_STORED_ANYTHING;
    assert_true(gcl_program_check(&p.tables, ARGUMENT_SIZE, &fault));
    p.accesses[0].kind = GCL_ACCESS_REDUCE;
    p.accesses[0].reduction = GCL_REDUCTION_FMAX;
    assert_true(gcl_program_check(&p.tables, ARGUMENT_SIZE, &fault));
    CHECK_FAULT(p.accesses[0].reduction = GCL_STORED_ANYTHING + 1,
                "access 0: it does what doesn't exist");
    CHECK_FAULT(p.accesses[0].kind = GCL_ACCESS_REDUCE;
                p.accesses[0].reduction = GCL_REDUCTION_FMAX + 1,
                "access 0: it does what doesn't exist");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound), cmocka_unit_test(nodes), cmocka_unit_test(others),
        cmocka_unit_test(loops), cmocka_unit_test(loads), cmocka_unit_test(stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
