// Pages of one allocation, with the nodes that have them, are an area. All nodes plan alike, so an
// area's bytes stay as they are where they come from: who has them waits, behind its own part of
// the plan, for those who may touch them (movement.c). An area is replaced once its pages come from
// elsewhere, and ends when a plan changes some of them. By then launches that use it are done:
// plans that conflict keep their order. A plan that doesn't conflict with the one that ends an area
// may be carried out before that: if it touches other pages of the area, or pages there are to be
// absent for it, it ends the area, too, and whichever comes first does so.
//
// How much comes at a touch: a page, where touches are scattered; twice as much as before, where a
// thread goes on, up to a block of pages; and what a block lacks once a quarter of it has come, or
// once touches have been so many that all of the area will be wanted, as far as anybody can tell.
// So an area comes in a few times the time of one copy at most, whatever touches it.
#include "exec/exchange/remote.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"
#include "exec/exchange/lender.h"
#include "exec/memory/absent.h"
#include "plan/directory/pages.h"

enum {
    BLOCK = 64, ///< pages: a word of marks, and the most that comes at once
    DENSE = 16, ///< pages of a block that have come: it is used all over
    FEW = 64,   ///< pages of an area for each of those touches that are few
    BLOCK_SIZE = BLOCK * GCL_PAGE_SIZE
};

/// Addresses; of pages, but for those of a source.
struct stretch {
    uintptr_t begin, end;
};

/// Bytes that one node has.
struct source {
    struct stretch bytes;
    gcl_node from;
};

struct area {
    unsigned holders; ///< with the lock
    uint64_t allocation;
    struct gcl_region pages; ///< of the allocation, from its begin on
    struct stretch *runs;    ///< the same, ascending, no two of which touch
    size_t run_count;
    struct source *sources; ///< where they come from, ascending
    size_t source_count;
    uintptr_t first;              ///< page of the first mark
    atomic_uint_least64_t *marks; ///< a bit for each page: it has come
    atomic_uint_least64_t came;   ///< bytes, since that was asked for
    uint64_t page_count;
    atomic_uint_least64_t touches; ///< that pages came for
    bool is_open;                  ///< pages are absent; with the lock
    bool has_ended;                ///< and won't be any more; with the lock
};

struct areas {
    struct area **list;
    size_t count;
};

struct gcl_remote_task {
    struct areas used, ended; ///< each is held
};

/// Room for the bytes of a block.
struct buffer {
    struct buffer *next;
    unsigned char *bytes;
};

struct gcl_remote {
    gcl_node self;
    struct gcl_communicator communicator;
    struct gcl_lender *lender;
    struct areas planned;      ///< those of the plans so far
    struct areas ending;       ///< that plans so far end, which may not be carried out yet
    pthread_mutex_t lock;      ///< of what follows; nobody touches absent pages with it
    struct gcl_absent *absent; ///< NULL: none were needed
    struct areas open;
    struct buffer *buffers; ///< that nobody uses
};

struct gcl_remote *gcl_remote_create(gcl_node self, gcl_node count,
                                     const struct gcl_communicator *communicator) {
    struct gcl_remote *remote = calloc(1, sizeof *remote);
    if (!remote)
        return NULL;
    remote->lender = gcl_lender_create(self, count, communicator);
    if (!remote->lender) {
        free(remote);
        return NULL;
    }
    remote->self = self;
    remote->communicator = *communicator;
    pthread_mutex_init(&remote->lock, NULL);
    return remote;
}

// Areas.

static void area_destroy(struct area *area) {
    if (!area)
        return;
    gcl_region_finish(&area->pages);
    free(area->runs);
    free(area->sources);
    free(area->marks);
    free(area);
}

static struct area *hold(struct gcl_remote *remote, struct area *area) {
    pthread_mutex_lock(&remote->lock);
    area->holders++;
    pthread_mutex_unlock(&remote->lock);
    return area;
}

static void release(struct gcl_remote *remote, struct area *area) {
    pthread_mutex_lock(&remote->lock);
    assert(area->holders > 0);
    bool is_last = --area->holders == 0;
    pthread_mutex_unlock(&remote->lock);
    if (is_last)
        area_destroy(area);
}

/// Adds an area, which the list holds then. False: no memory.
static bool append(struct areas *areas, struct area *area) {
    struct area **grown = realloc(areas->list, (areas->count + 1) * sizeof(struct area *));
    if (!grown)
        return false;
    areas->list = grown;
    grown[areas->count++] = area;
    return true;
}

static void take_out(struct areas *areas, size_t index) {
    areas->list[index] = areas->list[--areas->count];
}

static int compare_sources(const void *left, const void *right) {
    const struct source *a = left, *b = right;
    return (a->bytes.begin > b->bytes.begin) - (a->bytes.begin < b->bytes.begin);
}

static struct stretch stretch_of(const struct area *area, struct gcl_span run) {
    return (struct stretch){area->allocation + (uint64_t)run.begin,
                            area->allocation + (uint64_t)run.end};
}

/// Lists where the bytes of an allocation of a plan come from. False: no memory.
static bool list_sources(struct area *area, const struct gcl_plan *plan, uint32_t allocation,
                         gcl_node self) {
    size_t room = 0;
    for (size_t i = 0; i < plan->fault_count; i++)
        room += (size_t)gcl_region_run_count(&plan->faults[i].bytes);
    area->sources = calloc(room + 1, sizeof *area->sources);
    bool ok = area->sources != NULL;
    for (size_t i = 0; ok && i < plan->fault_count; i++) {
        const struct gcl_transfer *fault = &plan->faults[i];
        struct gcl_region_cursor cursor = {.region = &fault->bytes};
        struct gcl_span run;
        if (fault->allocation != allocation || fault->to != self)
            continue;
        while (gcl_region_next(&cursor, &run))
            area->sources[area->source_count++] =
                (struct source){stretch_of(area, run), fault->from};
        ok = gcl_region_unite(&area->pages, &fault->bytes, &area->pages);
    }
    if (ok)
        qsort(area->sources, area->source_count, sizeof *area->sources, compare_sources);
    return ok;
}

/// Lists the runs of an area's pages, and makes their marks. False: no memory.
static bool list_runs(struct area *area) {
    struct gcl_region_cursor cursor = {.region = &area->pages};
    struct gcl_span run;
    if (gcl_region_is_empty(&area->pages))
        return true;
    area->runs = calloc((size_t)gcl_region_run_count(&area->pages), sizeof *area->runs);
    while (area->runs && gcl_region_next(&cursor, &run)) {
        area->runs[area->run_count++] = stretch_of(area, run);
        assert(area->runs[area->run_count - 1].begin % GCL_PAGE_SIZE == 0 &&
               area->runs[area->run_count - 1].end % GCL_PAGE_SIZE == 0);
        area->page_count += (uint64_t)(run.end - run.begin) / GCL_PAGE_SIZE;
    }
    if (!area->runs)
        return false;
    area->first = area->runs[0].begin / BLOCK_SIZE * BLOCK_SIZE;
    size_t words = (area->runs[area->run_count - 1].end - area->first) / BLOCK_SIZE + 1;
    area->marks = calloc(words, sizeof *area->marks);
    return area->marks != NULL;
}

/// The area of an allocation in a plan; without pages: the plan has none for this node. NULL: no
/// memory.
static struct area *draft(const struct gcl_plan *plan, uint32_t allocation, gcl_node self) {
    struct area *area = calloc(1, sizeof *area);
    if (!area)
        return NULL;
    area->holders = 1;
    area->allocation = plan->allocations[allocation].begin;
    if (list_sources(area, plan, allocation, self) && list_runs(area))
        return area;
    area_destroy(area);
    return NULL;
}

static bool is_same(const struct area *a, const struct area *b) {
    if (a->source_count != b->source_count)
        return false;
    for (size_t i = 0; i < a->source_count; i++) {
        const struct source *x = &a->sources[i], *y = &b->sources[i];
        if (x->bytes.begin != y->bytes.begin || x->bytes.end != y->bytes.end || x->from != y->from)
            return false;
    }
    return true;
}

// Planning.

/// The planned area of an allocation; as many as there are: it has none.
static size_t find_planned(const struct gcl_remote *remote, uint64_t begin) {
    size_t i = 0;
    while (i < remote->planned.count && remote->planned.list[i]->allocation != begin)
        i++;
    return i;
}

/// The task ends the planned area with that index. False: no memory.
static bool end_planned(struct gcl_remote *remote, size_t index, struct gcl_remote_task *task) {
    struct area *area = remote->planned.list[index];
    if (!append(&remote->ending, area))
        return false;
    take_out(&remote->planned, index);
    return append(&task->ended, hold(remote, area));
}

static bool has_ended(struct gcl_remote *remote, const struct area *area) {
    pthread_mutex_lock(&remote->lock);
    bool has = area->has_ended;
    pthread_mutex_unlock(&remote->lock);
    return has;
}

/// The task ends those areas of an allocation, too, that an earlier plan ends, if it touches their
/// pages or has pages there be absent. False: no memory.
static bool end_ending(struct gcl_remote *remote, const struct gcl_plan_allocation *a,
                       const struct gcl_region *absent, struct gcl_remote_task *task) {
    bool ok = true;
    for (size_t i = remote->ending.count; ok && i-- > 0;) {
        struct area *area = remote->ending.list[i];
        if (has_ended(remote, area)) {
            take_out(&remote->ending, i);
            release(remote, area);
        } else if (area->allocation == a->begin &&
                   (gcl_region_overlaps(&area->pages, &a->touched) ||
                    (absent && gcl_region_overlaps(&area->pages, absent)))) {
            ok = append(&task->ended, hold(remote, area));
        }
    }
    return ok;
}

/// The task uses an area like this one, which it takes. False: no memory.
static bool use(struct gcl_remote *remote, struct area *area, struct gcl_remote_task *task) {
    size_t place = find_planned(remote, area->allocation);
    if (place < remote->planned.count && is_same(remote->planned.list[place], area)) {
        area_destroy(area);
        area = remote->planned.list[place];
    } else if ((place < remote->planned.count && !end_planned(remote, place, task)) ||
               !append(&remote->planned, area)) {
        area_destroy(area);
        return false;
    }
    return append(&task->used, hold(remote, area));
}

/// Adds what a plan does to one allocation. False: no memory.
static bool plan_allocation(struct gcl_remote *remote, const struct gcl_plan *plan,
                            uint32_t allocation, struct gcl_remote_task *task) {
    const struct gcl_plan_allocation *a = &plan->allocations[allocation];
    struct area *area = a->is_faulted ? draft(plan, allocation, remote->self) : NULL;
    if (a->is_faulted && !area)
        return false;
    if (!end_ending(remote, a, area ? &area->pages : NULL, task)) {
        area_destroy(area);
        return false;
    }
    if (area && area->run_count > 0)
        return use(remote, area, task);
    area_destroy(area);
    size_t place = find_planned(remote, a->begin);
    return place == remote->planned.count ||
           !gcl_region_overlaps(&remote->planned.list[place]->pages, &a->touched) ||
           end_planned(remote, place, task);
}

bool gcl_remote_plan(struct gcl_remote *remote, const struct gcl_plan *plan,
                     struct gcl_remote_task **task) {
    *task = NULL;
    if (remote->planned.count == 0 && remote->ending.count == 0 && plan->fault_count == 0)
        return true;
    struct gcl_remote_task *made = calloc(1, sizeof *made);
    bool ok = made != NULL;
    for (uint32_t i = 0; ok && i < plan->allocation_count; i++)
        ok = plan_allocation(remote, plan, i, made);
    if (ok && made->used.count + made->ended.count > 0) {
        *task = made;
        return true;
    }
    gcl_remote_task_destroy(remote, made);
    return ok;
}

/// Drops the areas of an allocation from a list of planned ones.
static void forget(struct gcl_remote *remote, struct areas *areas, uint64_t begin) {
    for (size_t i = areas->count; i-- > 0;) {
        struct area *area = areas->list[i];
        if (area->allocation != begin)
            continue;
        take_out(areas, i);
        release(remote, area);
    }
}

void gcl_remote_forget(struct gcl_remote *remote, uint64_t begin) {
    forget(remote, &remote->planned, begin);
    forget(remote, &remote->ending, begin);
}

void gcl_remote_task_destroy(struct gcl_remote *remote, struct gcl_remote_task *task) {
    if (!task)
        return;
    for (size_t i = 0; i < task->used.count; i++)
        release(remote, task->used.list[i]);
    for (size_t i = 0; i < task->ended.count; i++)
        release(remote, task->ended.list[i]);
    free(task->used.list);
    free(task->ended.list);
    free(task);
}

// What comes.

static struct buffer *take_buffer(struct gcl_remote *remote) {
    pthread_mutex_lock(&remote->lock);
    struct buffer *buffer = remote->buffers;
    if (buffer)
        remote->buffers = buffer->next;
    pthread_mutex_unlock(&remote->lock);
    if (buffer)
        return buffer;
    // Not from malloc, which device code may be in the middle of.
    unsigned char *bytes = mmap(NULL, BLOCK_SIZE + GCL_PAGE_SIZE, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED)
        return NULL;
    buffer = (struct buffer *)(void *)(bytes + BLOCK_SIZE);
    buffer->bytes = bytes;
    return buffer;
}

static void give_buffer(struct gcl_remote *remote, struct buffer *buffer) {
    pthread_mutex_lock(&remote->lock);
    buffer->next = remote->buffers;
    remote->buffers = buffer;
    pthread_mutex_unlock(&remote->lock);
}

/// The run in which a page of the area is; NULL: it isn't.
static const struct stretch *find_run(const struct area *area, uintptr_t page) {
    size_t low = 0, high = area->run_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (area->runs[middle].end <= page)
            low = middle + 1;
        else
            high = middle;
    }
    return low < area->run_count && area->runs[low].begin <= page ? &area->runs[low] : NULL;
}

/// The open area in which a page is, which is held, and its run; NULL: it is in none.
static struct area *find_open(struct gcl_remote *remote, uintptr_t page,
                              const struct stretch **run) {
    struct area *found = NULL;
    pthread_mutex_lock(&remote->lock);
    for (size_t i = 0; i < remote->open.count && !found; i++) {
        *run = find_run(remote->open.list[i], page);
        found = *run ? remote->open.list[i] : NULL;
    }
    if (found)
        found->holders++;
    pthread_mutex_unlock(&remote->lock);
    return found;
}

static atomic_uint_least64_t *word_of(const struct area *area, uintptr_t page, uint64_t *bit) {
    size_t index = (page - area->first) / GCL_PAGE_SIZE;
    *bit = UINT64_C(1) << index % BLOCK;
    return &area->marks[index / BLOCK];
}

/// Whether all that a block lacks comes at its next touch.
static bool is_dense(struct area *area, uintptr_t page) {
    uint64_t bit, marks = atomic_load_explicit(word_of(area, page, &bit), memory_order_relaxed);
    uint64_t touches = atomic_fetch_add_explicit(&area->touches, 1, memory_order_relaxed);
    return touches >= area->page_count / FEW + DENSE || __builtin_popcountll(marks) >= DENSE;
}

/// The pages that come when a thread touches one of them, all of one run.
static struct stretch choose_stretch(struct area *area, const struct stretch *run, uintptr_t page) {
    static _Thread_local struct stretch latest; ///< that the thread has touched
    struct stretch next = {page, page + GCL_PAGE_SIZE};
    uintptr_t size = 2 * (latest.end - latest.begin);
    size = size < BLOCK_SIZE ? size : BLOCK_SIZE;
    if (page == latest.end)
        next.end = page + size;
    else if (next.end == latest.begin)
        next.begin = next.end - size;
    if (is_dense(area, page)) {
        next.begin = area->first + (page - area->first) / BLOCK_SIZE * BLOCK_SIZE;
        next.end = next.begin + BLOCK_SIZE;
    }
    next.begin = next.begin < run->begin || next.begin > page ? run->begin : next.begin;
    next.end = next.end > run->end ? run->end : next.end;
    assert(next.begin <= page && page < next.end && next.end - next.begin <= BLOCK_SIZE);
    latest = next;
    return next;
}

/// The end of the pages from `page` on that have all come by now, or that all haven't.
static uintptr_t find_alike(const struct area *area, uintptr_t page, uintptr_t end,
                            bool *has_come) {
    uint64_t bit;
    *has_come = (atomic_load(word_of(area, page, &bit)) & bit) != 0;
    do {
        page += GCL_PAGE_SIZE;
    } while (page < end && ((atomic_load(word_of(area, page, &bit)) & bit) != 0) == *has_come);
    return page;
}

static void mark(struct area *area, uintptr_t begin, uintptr_t end) {
    for (uintptr_t page = begin; page < end; page += GCL_PAGE_SIZE) {
        uint64_t bit;
        atomic_uint_least64_t *word = word_of(area, page, &bit);
        atomic_fetch_or(word, bit);
    }
}

/// Fills those pages of a stretch that haven't come yet, and the one that was touched in any case.
static bool fill(struct gcl_remote *remote, struct area *area, const struct stretch *stretch,
                 const unsigned char *bytes) {
    enum gcl_status status = GCL_OK;
    for (uintptr_t page = stretch->begin, end; page < stretch->end && status == GCL_OK;
         page = end) {
        bool has_come;
        end = find_alike(area, page, stretch->end, &has_come);
        if (has_come && end - page < stretch->end - stretch->begin)
            continue;
        status = gcl_absent_fill(remote->absent, page, bytes + (page - stretch->begin), end - page);
        if (status == GCL_OK)
            mark(area, page, end);
    }
    return status == GCL_OK;
}

/// Reads bytes of one source.
static bool read_source(struct gcl_remote *remote, const struct area *area, gcl_node from,
                        struct stretch bytes, unsigned char *out) {
    const struct gcl_communicator *communicator = &remote->communicator;
    if (!communicator->is_near(communicator->context, from))
        return gcl_lender_ask(remote->lender, from, bytes.begin, bytes.end - bytes.begin, out) ==
               GCL_OK;
    const struct gcl_region region = gcl_region_run((int64_t)(bytes.begin - area->allocation),
                                                    (int64_t)(bytes.end - area->allocation));
    const struct gcl_request request = {.peer = from,
                                        .bytes = out,
                                        .size = bytes.end - bytes.begin,
                                        .region = &region,
                                        .place = (unsigned char *)(uintptr_t)area->allocation,
                                        .what = "pages"};
    return communicator->read(communicator->context, &request, 1) == GCL_OK;
}

/// Reads a stretch from the nodes that have it. What two threads read at a time counts twice.
static bool read_stretch(struct gcl_remote *remote, struct area *area,
                         const struct stretch *stretch, unsigned char *out) {
    size_t low = 0, high = area->source_count;
    bool ok = true;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (area->sources[middle].bytes.end <= stretch->begin)
            low = middle + 1;
        else
            high = middle;
    }
    for (; ok && low < area->source_count && area->sources[low].bytes.begin < stretch->end; low++) {
        struct stretch bytes = area->sources[low].bytes;
        bytes.begin = bytes.begin > stretch->begin ? bytes.begin : stretch->begin;
        bytes.end = bytes.end < stretch->end ? bytes.end : stretch->end;
        ok = read_source(remote, area, area->sources[low].from, bytes,
                         out + (bytes.begin - stretch->begin));
        if (ok)
            atomic_fetch_add_explicit(&area->came, bytes.end - bytes.begin, memory_order_relaxed);
    }
    return ok;
}

static enum gcl_absent_answer touched(void *context, uintptr_t page) {
    struct gcl_remote *remote = context;
    const struct stretch *run;
    struct area *area = find_open(remote, page, &run);
    if (!area)
        return GCL_ABSENT_UNKNOWN;
    struct stretch stretch = choose_stretch(area, run, page);
    struct buffer *buffer = take_buffer(remote);
    bool ok = buffer && read_stretch(remote, area, &stretch, buffer->bytes) &&
              fill(remote, area, &stretch, buffer->bytes);
    if (buffer)
        give_buffer(remote, buffer);
    release(remote, area);
    return ok ? GCL_ABSENT_CAME : GCL_ABSENT_FAILED;
}

// Before and after blocks.

/// Its pages are ordinary ones. The lock is held.
static void end_area(struct gcl_remote *remote, struct area *area) {
    area->has_ended = true;
    for (size_t i = 0; i < area->run_count && area->is_open; i++)
        gcl_absent_end(remote->absent, area->runs[i].begin,
                       area->runs[i].end - area->runs[i].begin);
    for (size_t i = 0; i < remote->open.count && area->is_open; i++) {
        if (remote->open.list[i] == area) {
            take_out(&remote->open, i);
            area->is_open = false;
            area->holders--;
        }
    }
}

/// Its pages are absent. The lock is held.
static enum gcl_status begin_area(struct gcl_remote *remote, struct area *area) {
    enum gcl_status status = GCL_OK;
    if (area->is_open)
        return GCL_OK;
    for (size_t i = 0; i < area->run_count && status == GCL_OK; i++)
        status = gcl_absent_begin(remote->absent, area->runs[i].begin,
                                  area->runs[i].end - area->runs[i].begin);
    if (status == GCL_OK && !append(&remote->open, area))
        status = GCL_NO_MEMORY;
    if (status != GCL_OK)
        return status;
    area->is_open = true;
    area->holders++;
    return GCL_OK;
}

/// The lock is held.
static enum gcl_status create_absent(struct gcl_remote *remote) {
    if (!remote->absent)
        remote->absent =
            gcl_absent_create(&(struct gcl_absent_options){.touched = touched, .context = remote});
    if (remote->absent)
        return GCL_OK;
    gcl_log(GCL_LOG_ERROR, "pages can't come as they are touched: %s", strerror(errno));
    return GCL_SYSTEM;
}

enum gcl_status gcl_remote_begin(struct gcl_remote *remote, const struct gcl_remote_task *task) {
    pthread_mutex_lock(&remote->lock);
    enum gcl_status status = task->used.count > 0 ? create_absent(remote) : GCL_OK;
    for (size_t i = 0; i < task->ended.count; i++)
        end_area(remote, task->ended.list[i]);
    for (size_t i = 0; i < task->used.count && status == GCL_OK; i++)
        status = begin_area(remote, task->used.list[i]);
    pthread_mutex_unlock(&remote->lock);
    return status;
}

enum gcl_status gcl_remote_lend(struct gcl_remote *remote, struct gcl_plan *plan) {
    return gcl_lender_begin(remote->lender, plan);
}

void gcl_remote_end_loan(struct gcl_remote *remote, struct gcl_plan *plan) {
    gcl_lender_end(remote->lender, plan);
}

uint64_t gcl_remote_end(const struct gcl_remote_task *task) {
    uint64_t came = 0;
    for (size_t i = 0; i < task->used.count; i++)
        came += atomic_exchange(&task->used.list[i]->came, 0);
    return came;
}

void gcl_remote_close(struct gcl_remote *remote, uint64_t begin) {
    pthread_mutex_lock(&remote->lock);
    for (size_t i = remote->open.count; i-- > 0;) {
        if (remote->open.list[i]->allocation != begin)
            continue;
        struct area *area = remote->open.list[i];
        area->holders++;
        end_area(remote, area);
        bool is_last = --area->holders == 0;
        if (is_last)
            area_destroy(area);
    }
    pthread_mutex_unlock(&remote->lock);
}
