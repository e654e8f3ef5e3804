// A device for tests of the executor: one range of memory, a parsed module, its variables placed.
#ifndef PTX_TEST_MACHINE_H
#define PTX_TEST_MACHINE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx.h"

#define MACHINE_BEGIN UINT64_C(0x200000000)
enum { MACHINE_SIZE = 1 << 24 };

struct machine {
    struct ptx_module *module;
    unsigned char *memory; ///< of the addresses from MACHINE_BEGIN on
    uint64_t used;         ///< bytes of it that are given away
    uint64_t seed;         ///< of the next launch
    struct ptx_heap *heap;
    FILE *output;
    char text[1024]; ///< what the last launch said
};

/// Parses the text; a mistake fails the test.
void machine_begin(struct machine *machine, const char *text);
/// Likewise, a file of the fixtures.
void machine_begin_file(struct machine *machine, const char *name);
void machine_end(struct machine *machine);

/// `size` zeroed bytes of the device's memory: their address.
uint64_t machine_allocate(struct machine *machine, size_t size);
/// Where an address lies in the host's memory.
void *machine_at(const struct machine *machine, uint64_t address);

/// Launches with `count` parameters of 8 bytes.
enum ptx_end machine_launch(struct machine *machine, const char *name, uint32_t grid,
                            uint32_t block, const uint64_t *parameters, size_t count);
/// Likewise; any end but PTX_DONE fails the test.
void machine_run(struct machine *machine, const char *name, uint32_t grid, uint32_t block,
                 const uint64_t *parameters, size_t count);

/// The next of a row of random numbers.
uint64_t machine_random(uint64_t *state);

#endif
