#include "graph/user_object.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

struct gcl_user_object *gcl_user_object_create(void *object, gclHostFn_t destroy, uint64_t count) {
    struct gcl_user_object *created = malloc(sizeof *created);
    if (created)
        *created =
            (struct gcl_user_object){.references = count, .destroy = destroy, .object = object};
    return created;
}

void gcl_user_object_retain(struct gcl_user_object *object, uint64_t count) {
    atomic_fetch_add(&object->references, count);
}

bool gcl_user_object_release(struct gcl_user_object *object, uint64_t count) {
    uint64_t references = atomic_load(&object->references);
    do {
        if (references < count)
            return false;
    } while (!atomic_compare_exchange_weak(&object->references, &references, references - count));
    if (references == count) {
        object->destroy(object->object);
        free(object);
    }
    return true;
}

bool gcl_graph_uses_add(struct gcl_graph_use **uses, struct gcl_user_object *object,
                        uint64_t count) {
    struct gcl_graph_use *use = *uses;
    while (use && use->object != object)
        use = use->next;
    if (use) {
        use->count += count;
        return true;
    }
    use = malloc(sizeof *use);
    if (!use)
        return false;
    *use = (struct gcl_graph_use){.object = object, .count = count, .next = *uses};
    *uses = use;
    return true;
}

bool gcl_graph_uses_remove(struct gcl_graph_use **uses, struct gcl_user_object *object,
                           uint64_t count) {
    while (*uses && (*uses)->object != object)
        uses = &(*uses)->next;
    struct gcl_graph_use *use = *uses;
    if (!use || use->count < count)
        return false;
    use->count -= count;
    if (use->count == 0) {
        *uses = use->next;
        free(use);
    }
    return gcl_user_object_release(object, count);
}

bool gcl_graph_uses_copy(struct gcl_graph_use **to, const struct gcl_graph_use *from) {
    for (; from; from = from->next) {
        if (!gcl_graph_uses_add(to, from->object, 1))
            return false;
        gcl_user_object_retain(from->object, 1);
    }
    return true;
}

void gcl_graph_uses_finish(struct gcl_graph_use **uses) {
    while (*uses) {
        struct gcl_graph_use *use = *uses;
        *uses = use->next;
        gcl_user_object_release(use->object, use->count);
        free(use);
    }
}
