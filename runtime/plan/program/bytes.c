// Bytes as the image of a box (evaluate.h).
#include <assert.h>

#include "plan/program/evaluate.h"

void gcl_bytes_place(const struct gcl_form *offset, const struct gcl_box *box,
                     struct gcl_bytes *bytes) {
    assert(!offset->is_top);
    bytes->offset = offset->constant;
    bytes->dimensions = 0;
    for (unsigned v = 0; v < GCL_VARIABLES; v++) {
        int64_t stride = offset->factor[v], count = box->count[v];
        if (stride == 0 || count == 1)
            continue;
        if (stride < 0) {
            bytes->offset += stride * (count - 1);
            stride = -stride;
        }
        bytes->stride[bytes->dimensions] = stride;
        bytes->count[bytes->dimensions++] = count;
    }
}

unsigned gcl_bytes_data(const struct gcl_piece *piece) {
    unsigned data = 0;
    for (unsigned u = 0; u < piece->unknown_count; u++) {
        for (unsigned v = 0; v < GCL_VARIABLES; v++)
            data |= (piece->unknowns[u].form.factor[v] != 0 ? 1u : 0u) << v;
    }
    return data;
}

void gcl_bytes_count(const struct gcl_box *box, unsigned data, struct gcl_bytes *bytes) {
    bytes->accesses = 1;
    for (unsigned v = 0; v < GCL_VARIABLES; v++)
        bytes->accesses *= data >> v & 1 ? 1 : (double)box->count[v];
}
