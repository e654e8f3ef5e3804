// Objects of the program's that graphs keep.
#include "api/graph/graph_api.h"
#include "graph/user_object.h"

static struct gcl_user_object *object_of(gclUserObject_t handle) {
    return (struct gcl_user_object *)handle;
}

GCL_API(UserObjectCreate, (gclUserObject_t * object, void *pointer, gclHostFn_t destroy,
                           unsigned int count, unsigned int flags)) {
    if (!object || !destroy || count == 0 || flags != gclUserObjectNoDestructorSync)
        return gcl_api_leave(gclErrorInvalidValue);
    struct gcl_user_object *created = gcl_user_object_create(pointer, destroy, count);
    if (!created)
        return gcl_api_leave(gclErrorMemoryAllocation);
    *object = (gclUserObject_t)created;
    return gclSuccess;
}

GCL_API(UserObjectRetain, (gclUserObject_t object, unsigned int count)) {
    if (!object || count == 0)
        return gcl_api_leave(gclErrorInvalidValue);
    gcl_user_object_retain(object_of(object), count);
    return gclSuccess;
}

GCL_API(UserObjectRelease, (gclUserObject_t object, unsigned int count)) {
    if (!object || count == 0 || !gcl_user_object_release(object_of(object), count))
        return gcl_api_leave(gclErrorInvalidValue);
    return gclSuccess;
}

GCL_API(GraphRetainUserObject,
        (gclGraph_t graph, gclUserObject_t object, unsigned int count, unsigned int flags)) {
    if (!graph || !object || count == 0 || (flags & ~(unsigned)gclGraphUserObjectMove))
        return gcl_api_leave(gclErrorInvalidValue);
    if (!gcl_graph_uses_add(&gcl_graph_of(graph)->uses, object_of(object), count))
        return gcl_api_leave(gclErrorMemoryAllocation);
    if (!(flags & gclGraphUserObjectMove))
        gcl_user_object_retain(object_of(object), count);
    return gclSuccess;
}

GCL_API(GraphReleaseUserObject, (gclGraph_t graph, gclUserObject_t object, unsigned int count)) {
    if (!graph || !object || count == 0 ||
        !gcl_graph_uses_remove(&gcl_graph_of(graph)->uses, object_of(object), count))
        return gcl_api_leave(gclErrorInvalidValue);
    return gclSuccess;
}
