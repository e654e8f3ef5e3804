// Objects of the program's, counted: each goes when nobody refers to it any more, graphs included.
#ifndef GCL_GRAPH_USER_OBJECT_H
#define GCL_GRAPH_USER_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "gcluster.h"

struct gcl_user_object {
    _Atomic uint64_t references;
    gclHostFn_t destroy;
    void *object;
};

/// References that a graph has to an object.
struct gcl_graph_use {
    struct gcl_user_object *object;
    uint64_t count;
    struct gcl_graph_use *next;
};

/// NULL: no memory.
struct gcl_user_object *gcl_user_object_create(void *object, gclHostFn_t destroy, uint64_t count);
void gcl_user_object_retain(struct gcl_user_object *object, uint64_t count);
/// With the last reference the object goes. False: there aren't so many.
bool gcl_user_object_release(struct gcl_user_object *object, uint64_t count);

/// Notes references that are the graph's from here on. False: no memory.
bool gcl_graph_uses_add(struct gcl_graph_use **uses, struct gcl_user_object *object,
                        uint64_t count);
/// Gives references back. False: there aren't so many.
bool gcl_graph_uses_remove(struct gcl_graph_use **uses, struct gcl_user_object *object,
                           uint64_t count);
/// One reference for each object. False: no memory; what was copied is to be finished.
bool gcl_graph_uses_copy(struct gcl_graph_use **to, const struct gcl_graph_use *from);
void gcl_graph_uses_finish(struct gcl_graph_use **uses);

#endif
