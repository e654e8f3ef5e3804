#include "machine.h"

#include <stdlib.h>
#include <string.h>

static bool find_memory(void *context, uint64_t address, bool is_write, struct ptx_range *range) {
    const struct machine *machine = context;
    (void)is_write;
    if (address < MACHINE_BEGIN || address >= MACHINE_BEGIN + machine->used)
        return false;
    *range = (struct ptx_range){MACHINE_BEGIN, MACHINE_BEGIN + machine->used, machine->memory};
    return true;
}

void *machine_at(const struct machine *machine, uint64_t address) {
    assert_in_range(address, MACHINE_BEGIN, MACHINE_BEGIN + MACHINE_SIZE - 1);
    return machine->memory + (address - MACHINE_BEGIN);
}

uint64_t machine_allocate(struct machine *machine, size_t size) {
    uint64_t address = MACHINE_BEGIN + machine->used;
    machine->used += (size + 255) / 256 * 256;
    assert_true(machine->used <= MACHINE_SIZE);
    return address;
}

void machine_begin(struct machine *machine, const char *text) {
    char error[512];
    *machine = (struct machine){.seed = 1};
    machine->module = ptx_parse(text, error, sizeof error);
    if (!machine->module)
        fail_msg("%s", error);
    machine->memory = calloc(1, MACHINE_SIZE);
    assert_non_null(machine->memory);
    struct ptx_variable *variables;
    size_t count = ptx_variables(machine->module, &variables);
    for (size_t i = 0; i < count; i++)
        if (variables[i].space == PTX_GLOBAL)
            variables[i].address = machine_allocate(machine, variables[i].size);
    for (size_t i = 0; i < count; i++)
        ptx_initialise(machine->module, i,
                       variables[i].space == PTX_GLOBAL ? machine_at(machine, variables[i].address)
                                                        : variables[i].storage);
}

void machine_begin_file(struct machine *machine, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", PTX_FIXTURES, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = 1 << 20;
    char *text = calloc(1, size);
    assert_non_null(text);
    size_t used = fread(text, 1, size - 1, file);
    fclose(file);
    assert_true(used < size - 1);
    machine_begin(machine, text);
    free(text);
}

void machine_end(struct machine *machine) {
    ptx_free(machine->module);
    free(machine->memory);
}

enum ptx_end machine_launch(struct machine *machine, const char *name, uint32_t grid,
                            uint32_t block, const uint64_t *parameters, size_t count) {
    const struct ptx_function *function = ptx_find(machine->module, name);
    assert_non_null(function);
    assert_int_equal(function->parameter_size, 8 * count);
    struct ptx_launch launch = {.function = function,
                                .grid = {grid, 1, 1},
                                .block = {block, 1, 1},
                                .parameters = (const unsigned char *)parameters,
                                .seed = machine->seed++,
                                .instruction_limit = UINT64_C(1) << 27,
                                .memory = find_memory,
                                .context = machine,
                                .heap = machine->heap,
                                .output = machine->output};
    machine->text[0] = 0;
    return ptx_run(&launch, machine->text, sizeof machine->text);
}

void machine_run(struct machine *machine, const char *name, uint32_t grid, uint32_t block,
                 const uint64_t *parameters, size_t count) {
    enum ptx_end end = machine_launch(machine, name, grid, block, parameters, count);
    if (end != PTX_DONE)
        fail_msg("%s: %s", name, machine->text);
}

uint64_t machine_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}
