#include "lease.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static enum gcl_lease_state state_of(uint32_t word) {
    return (enum gcl_lease_state)(word % GCL_LEASE_STATES);
}

static uint32_t threads_of(uint32_t word) {
    return word / GCL_LEASE_STATES;
}

static uint32_t word_of(enum gcl_lease_state state, uint32_t threads) {
    return (uint32_t)state + threads * GCL_LEASE_STATES;
}

/// `ms`: after so long at the latest; 0: however long it takes. False: so long.
static bool await_change(struct gcl_lease *lease, uint32_t word, long ms) {
    const struct timespec most = {.tv_nsec = ms * 1000000};
    return syscall(SYS_futex, &lease->word, FUTEX_WAIT, word, ms ? &most : NULL, NULL, 0) == 0 ||
           errno != ETIMEDOUT;
}

static void wake_all(struct gcl_lease *lease) {
    syscall(SYS_futex, &lease->word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void ring(const struct gcl_lease_end *end) {
    uint64_t once = 1;
    ssize_t written = write(end->bell, &once, sizeof once);
    (void)written; // a bell that is full has been rung
}

bool gcl_lease_enter(const struct gcl_lease_end *end) {
    struct gcl_lease *lease = end->lease;
    uint32_t word = atomic_load_explicit(&lease->word, memory_order_relaxed);
    for (;;) {
        switch (state_of(word)) {
        case GCL_LEASE_HELD:
        case GCL_LEASE_CONTESTED:
            if (atomic_compare_exchange_weak(&lease->word, &word, word + GCL_LEASE_STATES))
                return true;
            continue;
        case GCL_LEASE_NONE:
            if (atomic_compare_exchange_weak(&lease->word, &word, word_of(GCL_LEASE_WANTED, 0)))
                ring(end);
            break;
        case GCL_LEASE_WANTED:
            await_change(lease, word, 0);
            break;
        case GCL_LEASE_RECALLED:
            // Threads that compute may wait for this one. Other clients have gone on meanwhile.
            if (!await_change(lease, word, GCL_LEASE_GRACE_MS) &&
                atomic_compare_exchange_strong(&lease->word, &word, word + GCL_LEASE_STATES))
                return true;
            break;
        case GCL_LEASE_GONE:
        default:
            return false;
        }
        word = atomic_load_explicit(&lease->word, memory_order_relaxed);
    }
}

void gcl_lease_leave(const struct gcl_lease_end *end, uint64_t busy_ns) {
    struct gcl_lease *lease = end->lease;
    uint32_t word = atomic_load_explicit(&lease->word, memory_order_relaxed), next;
    atomic_fetch_add_explicit(&lease->busy_ns, busy_ns, memory_order_relaxed);
    bool is_back;
    do {
        assert(threads_of(word) > 0);
        bool is_asked_back =
            state_of(word) == GCL_LEASE_CONTESTED || state_of(word) == GCL_LEASE_RECALLED;
        is_back = is_asked_back && threads_of(word) == 1;
        next = is_back ? word_of(GCL_LEASE_NONE, 0) : word - GCL_LEASE_STATES;
    } while (!atomic_compare_exchange_weak(&lease->word, &word, next));
    if (!is_back)
        return;
    ring(end);
    wake_all(lease); // threads that came meanwhile
}

bool gcl_lease_is_recalled(const struct gcl_lease_end *end) {
    uint32_t word = atomic_load_explicit(&end->lease->word, memory_order_relaxed);
    return state_of(word) == GCL_LEASE_RECALLED;
}

void gcl_lease_close(const struct gcl_lease_end *end) {
    struct gcl_lease *lease = end->lease;
    uint32_t word = atomic_load(&lease->word);
    while (!atomic_compare_exchange_weak(&lease->word, &word,
                                         word_of(GCL_LEASE_GONE, threads_of(word))))
        ;
    wake_all(lease);
}

// The agent's side. A client that doesn't keep to the rules may change the word at any time:
// nothing here is tried again because of that.

bool gcl_lease_is_wanted(const struct gcl_lease *lease) {
    return state_of(atomic_load(&lease->word)) == GCL_LEASE_WANTED;
}

void gcl_lease_grant(struct gcl_lease *lease) {
    uint32_t word = word_of(GCL_LEASE_WANTED, 0);
    atomic_compare_exchange_strong(&lease->word, &word, word_of(GCL_LEASE_HELD, 0));
    wake_all(lease);
}

/// Takes back a lease that the client holds, or puts it into another state while threads compute.
static bool ask_back(struct gcl_lease *lease, enum gcl_lease_state state) {
    enum { MOST_THREADS_PASSING = 64 };
    uint32_t word = atomic_load(&lease->word);
    for (unsigned i = 0; i < MOST_THREADS_PASSING; i++) {
        if (state_of(word) != GCL_LEASE_HELD && state_of(word) != GCL_LEASE_CONTESTED)
            break;
        enum gcl_lease_state next = threads_of(word) ? state : GCL_LEASE_NONE;
        if (atomic_compare_exchange_strong(&lease->word, &word, word_of(next, threads_of(word))))
            return next == GCL_LEASE_NONE;
    }
    return gcl_lease_is_back(lease);
}

bool gcl_lease_contest(struct gcl_lease *lease) {
    return ask_back(lease, GCL_LEASE_CONTESTED);
}

bool gcl_lease_recall(struct gcl_lease *lease) {
    return ask_back(lease, GCL_LEASE_RECALLED);
}

bool gcl_lease_is_back(struct gcl_lease *lease) {
    enum gcl_lease_state state = state_of(atomic_load(&lease->word));
    return state == GCL_LEASE_NONE || state == GCL_LEASE_WANTED;
}
