// A board's moments are written by its owner alone, and only grow. A node that sends writes
// `ready`; a node that receives waits for that, reads, and writes `taken` on its own board; the
// exchange of the sender lasts until all have taken what it sent, so that nobody reads memory which
// has changed. A node that waits sleeps on `changes` (futex) of the board that it waits for.
#include "neighbours.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cluster/wire/host.h"

#define MAGIC UINT64_C(0x6472616f626c6367)
#define SPIN_NS UINT64_C(20000)
#define LOOK_NS 50000000 ///< how often somebody who sleeps looks whether a node is lost

enum {
    FEW_RUNS = 16,   ///< so many are read run by run, however short they are
    LONG_RUN = 1024, ///< bytes; runs of this mean size are read run by run
    MOST_RUNS = 512, ///< of one system call
    MOST_BYTES = 1 << 30,
    BOARD_SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL,
};

/// What a node says to one other.
struct line {
    /// Of each track: the moment up to which it has read all that the other sent,
    _Atomic uint64_t taken[GCL_TRACK_COUNT];
    /// and where what it packed for the other lies; read once it is ready.
    _Atomic uint64_t packed_at[GCL_TRACK_COUNT];
    atomic_bool can_read; ///< the other's memory
};

struct board {
    uint64_t magic;
    /// Of each track: the moment up to which neighbours may read what it sends.
    _Atomic uint64_t ready[GCL_TRACK_COUNT];
    _Atomic uint32_t changes; ///< grows with each change: what sleepers sleep on
    _Atomic uint32_t sleepers;
    struct line lines[]; ///< by node
};

struct peer {
    struct board *board; ///< NULL: isn't a neighbour
    pid_t process;
    bool is_usable;
};

/// Memory that is kept from exchange to exchange.
struct buffer {
    unsigned char *bytes;
    size_t room;
};

/// The exchange of a track.
struct doing {
    struct gcl_wait waiting; ///< who sleeps; request NULL: nobody
    bool is_told;
    struct buffer packed;  ///< what others are going to read,
    struct buffer arrived; ///< and what was read of theirs, before it goes to its places
};

struct gcl_neighbours {
    gcl_node self, count;
    struct peer *peers;
    struct board *own;
    size_t board_size;
    int descriptor;
    bool may_spin; ///< neighbours aren't more than the cores
    atomic_bool has_failed;
    pthread_mutex_t lock; ///< of the waiting
    struct doing tracks[GCL_TRACK_COUNT];
};

// Start and end.

static struct board *map_board(int descriptor, size_t size) {
    void *board = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return board != MAP_FAILED ? board : NULL;
}

static bool create_board(struct gcl_neighbours *n) {
    n->board_size = sizeof *n->own + n->count * sizeof n->own->lines[0];
    n->descriptor = memfd_create("gcluster board", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (n->descriptor < 0)
        return false;
    // Without the memory itself, and not only a size, the first use would end the process.
    errno = posix_fallocate(n->descriptor, 0, (off_t)n->board_size);
    if (errno != 0)
        return false;
    if (fcntl(n->descriptor, F_ADD_SEALS, BOARD_SEALS) != 0)
        return false;
    n->own = map_board(n->descriptor, n->board_size);
    if (n->own)
        n->own->magic = MAGIC;
    return n->own != NULL;
}

// Where Yama restricts who may read another process' memory, a process names one other that may,
// with its descendants. The nodes of a machine are children of one process: gcluster-run, mpirun's
// daemon or slurmstepd. Behind a shell of its own for each node they aren't, and UCX copies.
static void allow_siblings(void) {
    pid_t launcher = getppid();
    if (launcher > 1)
        prctl(PR_SET_PTRACER, (unsigned long)launcher);
}

struct gcl_neighbours *gcl_neighbours_create(gcl_node self, gcl_node count,
                                             struct gcl_wire_card *card) {
    struct gcl_neighbours *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->self = self;
    n->count = count;
    n->descriptor = -1;
    pthread_mutex_init(&n->lock, NULL);
    n->peers = calloc(count, sizeof *n->peers);
    if (!n->peers || !create_board(n)) {
        gcl_log(GCL_LOG_ERROR, "no memory for a board: %s", strerror(errno));
        gcl_neighbours_destroy(n);
        return NULL;
    }
    allow_siblings();
    card->board = (uint32_t)n->descriptor;
    card->board_address = (uintptr_t)n->own;
    return n;
}

static void free_buffers(struct doing *doing) {
    free(doing->packed.bytes);
    free(doing->arrived.bytes);
}

void gcl_neighbours_destroy(struct gcl_neighbours *n) {
    if (!n)
        return;
    for (gcl_node i = 0; n->peers && i < n->count; i++) {
        if (n->peers[i].board)
            munmap(n->peers[i].board, n->board_size);
    }
    if (n->own)
        munmap(n->own, n->board_size);
    if (n->descriptor >= 0)
        close(n->descriptor);
    free(n->peers);
    for (int i = 0; i < GCL_TRACK_COUNT; i++)
        free_buffers(&n->tracks[i]);
    pthread_mutex_destroy(&n->lock);
    free(n);
}

/// Whether a descriptor is another node's board: memory of this user's that has the size of a board
/// and keeps it, so that no use of it ends the process.
static bool is_board(int descriptor, size_t size) {
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
           status.st_uid == geteuid() && status.st_size == (off_t)size &&
           (fcntl(descriptor, F_GET_SEALS) & BOARD_SEALS) == BOARD_SEALS;
}

static struct board *map_if_board(int descriptor, size_t size) {
    if (!is_board(descriptor, size)) {
        errno = EBADMSG;
        return NULL;
    }
    struct board *board = map_board(descriptor, size);
    if (!board || board->magic == MAGIC)
        return board;
    munmap(board, size);
    errno = EBADMSG;
    return NULL;
}

static struct board *open_board(const struct gcl_neighbours *n, const struct gcl_wire_card *card) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%u/fd/%u", card->process, card->board);
    int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct board *board = descriptor >= 0 ? map_if_board(descriptor, n->board_size) : NULL;
    int error = errno;
    if (descriptor >= 0)
        close(descriptor);
    errno = error;
    return board;
}

static bool can_read(const struct gcl_wire_card *card) {
    uint64_t magic = 0;
    struct iovec here = {&magic, sizeof magic};
    struct iovec there = {(void *)(uintptr_t)card->board_address, sizeof magic};
    return process_vm_readv((pid_t)card->process, &here, 1, &there, 1, 0) == sizeof magic &&
           magic == MAGIC;
}

void gcl_neighbours_connect(struct gcl_neighbours *n, const struct gcl_wire_card *cards) {
    unsigned neighbours = 1;
    for (gcl_node i = 0; i < n->count; i++) {
        struct peer *peer = &n->peers[i];
        if (i == n->self || !gcl_host_shares_memory(&cards[n->self], &cards[i]))
            continue;
        neighbours++;
        peer->process = (pid_t)cards[i].process;
        errno = 0;
        peer->board = open_board(n, &cards[i]);
        atomic_store(&n->own->lines[i].can_read, peer->board && can_read(&cards[i]));
        if (!atomic_load(&n->own->lines[i].can_read))
            gcl_log(GCL_LOG_WARN,
                    "node %u can't read the memory of node %u on its own host, so UCX copies it, "
                    "which takes longer: %s",
                    n->self, i, strerror(errno));
    }
    cpu_set_t cores;
    n->may_spin = sched_getaffinity(0, sizeof cores, &cores) == 0 &&
                  neighbours <= (unsigned)CPU_COUNT(&cores);
}

void gcl_neighbours_agree(struct gcl_neighbours *n) {
    for (gcl_node i = 0; i < n->count; i++) {
        struct peer *peer = &n->peers[i];
        peer->is_usable = peer->board && atomic_load(&n->own->lines[i].can_read) &&
                          atomic_load(&peer->board->lines[n->self].can_read);
    }
}

bool gcl_neighbours_has(const struct gcl_neighbours *n, gcl_node node) {
    return n->peers[node].is_usable;
}

// Boards.

static void announce(struct board *own, _Atomic uint64_t *word, uint64_t moment) {
    atomic_store(word, moment);
    atomic_fetch_add(&own->changes, 1);
    if (atomic_load(&own->sleepers) > 0)
        syscall(SYS_futex, &own->changes, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void note_waiting(struct gcl_neighbours *n, enum gcl_track track,
                         const struct gcl_request *request, uint64_t since_ns) {
    struct doing *doing = &n->tracks[track];
    pthread_mutex_lock(&n->lock);
    doing->is_told = false;
    doing->waiting =
        (struct gcl_wait){.request = request, .since_ns = since_ns, .is_told = &doing->is_told};
    pthread_mutex_unlock(&n->lock);
}

void gcl_neighbours_look(struct gcl_neighbours *n, gcl_wait_look *look, void *context) {
    pthread_mutex_lock(&n->lock);
    for (int i = 0; i < GCL_TRACK_COUNT; i++) {
        if (n->tracks[i].waiting.request)
            look(context, &n->tracks[i].waiting);
    }
    pthread_mutex_unlock(&n->lock);
}

/// Sleeps until a word on a board has reached a moment. False: a node is lost.
static bool sleep_until(struct gcl_neighbours *n, struct board *board, const _Atomic uint64_t *word,
                        uint64_t moment) {
    const struct timespec look = {.tv_nsec = LOOK_NS};
    while (atomic_load(word) < moment) {
        uint32_t changes = atomic_load(&board->changes);
        if (atomic_load(&n->has_failed))
            return false;
        atomic_fetch_add(&board->sleepers, 1);
        if (atomic_load(word) < moment)
            syscall(SYS_futex, &board->changes, FUTEX_WAIT, changes, &look, NULL, 0);
        atomic_fetch_sub(&board->sleepers, 1);
    }
    return true;
}

/// Waits until the word of a turn has come to its moment, because of a request. False: a node is
/// lost.
static bool await(struct gcl_neighbours *n, const struct gcl_request *request,
                  const _Atomic uint64_t *word, struct gcl_turn turn) {
    const uint64_t moment = turn.moment;
    uint64_t begin_ns = gcl_clock_ns();
    while (n->may_spin && atomic_load(word) < moment && gcl_clock_ns() - begin_ns < SPIN_NS)
        gcl_clock_pause();
    if (atomic_load(word) >= moment)
        return true;
    note_waiting(n, turn.track, request, begin_ns);
    bool ok = sleep_until(n, n->peers[request->peer].board, word, moment);
    note_waiting(n, turn.track, NULL, 0);
    return ok;
}

void gcl_neighbours_fail(struct gcl_neighbours *n) {
    if (n)
        atomic_store(&n->has_failed, true);
}

// Exchange.

static bool is_ours(const struct gcl_neighbours *n, const struct gcl_request *request) {
    return request->region && n->peers[request->peer].is_usable;
}

/// Whether the owner of a region packs it: both sides find the same.
static bool is_packed(const struct gcl_request *request) {
    size_t runs = (size_t)gcl_region_run_count(request->region);
    return runs > FEW_RUNS && request->size / runs < LONG_RUN;
}

/// What the buffer has is lost. False: no memory.
static bool make_room(struct buffer *buffer, size_t size) {
    if (size <= buffer->room)
        return true;
    free(buffer->bytes);
    buffer->bytes = malloc(size);
    buffer->room = buffer->bytes ? size : 0;
    return buffer->bytes != NULL;
}

/// Packs what neighbours are going to read, one after the other. False: no memory.
static bool pack(struct gcl_neighbours *n, enum gcl_track track, const struct gcl_request *requests,
                 size_t count) {
    struct doing *doing = &n->tracks[track];
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        if (requests[i].is_sent && is_ours(n, &requests[i]) && is_packed(&requests[i]))
            size += requests[i].size;
    }
    if (!make_room(&doing->packed, size))
        return false;
    unsigned char *out = doing->packed.bytes;
    for (gcl_node node = 0; size > 0 && node < n->count; node++) {
        atomic_store(&n->own->lines[node].packed_at[track], (uintptr_t)out);
        for (size_t i = 0; i < count; i++) {
            const struct gcl_request *p = &requests[i];
            if (p->peer != node || !p->is_sent || !is_ours(n, p) || !is_packed(p))
                continue;
            p->packer->pack(p->packer, p->region, p->place, out);
            out += p->size;
        }
    }
    return true;
}

/// What one system call reads: the same bytes here and there, in pieces.
struct reading {
    pid_t process;
    struct iovec here[MOST_RUNS], there[MOST_RUNS];
    size_t pieces, size;
};

static enum gcl_status flush(struct reading *r) {
    ssize_t done = process_vm_readv(r->process, r->here, r->pieces, r->there, r->pieces, 0);
    bool is_done = done >= 0 && (size_t)done == r->size;
    if (!is_done && !(done < 0 && errno == ESRCH))
        gcl_log(GCL_LOG_ERROR, "%zu bytes of process %d can't be read: %s", r->size, r->process,
                done < 0 ? strerror(errno) : "not all of them are there");
    enum gcl_status status = is_done                      ? GCL_OK
                             : done < 0 && errno == ESRCH ? GCL_NODE_LOST
                                                          : GCL_SYSTEM;
    r->pieces = r->size = 0;
    return status;
}

static enum gcl_status read_run(struct reading *r, unsigned char *here, const unsigned char *there,
                                size_t size) {
    enum gcl_status status = GCL_OK;
    while (size > 0 && status == GCL_OK) {
        size_t piece = size < MOST_BYTES - r->size ? size : MOST_BYTES - r->size;
        r->here[r->pieces] = (struct iovec){here, piece};
        r->there[r->pieces++] = (struct iovec){(void *)(uintptr_t)there, piece};
        r->size += piece;
        here += piece;
        there += piece;
        size -= piece;
        if (r->pieces == MOST_RUNS || r->size == MOST_BYTES)
            status = flush(r);
    }
    return status;
}

/// Reads a region whose bytes are in their place there.
static enum gcl_status read_region(struct reading *r, const struct gcl_request *request) {
    struct gcl_region_cursor cursor = {.region = request->region};
    unsigned char *out = request->bytes;
    struct gcl_span run;
    enum gcl_status status = GCL_OK;
    while (status == GCL_OK && gcl_region_next(&cursor, &run)) {
        size_t size = (size_t)(run.end - run.begin);
        unsigned char *place = request->place + run.begin;
        status = read_run(r, out ? out : place, place, size);
        out = out ? out + size : NULL;
    }
    return status;
}

/// Reads a region that its owner has packed. To read it run by run would cost the kernel as much as
/// if it weren't packed.
static enum gcl_status read_packed(struct reading *r, const struct gcl_request *request,
                                   const unsigned char *packed, struct buffer *arrived) {
    if (request->bytes)
        return read_run(r, request->bytes, packed, request->size);
    if (!make_room(arrived, request->size))
        return GCL_NO_MEMORY;
    enum gcl_status status = read_run(r, arrived->bytes, packed, request->size);
    if (status == GCL_OK && r->pieces > 0)
        status = flush(r);
    if (status == GCL_OK)
        request->packer->unpack(request->packer, request->region, arrived->bytes, request->place);
    return status;
}

/// Reads all that one neighbour has for this node, and that is ready.
static enum gcl_status read_all(struct gcl_neighbours *n, enum gcl_track track, gcl_node node,
                                const struct gcl_request *requests, size_t count) {
    const struct peer *peer = &n->peers[node];
    struct reading r;
    enum gcl_status status = GCL_OK;
    uintptr_t packed = atomic_load(&peer->board->lines[n->self].packed_at[track]);
    r.process = peer->process;
    r.pieces = r.size = 0;
    for (size_t i = 0; i < count && status == GCL_OK; i++) {
        const struct gcl_request *p = &requests[i];
        if (p->peer != node || p->is_sent || !is_ours(n, p))
            continue;
        if (!is_packed(p)) {
            status = read_region(&r, p);
            continue;
        }
        status = read_packed(&r, p, (const unsigned char *)packed, &n->tracks[track].arrived);
        packed += p->size;
    }
    if (status == GCL_OK && r.pieces > 0)
        status = flush(&r);
    return status;
}

/// The first request to or from a node, NULL: there is none.
static const struct gcl_request *find_request(const struct gcl_neighbours *n, gcl_node node,
                                              bool is_sent, const struct gcl_request *requests,
                                              size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (requests[i].peer == node && requests[i].is_sent == is_sent && is_ours(n, &requests[i]))
            return &requests[i];
    }
    return NULL;
}

enum gcl_status gcl_neighbours_exchange(struct gcl_neighbours *n, struct gcl_turn turn,
                                        const struct gcl_request *requests, size_t count) {
    const enum gcl_track track = turn.track;
    enum gcl_status status = GCL_OK;
    if (!pack(n, track, requests, count))
        return GCL_NO_MEMORY;
    announce(n->own, &n->own->ready[track], turn.moment);
    // Starting with the next node, so that not all read from one at the same time.
    for (gcl_node i = 1; i < n->count && status == GCL_OK; i++) {
        gcl_node node = (n->self + i) % n->count;
        const struct gcl_request *first = find_request(n, node, false, requests, count);
        if (!first)
            continue;
        status = await(n, first, &n->peers[node].board->ready[track], turn)
                     ? read_all(n, track, node, requests, count)
                     : GCL_NODE_LOST;
        if (status == GCL_OK)
            announce(n->own, &n->own->lines[node].taken[track], turn.moment);
    }
    for (gcl_node node = 0; node < n->count && status == GCL_OK; node++) {
        struct board *board = n->peers[node].board;
        const struct gcl_request *first = find_request(n, node, true, requests, count);
        if (first && !await(n, first, &board->lines[n->self].taken[track], turn))
            status = GCL_NODE_LOST;
    }
    return status;
}
