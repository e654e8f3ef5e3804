// A block is left by gcl_block_abort_somewhere, a jump out of the handler. That is sound here: the
// signals are synchronous, raised by the kernel's own instruction, and none is blocked during the
// handler.
#include "exec/block/signals.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

#include "exec/block/block.h"
#include "exec/block/debugger.h"
#include "exec/block/quotient.h"
#include "exec/memory/absent.h"

enum { STACK_SIZE = 64 * 1024, NEAR_STACK = 64 * 1024 };

static const int handled[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { HANDLED_COUNT = sizeof handled / sizeof handled[0] };

static struct sigaction previous[HANDLED_COUNT];
static pthread_key_t stack_key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of `previous`, once it is filled
static _Thread_local bool is_guarded, is_own;
static _Thread_local uintptr_t stack_low, stack_high;

static struct sigaction *find_previous(int signal) {
    for (int i = 0; i < HANDLED_COUNT; i++) {
        if (handled[i] == signal)
            return &previous[i];
    }
    return NULL;
}

static void pass_on(int signal, siginfo_t *info, void *context) {
    const struct sigaction *action = find_previous(signal);

    if (action->sa_flags & SA_SIGINFO) {
        action->sa_sigaction(signal, info, context);
    } else if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
        action->sa_handler(signal);
    } else {
        // The instruction runs again and meets the default action.
        gcl_debugger_stop_at_signal();
        struct sigaction standard = {.sa_handler = SIG_DFL};
        sigaction(signal, &standard, NULL);
    }
}

// Of a page fault, by the processor's error code.
static bool is_write(const ucontext_t *context) {
    return (context->uc_mcontext.gregs[REG_ERR] & 2) != 0;
}

static void handle(int signal, siginfo_t *info, void *context) {
    uintptr_t address = (uintptr_t)info->si_addr;
    enum gcl_absent_answer absent =
        signal == SIGBUS ? gcl_absent_touch(address) : GCL_ABSENT_UNKNOWN;

    if (absent == GCL_ABSENT_CAME)
        return;
    if (!gcl_block_current()) {
        pass_on(signal, info, context);
        return;
    }
    if (signal == SIGSEGV && gcl_block_touch(address, is_write(context)))
        return;
    if (signal == SIGFPE && gcl_quotient_mend(context))
        return;
    pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)context)->uc_sigmask, NULL);
    if (absent == GCL_ABSENT_FAILED)
        gcl_block_abort_somewhere(GCL_FAULT_TRAP,
                                  "bytes at 0x%llx that another node has can't be had",
                                  (unsigned long long)address);
    if (signal == SIGFPE)
        gcl_block_abort_somewhere(GCL_FAULT_TRAP, "an arithmetic exception");
    if (signal == SIGILL)
        gcl_block_abort_somewhere(GCL_FAULT_TRAP, "illegal instruction");
    if (stack_low && address + NEAR_STACK >= stack_low && address < stack_low + NEAR_STACK)
        gcl_block_abort_somewhere(GCL_FAULT_ADDRESS, "stack overflow in device code");
    if (gcl_block_misses_shared(address))
        gcl_block_abort_somewhere(GCL_FAULT_ADDRESS, "access outside of the block's shared memory");
    gcl_block_abort_somewhere(GCL_FAULT_ADDRESS, "access to address 0x%llx outside any allocation",
                              (unsigned long long)address);
}

static void free_stack(void *memory) {
    stack_t stack = {.ss_flags = SS_DISABLE};
    sigaltstack(&stack, NULL);
    free(memory);
}

static void set_handler(int signal, struct sigaction *before) {
    struct sigaction action = {.sa_sigaction = handle,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, before);
}

static void install(void) {
    pthread_key_create(&stack_key, free_stack);
    for (int i = 0; i < HANDLED_COUNT; i++)
        set_handler(handled[i], &previous[i]);
}

/// Handles SIGBUS again, if the program has set a handler of its own.
static void keep_handler(void) {
    struct sigaction now;
    if (sigaction(SIGBUS, NULL, &now) != 0 || now.sa_sigaction == handle)
        return;
    pthread_mutex_lock(&lock);
    if (sigaction(SIGBUS, NULL, &now) == 0 && now.sa_sigaction != handle)
        set_handler(SIGBUS, find_previous(SIGBUS));
    pthread_mutex_unlock(&lock);
}

bool gcl_signals_begin_blocks(sigset_t *before) {
    sigset_t signals;
    if (!gcl_absent_is_open())
        return false;
    keep_handler();
    if (is_own)
        return false;
    sigemptyset(&signals);
    for (int i = 0; i < HANDLED_COUNT; i++)
        sigaddset(&signals, handled[i]);
    return pthread_sigmask(SIG_UNBLOCK, &signals, before) == 0;
}

void gcl_signals_end_blocks(const sigset_t *before) {
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

void gcl_signals_install(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

static void find_stack(void) {
    pthread_attr_t attributes;
    void *low;
    size_t size;

    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0)
        stack_low = (uintptr_t)low, stack_high = (uintptr_t)low + size;
    pthread_attr_destroy(&attributes);
}

bool gcl_signals_is_on_stack(const void *address) {
    return (uintptr_t)address >= stack_low && (uintptr_t)address < stack_high;
}

void gcl_signals_guard_thread(void) {
    stack_t current, stack = {.ss_size = STACK_SIZE};

    if (is_guarded)
        return;
    is_guarded = true;
    find_stack();
    // The program's own may be too small for what is done there.
    if (sigaltstack(NULL, &current) != 0 ||
        (!(current.ss_flags & SS_DISABLE) && current.ss_size >= STACK_SIZE))
        return;
    stack.ss_sp = malloc(STACK_SIZE);
    if (stack.ss_sp && pthread_setspecific(stack_key, stack.ss_sp) == 0)
        sigaltstack(&stack, NULL);
    else
        free(stack.ss_sp);
}

void gcl_signals_enter_thread(void) {
    sigset_t signals;

    sigfillset(&signals);
    for (int i = 0; i < HANDLED_COUNT; i++)
        sigdelset(&signals, handled[i]);
    pthread_sigmask(SIG_SETMASK, &signals, NULL);
    is_own = true;
    gcl_signals_guard_thread();
}
