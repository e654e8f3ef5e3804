// Wishes are numbered by who asks. Their numbers are tags, which begin again after some millions:
// few are under way at once. A thread of its own answers, since what hears of wishes, the cluster's
// thread, must not wait; and sends those of this node, since who has them is in a signal handler.
#include "exec/exchange/lender.h"

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "exec/exchange/movement.h"

struct wish {
    uint64_t address, size;
};

/// A node that may ask this one.
struct borrower {
    struct gcl_lender *lender;
    gcl_node node;
    bool is_heard;   ///< its next wish is expected, or being answered
    uint64_t wishes; ///< that it has had
    struct wish wish;
    struct gcl_request request; ///< for the next wish
    enum gcl_status status;     ///< with which that came
    struct borrower *next;      ///< whose wish has come
};

/// A wish of this node's, while a thread waits for its bytes.
struct question {
    struct wish wish;
    gcl_node from;
    struct gcl_request request; ///< for the bytes
    enum gcl_status status;
    sem_t is_answered;
    struct question *next;
};

struct gcl_lender {
    gcl_node self, count;
    struct gcl_communicator communicator;
    struct borrower *borrowers; ///< by node
    uint64_t *asked;            ///< wishes of this node, by the node that was asked; the thread's
    pthread_mutex_t lock;       ///< of what follows
    pthread_cond_t has_wish;
    bool has_thread;
    struct borrower *first, **last; ///< wishes that have come
    struct question *questions;     ///< that haven't been sent, the latest first
    struct gcl_plan **plans;        ///< that are under way, each held
    size_t plan_count;
};

struct gcl_lender *gcl_lender_create(gcl_node self, gcl_node count,
                                     const struct gcl_communicator *communicator) {
    struct gcl_lender *lender = calloc(1, sizeof *lender);
    if (!lender)
        return NULL;
    lender->borrowers = calloc(count, sizeof *lender->borrowers);
    lender->asked = calloc(count, sizeof *lender->asked);
    if (!lender->borrowers || !lender->asked) {
        free(lender->borrowers);
        free(lender->asked);
        free(lender);
        return NULL;
    }
    lender->self = self;
    lender->count = count;
    lender->communicator = *communicator;
    lender->last = &lender->first;
    for (gcl_node i = 0; i < count; i++)
        lender->borrowers[i] = (struct borrower){.lender = lender, .node = i};
    pthread_mutex_init(&lender->lock, NULL);
    pthread_cond_init(&lender->has_wish, NULL);
    return lender;
}

// Answers.

/// A wish has come, or can't come any more.
static void came(void *receiver, enum gcl_status status) {
    struct borrower *borrower = receiver;
    struct gcl_lender *lender = borrower->lender;
    pthread_mutex_lock(&lender->lock);
    borrower->status = status;
    borrower->next = NULL;
    *lender->last = borrower;
    lender->last = &borrower->next;
    pthread_mutex_unlock(&lender->lock);
    pthread_cond_signal(&lender->has_wish);
}

static void expect_next(struct borrower *borrower) {
    const struct gcl_communicator *communicator = &borrower->lender->communicator;
    borrower->request = (struct gcl_request){.peer = borrower->node,
                                             .tag = gcl_movement_tag_beside(0, borrower->wishes),
                                             .bytes = &borrower->wish,
                                             .size = sizeof borrower->wish};
    communicator->expect(communicator->context, &borrower->request, came, borrower);
}

/// Whether the borrower may have bytes by one of a plan's faults.
static bool lends(const struct gcl_lender *lender, const struct gcl_plan *plan,
                  const struct borrower *borrower) {
    const struct wish *wish = &borrower->wish;
    bool does = false;
    for (size_t i = 0; i < plan->fault_count && !does; i++) {
        const struct gcl_transfer *fault = &plan->faults[i];
        uint64_t begin = plan->allocations[fault->allocation].begin;
        uint64_t size = plan->allocations[fault->allocation].size;
        does = fault->from == lender->self && fault->to == borrower->node &&
               wish->address >= begin && wish->address - begin < size &&
               wish->size <= size - (wish->address - begin) &&
               gcl_region_contains_range(
                   &fault->bytes, (struct gcl_span){(int64_t)(wish->address - begin),
                                                    (int64_t)(wish->address - begin + wish->size)});
    }
    return does;
}

static bool is_lent(struct gcl_lender *lender, const struct borrower *borrower) {
    bool is = false;
    pthread_mutex_lock(&lender->lock);
    for (size_t i = 0; i < lender->plan_count && !is; i++)
        is = lends(lender, lender->plans[i], borrower);
    pthread_mutex_unlock(&lender->lock);
    return is && borrower->wish.size > 0;
}

/// A node that asks would wait for ever, unless the job ends anyway.
static void give_up(const struct gcl_lender *lender, enum gcl_status status) {
    const struct gcl_communicator *communicator = &lender->communicator;
    if (status != GCL_NODE_LOST)
        communicator->give_up(communicator->context,
                              "it has no memory to hear what pages others ask it for");
}

/// Answers the wish that a borrower has, and hears of its next one.
static void answer(struct gcl_lender *lender, struct borrower *borrower) {
    const struct gcl_communicator *communicator = &lender->communicator;
    char reason[96];
    if (borrower->status != GCL_OK) {
        give_up(lender, borrower->status);
        return;
    }
    if (!is_lent(lender, borrower)) {
        snprintf(reason, sizeof reason, "node %u asked it for memory that it hasn't been lent",
                 borrower->node);
        communicator->give_up(communicator->context, reason);
        return;
    }
    const struct gcl_request request = {.what = "pages",
                                        .peer = borrower->node,
                                        .is_sent = true,
                                        .tag = gcl_movement_tag_touched(borrower->wishes++),
                                        .bytes = (void *)(uintptr_t)borrower->wish.address,
                                        .size = borrower->wish.size};
    enum gcl_status status =
        communicator->exchange(communicator->context, (struct gcl_turn){0}, &request, 1);
    if (status == GCL_OK)
        expect_next(borrower);
    else
        give_up(lender, status);
}

// Questions.

static void answered(void *receiver, enum gcl_status status) {
    struct question *question = receiver;
    question->status = status;
    sem_post(&question->is_answered);
}

static void send_question(struct gcl_lender *lender, struct question *question) {
    const struct gcl_communicator *communicator = &lender->communicator;
    uint64_t number = lender->asked[question->from]++;
    const struct gcl_request sent = {.what = "pages",
                                     .peer = question->from,
                                     .is_sent = true,
                                     .tag = gcl_movement_tag_beside(0, number),
                                     .bytes = &question->wish,
                                     .size = sizeof question->wish};
    question->request.tag = gcl_movement_tag_touched(number);
    enum gcl_status status =
        communicator->exchange(communicator->context, (struct gcl_turn){0}, &sent, 1);
    if (status == GCL_OK)
        communicator->expect(communicator->context, &question->request, answered, question);
    else
        answered(question, status);
}

static void *run(void *argument) {
    struct gcl_lender *lender = argument;
    sigset_t signals;
    sigfillset(&signals);
    pthread_sigmask(SIG_SETMASK, &signals, NULL);
    pthread_setname_np(pthread_self(), "gcl-lender");
    for (;;) {
        pthread_mutex_lock(&lender->lock);
        while (!lender->first && !lender->questions)
            pthread_cond_wait(&lender->has_wish, &lender->lock);
        struct question *question = lender->questions;
        struct borrower *borrower = question ? NULL : lender->first;
        if (question)
            lender->questions = question->next;
        else
            lender->first = borrower->next;
        if (!lender->first)
            lender->last = &lender->first;
        pthread_mutex_unlock(&lender->lock);
        if (question)
            send_question(lender, question);
        else
            answer(lender, borrower);
    }
    return NULL;
}

// What is lent.

/// The lock is held.
static bool start_thread(struct gcl_lender *lender) {
    pthread_t thread;
    if (!lender->has_thread && pthread_create(&thread, NULL, run, lender) != 0)
        return false;
    if (!lender->has_thread)
        pthread_detach(thread);
    return lender->has_thread = true;
}

/// Adds a plan. The lock is held.
static bool append(struct gcl_lender *lender, struct gcl_plan *plan) {
    struct gcl_plan **grown =
        realloc(lender->plans, (lender->plan_count + 1) * sizeof(struct gcl_plan *));
    if (!grown)
        return false;
    lender->plans = grown;
    grown[lender->plan_count++] = gcl_plan_hold(plan);
    return true;
}

static bool is_far(const struct gcl_lender *lender, gcl_node node) {
    const struct gcl_communicator *communicator = &lender->communicator;
    return !communicator->is_near(communicator->context, node);
}

enum gcl_status gcl_lender_begin(struct gcl_lender *lender, struct gcl_plan *plan) {
    enum gcl_status status = GCL_OK;
    pthread_mutex_lock(&lender->lock);
    if (!append(lender, plan))
        status = GCL_NO_MEMORY;
    for (size_t i = 0; i < plan->fault_count && status == GCL_OK; i++) {
        const struct gcl_transfer *fault = &plan->faults[i];
        struct borrower *borrower = &lender->borrowers[fault->to];
        bool asks = fault->to == lender->self && is_far(lender, fault->from);
        bool lends = fault->from == lender->self && is_far(lender, fault->to);
        if ((asks || lends) && !start_thread(lender))
            status = GCL_SYSTEM;
        if (!lends || borrower->is_heard || status != GCL_OK)
            continue;
        borrower->is_heard = true;
        pthread_mutex_unlock(&lender->lock); // which `came` takes
        expect_next(borrower);
        pthread_mutex_lock(&lender->lock);
    }
    pthread_mutex_unlock(&lender->lock);
    return status;
}

void gcl_lender_end(struct gcl_lender *lender, struct gcl_plan *plan) {
    size_t i = 0;
    pthread_mutex_lock(&lender->lock);
    while (i < lender->plan_count && lender->plans[i] != plan)
        i++;
    bool is_known = i < lender->plan_count;
    if (is_known)
        lender->plans[i] = lender->plans[--lender->plan_count];
    pthread_mutex_unlock(&lender->lock);
    if (is_known)
        gcl_plan_release(plan);
}

// Wishes.

enum gcl_status gcl_lender_ask(struct gcl_lender *lender, gcl_node from, uint64_t address,
                               uint64_t size, void *out) {
    struct question question = {
        .wish = {address, size},
        .from = from,
        .request = {.what = "pages", .peer = from, .bytes = out, .size = size}};
    assert(from < lender->count && from != lender->self);
    sem_init(&question.is_answered, 0, 0);
    pthread_mutex_lock(&lender->lock);
    assert(lender->has_thread); // since the plan began
    question.next = lender->questions;
    lender->questions = &question;
    pthread_mutex_unlock(&lender->lock);
    pthread_cond_signal(&lender->has_wish);
    while (sem_wait(&question.is_answered) != 0)
        ;
    sem_destroy(&question.is_answered);
    return question.status;
}
