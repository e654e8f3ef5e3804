// Code for the CPU needs no test before each division so. Source: Intel 64 and IA-32 Architectures
// Software Developer's Manual, volume 2, DIV, IDIV (F6 /6, F6 /7, F7 /6, F7 /7) and 2.1, the
// instruction format.
#include "exec/block/quotient.h"

#include <stdint.h>
#include <string.h>

enum { REX = 0x40, REX_W = 8, REX_X = 2, REX_B = 1, OPERAND_SIZE = 0x66, MOST_PREFIXES = 4 };

// A division instruction.
struct division {
    const uint8_t *next; // the first byte that hasn't been read
    unsigned size;       // of the operands, in bytes
    uint8_t rex;         // 0: none
    uint64_t divisor;
};

static greg_t *register_of(ucontext_t *context, unsigned number) {
    static const int order[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                REG_R12, REG_R13, REG_R14, REG_R15};
    return &context->uc_mcontext.gregs[order[number]];
}

static uint64_t value_of(ucontext_t *context, unsigned number) {
    return (uint64_t)*register_of(context, number);
}

// Prefixes and the operation; false if that isn't a division.
static bool read_operation(struct division *d) {
    d->size = 4;
    for (int i = 0; i < MOST_PREFIXES && *d->next == OPERAND_SIZE; i++, d->next++)
        d->size = 2;
    if ((*d->next & 0xf0) == REX)
        d->rex = *d->next++;
    if (d->rex & REX_W)
        d->size = 8;
    uint8_t operation = *d->next++, kind = (*d->next >> 3) & 7;
    if (operation == 0xf6)
        d->size = 1;
    return (operation == 0xf6 || operation == 0xf7) && kind >= 6;
}

static int64_t read_displacement(struct division *d, unsigned size) {
    int8_t small = 0;
    int32_t large = 0;
    memcpy(&small, d->next, 1);
    if (size == 4)
        memcpy(&large, d->next, 4);
    d->next += size;
    return size == 0 ? 0 : size == 1 ? small : large;
}

// The address of an operand in memory, by the byte that says how it is formed.
static uint64_t read_address(struct division *d, ucontext_t *context, uint8_t form) {
    unsigned mode = form >> 6, base = form & 7, size = mode == 1 ? 1 : mode == 2 ? 4 : 0;
    uint64_t address = 0;
    bool is_bare = mode == 0 && base == 5; // relative to the next instruction
    if (base == 4) {
        uint8_t scaled = *d->next++;
        unsigned index = ((scaled >> 3) & 7) | (d->rex & REX_X ? 8 : 0);
        base = scaled & 7;
        if (index != 4)
            address = value_of(context, index) << (scaled >> 6);
        if (mode == 0 && base == 5)
            size = 4;
        else
            address += value_of(context, base | (d->rex & REX_B ? 8 : 0));
    } else if (!is_bare) {
        address = value_of(context, base | (d->rex & REX_B ? 8 : 0));
    }
    address += (uint64_t)read_displacement(d, is_bare ? 4 : size);
    return is_bare ? address + (uint64_t)(uintptr_t)d->next : address;
}

static void read_divisor(struct division *d, ucontext_t *context) {
    uint8_t form = *d->next++;
    unsigned number = (form & 7) | (d->rex & REX_B ? 8 : 0);
    if (form >> 6 != 3) {
        const void *operand = (const void *)(uintptr_t)read_address(d, context, form);
        memcpy(&d->divisor, operand, d->size);
    } else if (d->size == 1 && !d->rex && number >= 4) { // ah, ch, dh, bh
        d->divisor = value_of(context, number - 4) >> 8;
    } else {
        d->divisor = value_of(context, number);
    }
    if (d->size < 8)
        d->divisor &= (UINT64_C(1) << 8 * d->size) - 1;
}

// As instructions write registers: one of 4 bytes clears the rest, smaller ones leave it.
static void set(greg_t *to, uint64_t value, unsigned size) {
    uint64_t mask = size == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1;
    uint64_t kept = size < 4 ? (uint64_t)*to & ~mask : 0;
    *to = (greg_t)(kept | (value & mask));
}

bool gcl_quotient_mend(ucontext_t *context) {
    greg_t *rip = &context->uc_mcontext.gregs[REG_RIP];
    struct division d = {.next = (const uint8_t *)(uintptr_t)*rip};
    if (!read_operation(&d))
        return false;
    read_divisor(&d, context);
    greg_t *quotient = register_of(context, 0), *rest = register_of(context, 2);
    uint64_t results = d.divisor == 0 ? UINT64_MAX : 0;
    if (d.size == 1) { // al and ah
        set(quotient, d.divisor == 0 ? results : (uint64_t)*quotient & 0xff, 2);
    } else {
        set(quotient, d.divisor == 0 ? results : (uint64_t)*quotient, d.size);
        set(rest, results, d.size);
    }
    *rip = (greg_t)(uintptr_t)d.next;
    return true;
}
