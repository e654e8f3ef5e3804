// Control: branches, calls, ends. A step that changes where lanes are returns NULL when the group
// that runs has to be chosen again.
#include "lanes.h"

/// A label: where the scheduler may change groups, or end the warp's turn.
const struct ptx_op *ptx_step_join(struct ptx_warp *warp, const struct ptx_op *op) {
    if (warp->group_count == 1 && warp->left > 0)
        return op + 1;
    warp->group->at = op + 1;
    return NULL;
}

const struct ptx_op *ptx_step_branch(struct ptx_warp *warp, const struct ptx_op *op) {
    const struct ptx_op *target = op->extra;
    if (warp->mask == warp->group->mask)
        return target;
    ptx_group_split(warp, warp->mask, target);
    warp->group->at = op + 1;
    while (warp->group->at->run == ptx_step_join)
        warp->group->at++;
    return NULL;
}

const struct ptx_op *ptx_step_branch_indexed(struct ptx_warp *warp, const struct ptx_op *op) {
    const struct ptx_targets *targets = op->extra;
    const uint32_t *index = (const uint32_t *)(const void *)ptx_at(warp, op->s[0]);
    ptx_group_isolate(warp, op);
    for (uint32_t left = warp->mask; left;) {
        uint32_t some = index[__builtin_ctz(left)], part = 0;
        if (some >= targets->count) {
            ptx_fault(warp, op, __builtin_ctz(left), PTX_INVALID_PC, "brx.idx to target %u of %zu",
                      some, targets->count);
            return NULL;
        }
        for (uint32_t l = 0; l < PTX_LANES; l++)
            part |= (uint32_t)(left >> l & 1 && index[l] == some) << l;
        left &= ~part;
        if (left)
            ptx_group_split(warp, part, targets->ops[some]);
        else
            warp->group->at = targets->ops[some];
    }
    return NULL;
}

/// Copies the bytes of variables in the local memory of one frame to those of another one.
static void copy_locals(struct ptx_warp *warp, const struct ptx_place *const *to, uint64_t to_base,
                        const struct ptx_place *const *from, uint64_t from_base, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (uint32_t left = warp->mask; left; left &= left - 1) {
            unsigned char *local = warp->local + (uint64_t)__builtin_ctz(left) * warp->local_size;
            memcpy(local + to_base + to[i]->offset, local + from_base + from[i]->offset,
                   to[i]->size);
        }
}

/// Whether the call passes what the function takes; calls by address are not checked before.
static bool fits(const struct ptx_call *call, const struct ptx_code *code) {
    if (call->argument_count != code->formal_count || call->result_count > code->result_count)
        return false;
    for (size_t i = 0; i < call->argument_count; i++)
        if (call->arguments[i]->size != code->formals[i]->size)
            return false;
    for (size_t i = 0; i < call->result_count; i++)
        if (call->results[i]->size != code->results[i]->size)
            return false;
    return true;
}

/// The group's lanes begin the function.
static const struct ptx_op *enter(struct ptx_warp *warp, const struct ptx_op *op,
                                  const struct ptx_code *code) {
    const struct ptx_call *call = op->extra;
    struct ptx_frame *caller = warp->group->frame;
    if (!code->is_defined || !fits(call, code)) {
        ptx_fault(warp, op, -1, PTX_INVALID_PC,
                  "call of %s, which is not defined or has other parameters", code->facts.name);
        return NULL;
    }
    struct ptx_frame *frame = ptx_frame_create(warp, code, caller, op);
    if (!frame)
        return NULL;
    copy_locals(warp, (const struct ptx_place *const *)code->formals, frame->local, call->arguments,
                caller->local, call->argument_count);
    warp->group->frame = frame;
    warp->group->at = code->ops;
    return NULL;
}

/// A call by address: the lanes that call the same function as the first one.
static const struct ptx_op *enter_indirectly(struct ptx_warp *warp, const struct ptx_op *op) {
    const uint64_t *address = (const uint64_t *)(const void *)ptx_at(warp, op->s[0]);
    const struct ptx_module *module = warp->group->frame->code->facts.module;
    uint64_t some = address[__builtin_ctz(warp->mask)];
    uint64_t number = (some - PTX_CODE_WINDOW) / 16 - 1;
    if (some < PTX_CODE_WINDOW + 16 || some % 16 || number >= module->code_count ||
        module->codes[number]->is_entry) {
        ptx_fault(warp, op, -1, PTX_INVALID_PC, "call of 0x%llx, which is no function",
                  (unsigned long long)some);
        return NULL;
    }
    uint32_t others = 0;
    for (uint32_t l = 0; l < PTX_LANES; l++)
        others |= (uint32_t)(warp->mask >> l & 1 && address[l] != some) << l;
    if (others) {
        ptx_group_split(warp, others, op);
        warp->mask &= ~others;
    }
    return enter(warp, op, module->codes[number]);
}

const struct ptx_op *ptx_step_call(struct ptx_warp *warp, const struct ptx_op *op) {
    const struct ptx_call *call = op->extra;
    ptx_group_isolate(warp, op);
    return call->code ? enter(warp, op, call->code) : enter_indirectly(warp, op);
}

const struct ptx_op *ptx_step_exit(struct ptx_warp *warp, const struct ptx_op *op) {
    warp->group->at = op + 1;
    ptx_group_exit(warp);
    return NULL;
}

const struct ptx_op *ptx_step_return(struct ptx_warp *warp, const struct ptx_op *op) {
    struct ptx_group *group = warp->group;
    struct ptx_frame *frame = group->frame, *caller = frame->parent;
    if (!caller)
        return ptx_step_exit(warp, op);
    ptx_group_isolate(warp, op);
    const struct ptx_call *call = frame->call->extra;
    copy_locals(warp, call->results, caller->local,
                (const struct ptx_place *const *)frame->code->results, frame->local,
                call->result_count);
    group->frame = caller;
    group->at = frame->call + 1;
    while (group->at->run == ptx_step_join)
        group->at++;
    ptx_frame_leave(warp->block->run, frame, warp->mask);
    return NULL;
}

const struct ptx_op *ptx_step_trap(struct ptx_warp *warp, const struct ptx_op *op) {
    ptx_fault(warp, op, -1, PTX_TRAP, "trap");
    return NULL;
}

const struct ptx_op *ptx_step_breakpoint(struct ptx_warp *warp, const struct ptx_op *op) {
    ptx_fault(warp, op, -1, PTX_TRAP, "breakpoint");
    return NULL;
}

/// nanosleep: others have their turn first.
const struct ptx_op *ptx_step_yield(struct ptx_warp *warp, const struct ptx_op *op) {
    if (warp->mask == warp->group->mask)
        warp->group->round++;
    warp->left = 0;
    return op + 1;
}
