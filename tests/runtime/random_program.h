// Random access programs, and what their threads touch when they run one by one.
#ifndef RANDOM_PROGRAM_H
#define RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/region/piece.h"
#include "plan/region/region.h"

enum {
    NODES = 160,
    GUARDS = 12,
    CONSTANTS = 96,
    ARGUMENTS = 6,
    ACCESSES = 24,
    ARRAYS = 3,
    ARRAY_BYTES = 256,
    MIDDLE = 1 << 22,
    PLACE = 1 << 24,
    BYTES = 1 << 17
};

/// Access 0 writes 4 bytes from base 0 on; the others read from arrays, bases 1 to ARRAYS.
struct program {
    struct gcl_program tables;
    struct gcl_node nodes[NODES];
    struct gcl_guard guards[GUARDS];
    int64_t constants[CONSTANTS];
    struct gcl_base bases[1 + ARRAYS];
    struct gcl_access accesses[ACCESSES];
    bool ended[GUARDS];                        ///< loops behind which the access stands
    unsigned char arrays[ARRAYS][ARRAY_BYTES]; ///< what they hold
};

/// Numbers, and behind them the bases.
union arguments {
    int32_t numbers[ARGUMENTS];
    uint64_t bases[ARGUMENTS / 2 + 1 + ARRAYS];
};

/// What programs may depend on.
enum random_kind {
    RANDOM_DATA_NONE,
    RANDOM_WIDE, ///< on none, but numbers of 64 bits are among them
    RANDOM_DATA_UNKNOWN,
    RANDOM_DATA_LOADED, ///< what arrays hold, and at times something unknown
};

/// Bytes, as offsets from base 0.
struct bytes {
    int64_t places[BYTES];
    size_t count;
    unsigned steps;
    bool too_many;
};

void random_start(uint64_t seed);
uint32_t random_below(uint32_t limit);
bool chance(uint32_t percent);

/// No node, and an access that is always made.
void init_program(struct program *p);
uint16_t add_node(struct program *p, enum gcl_node_kind kind, unsigned width, uint16_t a,
                  uint16_t b, uint16_t c);
uint16_t constant(struct program *p, int64_t value, unsigned width);
uint16_t add_guard(struct program *p, enum gcl_guard_kind kind, uint16_t node, uint16_t outer);
/// A number of `width` bits that is read at byte `offset`, a node of 64 bits, of an array.
uint16_t add_load(struct program *p, unsigned array, unsigned width, uint16_t offset);

/// Where a base's allocation begins. Base 0 leads to the middle of a large one, arrays have one
/// each.
uint64_t place_of(unsigned base);
/// The allocation that holds an address, as gcl_memory.find says it.
bool find_program_allocation(void *context, uint64_t address, struct gcl_span *allocation);

struct gcl_launch_part random_launch(void);
void random_program(struct program *p, enum random_kind data);
void print_program(const struct program *p, const struct gcl_launch_part *launch);

/// What threads touch, sorted.
void run_threads(const struct program *p, const struct gcl_launch_part *launch,
                 struct bytes *bytes);
void touch(struct bytes *bytes, int64_t offset, int64_t length);
void sort_bytes(struct bytes *bytes);
bool holds_all(const struct bytes *outer, const struct bytes *inner);
void print_places(const char *whose, const struct bytes *bytes);

#endif
