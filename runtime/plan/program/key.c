// The hash is FNV-1a (Fowler, Noll, Vo) over words of eight bytes, stirred after each of them,
// since addresses and sizes differ in few bits. Keys with equal hashes are compared byte by byte.
#include "plan/program/key.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void gcl_key_append(struct gcl_key *key, const void *bytes, size_t size) {
    memcpy(key->bytes + key->size, bytes, size);
    key->size += size;
}

void gcl_key_close(struct gcl_key *key) {
    key->hash = 14695981039346656037u;
    for (size_t i = 0; i + 8 <= key->size; i += 8) {
        uint64_t word;
        memcpy(&word, key->bytes + i, sizeof word);
        key->hash = (key->hash ^ word) * 1099511628211u;
        key->hash ^= key->hash >> 32;
    }
}

bool gcl_key_equal(const struct gcl_key *a, const struct gcl_key *b) {
    return b->size > 0 && a->hash == b->hash && a->size == b->size &&
           memcmp(a->bytes, b->bytes, b->size) == 0;
}

bool gcl_key_copy(const struct gcl_key *key, struct gcl_key *copy) {
    *copy = (struct gcl_key){.bytes = malloc(key->size + 1), .hash = key->hash};
    if (!copy->bytes)
        return false;
    gcl_key_append(copy, key->bytes, key->size);
    return true;
}

bool gcl_key_arguments_init(struct gcl_key_arguments *arguments,
                            const struct gcl_program *program) {
    uint16_t count = program ? program->node_count : 0;
    *arguments = (struct gcl_key_arguments){.nodes = malloc((count + 1u) * sizeof(uint16_t))};
    for (uint16_t i = 0; arguments->nodes && i < count; i++) {
        if (program->nodes[i].kind == GCL_NODE_ARGUMENT)
            arguments->nodes[arguments->count++] = i;
    }
    return arguments->nodes != NULL;
}

void gcl_key_append_arguments(struct gcl_key *key, const struct gcl_key_arguments *arguments,
                              const struct gcl_program *program, const unsigned char *bytes) {
    assert(program || arguments->count == 0);
    for (size_t i = 0; i < arguments->count; i++) {
        const struct gcl_node *node = &program->nodes[arguments->nodes[i]];
        uint64_t value = 0;
        memcpy(&value, bytes + node->a, (node->width + 7u) / 8);
        gcl_key_append(key, &value, sizeof value);
    }
}
