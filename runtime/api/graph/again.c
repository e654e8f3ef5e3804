// Sets of elements of more than one byte that aren't all the same byte are copies of a pattern that
// is made for them: devices set bytes only.
#include "api/graph/again.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/copy.h"
#include "api/launch.h"

static gclError_t copy_again(struct gcl_stream *stream, const struct gcl_copy_work *copy) {
    struct gcl_copy_request request = {.box = copy->box,
                                       .kind = copy->kind,
                                       .stream = (gclStream_t)stream,
                                       .is_async = true,
                                       .is_again = true,
                                       .is_array_target = copy->is_array_target,
                                       .is_array_source = copy->is_array_source};
    return gcl_copy(&request);
}

static struct gcl_copy_request set_request(const struct gclMemsetParams *set) {
    size_t width = set->width * set->elementSize;
    size_t pitch = set->height > 1 ? set->pitch : width;
    return (struct gcl_copy_request){.box = {.target = set->dst,
                                             .target_pitch = pitch,
                                             .target_slice = pitch * set->height,
                                             .width = width,
                                             .height = set->height,
                                             .depth = 1,
                                             .value = (unsigned char)set->value},
                                     .kind = gclMemcpyDefault,
                                     .is_async = true,
                                     .is_again = true};
}

/// Whether an element consists of the same byte over and over.
static bool is_of_one_byte(const struct gclMemsetParams *set) {
    unsigned byte = set->value & 0xff;
    return set->elementSize == 1 ||
           (set->elementSize == 2 && (set->value & 0xffff) == byte * 0x101u) ||
           (set->elementSize == 4 && set->value == byte * 0x01010101u);
}

/// Puts the pattern into memory that the copy frees. False: no memory.
static bool lay_pattern(struct gcl_box_copy *box, const struct gclMemsetParams *set) {
    unsigned char *pattern = malloc(box->width * box->height);
    if (!pattern)
        return false;
    for (size_t at = 0; at < box->width * box->height; at += set->elementSize)
        memcpy(pattern + at, &set->value, set->elementSize);
    box->source = box->staging = pattern;
    box->source_pitch = box->width;
    box->source_slice = box->width * box->height;
    return true;
}

gclError_t gcl_set_check(struct gcl_runtime *runtime, const struct gclMemsetParams *set) {
    if (set->elementSize != 1 && set->elementSize != 2 && set->elementSize != 4)
        return gclErrorInvalidValue;
    size_t width;
    if (__builtin_mul_overflow(set->width, set->elementSize, &width) ||
        (set->height > 1 && set->pitch < width) || (uintptr_t)set->dst % set->elementSize != 0)
        return gclErrorInvalidValue;
    struct gcl_copy_request request = set_request(set);
    return gcl_copy_check(runtime, &request);
}

static gclError_t set_again(struct gcl_runtime *runtime, struct gcl_stream *stream,
                            const struct gclMemsetParams *set) {
    struct gcl_copy_request request = set_request(set);
    request.stream = (gclStream_t)stream;
    if (!is_of_one_byte(set) && request.box.width > 0 && request.box.height > 0) {
        gclError_t error = gcl_copy_check(runtime, &request); // from here on the copy goes
        if (error)
            return error;
        if (!lay_pattern(&request.box, set))
            return gclErrorMemoryAllocation;
    }
    return gcl_copy(&request);
}

gclError_t gcl_work_of_node_do(struct gcl_runtime *runtime, struct gcl_stream *stream,
                               const struct gcl_work_of_node *work) {
    gclStream_t handle = (gclStream_t)stream;
    switch (work->type) {
    case gclGraphNodeTypeKernel:
        return gcl_launch_again(runtime, stream, &work->kernel);
    case gclGraphNodeTypeMemcpy:
        return copy_again(stream, &work->copy);
    case gclGraphNodeTypeMemset:
        return set_again(runtime, stream, &work->set);
    case gclGraphNodeTypeHost:
        return gclLaunchHostFunc(handle, work->host.fn, work->host.userData);
    case gclGraphNodeTypeEventRecord:
        return gclEventRecord(work->event, handle);
    case gclGraphNodeTypeWaitEvent:
        return gclStreamWaitEvent(handle, work->event, 0);
    default:
        return gclSuccess; // keeps order, or was done with the graph
    }
}
