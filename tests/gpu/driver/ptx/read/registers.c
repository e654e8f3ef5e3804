// Places of registers in the frame.
#include "reader.h"

static uint32_t place_of(const struct ptx_reader *reader, uint32_t operand) {
    return operand & PTX_POOL ? operand : reader->registers[operand >> 1].place;
}

void ptx_place_registers(struct ptx_reader *reader) {
    size_t size = 0;
    for (size_t i = 0; i < reader->register_count; i++) {
        reader->registers[i].place = (uint32_t)size;
        size += reader->registers[i].size ? (size_t)reader->registers[i].size * PTX_LANES : 64;
    }
    reader->code->frame_size = size;
    for (size_t i = 0; i < reader->op_count; i++) {
        struct ptx_op *op = &reader->ops[i];
        for (unsigned k = 0; k < op->d_count; k++)
            op->d[k] = place_of(reader, op->d[k]);
        for (unsigned k = 0; k < op->s_count; k++)
            op->s[k] = place_of(reader, op->s[k]);
        if (op->guard)
            op->guard = reader->registers[op->guard >> 2].place | (op->guard & 3);
    }
}
