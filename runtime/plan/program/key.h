// What a result depends on, as bytes, by which it is found again.
#ifndef GCL_PLAN_KEY_H
#define GCL_PLAN_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gcluster/access.h"

/// Without bytes it equals none, not even itself.
struct gcl_key {
    unsigned char *bytes; ///< with room for all that is appended
    size_t size;          ///< a multiple of 8 counts for the hash
    uint64_t hash;        ///< once gcl_key_close has been called
};

void gcl_key_append(struct gcl_key *key, const void *bytes, size_t size);
void gcl_key_close(struct gcl_key *key);
bool gcl_key_equal(const struct gcl_key *a, const struct gcl_key *b);
/// `copy` gets bytes of its own, to be freed; without memory it has none. False: no memory.
bool gcl_key_copy(const struct gcl_key *key, struct gcl_key *copy);

/// The nodes of a program that name arguments.
struct gcl_key_arguments {
    uint16_t *nodes;
    size_t count;
};
/// `program` NULL: none. False: no memory. Otherwise the nodes are to be freed.
bool gcl_key_arguments_init(struct gcl_key_arguments *arguments, const struct gcl_program *program);
/// Appends their values, 8 bytes each, from a launch's `bytes`.
void gcl_key_append_arguments(struct gcl_key *key, const struct gcl_key_arguments *arguments,
                              const struct gcl_program *program, const unsigned char *bytes);

#endif
