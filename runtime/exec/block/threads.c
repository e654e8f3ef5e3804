// Where a thread waits, its stack has what it goes on with: the registers that a function keeps,
// and where it returns to. Stacks lie in the block's frame, one a thread, and grow down to a word
// that shows whether one has grown too far. Debuggers find a waiting thread by the `struct waiting`
// at the upper end of its stack (gcluster_blocks.py, in gdb and lldb, reads it).
#include "exec/block/threads.h"

#include <stdbool.h>
#include <stddef.h>

#include "exec/block/block.h"
#include "exec/block/debugger.h"
#include "gcluster/kernel.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHECKS_ADDRESSES 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(CHECKS_ADDRESSES)
#include <sanitizer/common_interface_defs.h>
#define START_SWITCH(fake, bottom, size) __sanitizer_start_switch_fiber(fake, bottom, size)
#define FINISH_SWITCH(fake, bottom, size) __sanitizer_finish_switch_fiber(fake, bottom, size)
#else
#define START_SWITCH(fake, bottom, size) ((void)(fake), (void)(bottom), (void)(size))
#define FINISH_SWITCH(fake, bottom, size) ((void)(fake), (void)(bottom), (void)(size))
#endif

/// At the lower end of each stack.
#define MARK UINT64_C(0x67636c7374616b65)

/// What is known of a thread while it waits, at the upper end of its stack.
struct waiting {
    void *stack_pointer; ///< below it the registers that switch_stacks restores
    void *fake;          ///< AddressSanitizer's
};

/// Saves what a function keeps on the stack, and the stack pointer in `*from`; restores it from
/// `to`, and returns there.
void switch_stacks(void **from, void *to);
/// Where a new thread begins: calls the function in %rbx.
void begin_stack(void);
__asm__(".pushsection .text\n"
        ".type switch_stacks, @function\n"
        "switch_stacks:\n"
        ".cfi_startproc\n"
        "push %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %rbp, 0\n"
        "push %rbx\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %rbx, 0\n"
        "push %r12\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %r12, 0\n"
        "push %r13\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %r13, 0\n"
        "push %r14\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %r14, 0\n"
        "push %r15\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %r15, 0\n"
        "mov %rsp, (%rdi)\n"
        "mov %rsi, %rsp\n"
        "pop %r15\n.cfi_adjust_cfa_offset -8\n.cfi_restore %r15\n"
        "pop %r14\n.cfi_adjust_cfa_offset -8\n.cfi_restore %r14\n"
        "pop %r13\n.cfi_adjust_cfa_offset -8\n.cfi_restore %r13\n"
        "pop %r12\n.cfi_adjust_cfa_offset -8\n.cfi_restore %r12\n"
        "pop %rbx\n.cfi_adjust_cfa_offset -8\n.cfi_restore %rbx\n"
        "pop %rbp\n.cfi_adjust_cfa_offset -8\n.cfi_restore %rbp\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size switch_stacks, .-switch_stacks\n"
        ".type begin_stack, @function\n"
        "begin_stack:\n"
        ".cfi_startproc\n"
        ".cfi_undefined %rip\n"
        "call *%rbx\n"
        "ud2\n"
        ".cfi_endproc\n"
        ".size begin_stack, .-begin_stack\n"
        ".popsection\n");

/// The worker that runs threads of a block.
struct worker {
    struct waiting own;    ///< its own stack, while a thread is on another one
    struct waiting *other; ///< the running thread; NULL: it is on the worker's stack
    gcl_thread *start;
    unsigned char *stack; ///< the running thread's
    const void *bottom;   ///< of the worker's stack, for AddressSanitizer
    size_t room;
    uint32_t next; ///< where the thread that has just run goes on
    bool leaves;   ///< it has ended its block
};

static _Thread_local struct worker worker;

static struct gcl_block *running_block(void) {
    return (struct gcl_block *)gcl_block_current(); // the worker's own, which it may change
}

// Goes back to the worker, until it comes back. A thread that doesn't wait has ended.
static void hand_over(bool waits) {
    struct waiting *self = worker.other;
    START_SWITCH(waits ? &self->fake : NULL, worker.bottom, worker.room);
    switch_stacks(&self->stack_pointer, worker.own.stack_pointer);
    FINISH_SWITCH(self->fake, &worker.bottom, &worker.room);
}

static void begin(void) {
    FINISH_SWITCH(NULL, &worker.bottom, &worker.room);
    worker.start(running_block());
    worker.next = GCL_EXIT;
    hand_over(false);
}

// What switch_stacks restores of a thread that hasn't begun.
static void lay_out(struct waiting *thread) {
    void **top = (void **)thread;
    *--top = (void *)begin_stack;
    *--top = NULL;          // %rbp
    *--top = (void *)begin; // %rbx
    for (int i = 0; i < 4; i++)
        *--top = NULL;
    thread->stack_pointer = top;
    thread->fake = NULL;
    *(uint64_t *)(void *)worker.stack = MARK;
}

static uint32_t run_on_stack(struct gcl_block *block, uint32_t t, gcl_thread *start,
                             uint32_t size) {
    worker.stack = block->frame + (size_t)size * t;
    worker.start = start;
    worker.other = (struct waiting *)(void *)(worker.stack + size) - 1;
    if (start)
        lay_out(worker.other);
    START_SWITCH(&worker.own.fake, worker.stack, size);
    switch_stacks(&worker.own.stack_pointer, worker.other->stack_pointer);
    FINISH_SWITCH(worker.own.fake, NULL, NULL);
    worker.other = NULL;
    if (worker.leaves) {
        worker.leaves = false;
        gcl_block_leave();
    }
    if (*(const uint64_t *)(const void *)worker.stack != MARK)
        gcl_block_abort(GCL_FAULT_ADDRESS, "stack overflow in device code");
    return worker.next;
}

uint32_t gcl_threads_run(struct gcl_block *block, uint32_t begin, uint32_t end, uint32_t here,
                         gcl_thread *start, uint32_t stack) {
    uint32_t common = GCL_DIVERGED;
    bool is_first = true;
    gcl_debugger_enter(stack);
    for (uint32_t t = begin; start && t < end; t++)
        block->next[t] = 0; // where debuggers see it stand until it begins
    for (uint32_t t = begin; t < end; t++) {
        if (here != GCL_ANYWHERE && block->next[t] != here)
            continue;
        block->thread = t;
        block->running = t + GCL_RUNNING_COUNT;
        uint32_t next = GCL_EXIT;
        if (stack > 0)
            next = run_on_stack(block, t, start, stack);
        else
            start(block);
        block->next[t] = next;
        common = is_first || next == common ? next : GCL_DIVERGED;
        is_first = false;
    }
    return common;
}

uint64_t gcl_thread_wait(uint32_t next, uint32_t mask, uint64_t value, uint32_t lane) {
    struct gcl_block *block = running_block();
    uint32_t t = block->thread;
    block->mask[t] = mask;
    block->value[t] = value;
    block->lane[t] = lane;
    worker.next = next;
    hand_over(next != GCL_EXIT);
    return running_block()->value[t];
}

void gcl_threads_leave(void) {
    if (!worker.other)
        return;
    worker.leaves = true;
    hand_over(false);
}
