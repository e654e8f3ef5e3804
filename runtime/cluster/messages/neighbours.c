// Two ways for what one node has for another on a track. Small amounts go through a ring on the
// receiver's board: the sender copies them there and goes on. For the rest a node that sends writes
// `ready`; a node that receives waits for that, reads, and writes `taken` on its own board; the
// exchange of the sender lasts until all have taken what it sent, so that nobody reads memory which
// has changed. Both nodes know the amount, and so the way.
//
// A board's moments are written by its owner alone, and only grow. A node that waits sleeps on the
// board that it waits for.
//
// Nobody waits in a circle: a ring is full only if its reader is at an earlier turn of the track,
// and that one has all it needs from this node, whose turns came before.
#include "neighbours.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cluster/messages/board.h"
#include "cluster/messages/reading.h"
#include "cluster/messages/ticket.h"
#include "cluster/wire/host.h"

// How long a node looks for what it waits for before it sleeps. Meanwhile its core is anybody's who
// wants it: the other node may need it to go on.
#define WATCH_NS UINT64_C(20000)

enum {
    FEW_RUNS = 16,   ///< so many are read run by run, however short they are
    LONG_RUN = 1024, ///< bytes; runs of this mean size are read run by run
};

struct peer {
    struct gcl_board *board; ///< NULL: isn't a neighbour
    pid_t process;
    bool is_usable;
    bool is_packed;  ///< what goes there and comes from there, behind a ticket: one of both can't
                     ///< reach its memory
    unsigned number; ///< as gcl_ticket_peer has it
    int descriptor;  ///< of its process, where regions have tickets; -1: there is none
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
    uint64_t moment;       ///< of the latest exchange,
    gcl_node sent, came;   ///< which is over with so many of the neighbours, in their order
};

struct gcl_neighbours {
    gcl_node self, count;
    struct peer *peers;
    gcl_node *near; ///< usable neighbours, starting with the next node,
    gcl_node near_count;
    struct gcl_board_form form;
    struct gcl_board *own;
    int descriptor;
    atomic_bool has_failed;
    pthread_mutex_t lock; ///< of the waiting
    struct doing tracks[GCL_TRACK_COUNT];
};

// Start and end.

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
    n->form = gcl_board_form_of(count);
    n->peers = calloc(count, sizeof *n->peers);
    n->near = calloc(count, sizeof *n->near);
    for (gcl_node i = 0; n->peers && i < count; i++)
        n->peers[i].descriptor = -1;
    if (n->peers && n->near)
        n->own = gcl_board_create(&n->form, &n->descriptor);
    if (!n->own) {
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
        gcl_board_close(n->peers[i].board, &n->form);
        if (n->peers[i].descriptor >= 0)
            close(n->peers[i].descriptor);
    }
    gcl_board_close(n->own, &n->form);
    if (n->descriptor >= 0)
        close(n->descriptor);
    free(n->peers);
    free(n->near);
    for (int i = 0; i < GCL_TRACK_COUNT; i++)
        free_buffers(&n->tracks[i]);
    pthread_mutex_destroy(&n->lock);
    free(n);
}

void gcl_neighbours_connect(struct gcl_neighbours *n, const struct gcl_wire_card *cards) {
    for (gcl_node i = 0; i < n->count; i++) {
        struct peer *peer = &n->peers[i];
        if (i == n->self || !gcl_host_shares_memory(&cards[n->self], &cards[i]))
            continue;
        peer->process = (pid_t)cards[i].process;
        peer->is_packed = cards[n->self].is_packed || cards[i].is_packed;
        if (cards[n->self].is_apart && cards[i].is_apart)
            peer->descriptor = (int)syscall(SYS_pidfd_open, peer->process, 0);
        errno = 0;
        peer->board = gcl_board_open(&n->form, &cards[i]);
        atomic_store(&n->own->lines[i].can_read, peer->board && gcl_board_can_read(&cards[i]));
        if (!atomic_load(&n->own->lines[i].can_read))
            gcl_log(GCL_LOG_WARN,
                    "node %u can't read the memory of node %u on its own host, so UCX copies it, "
                    "which takes longer: %s",
                    n->self, i, strerror(errno));
    }
}

void gcl_neighbours_agree(struct gcl_neighbours *n) {
    n->near_count = 0;
    for (gcl_node i = 1; i < n->count; i++) {
        gcl_node node = (n->self + i) % n->count;
        struct peer *peer = &n->peers[node];
        peer->is_usable = peer->board && atomic_load(&n->own->lines[node].can_read) &&
                          atomic_load(&peer->board->lines[n->self].can_read);
        peer->number = n->near_count;
        if (peer->is_usable)
            n->near[n->near_count++] = node;
    }
}

bool gcl_neighbours_has(const struct gcl_neighbours *n, gcl_node node) {
    return n->peers[node].is_usable;
}

bool gcl_neighbours_reads(const struct gcl_neighbours *n, gcl_node node) {
    return n->peers[node].is_usable && !n->peers[node].is_packed;
}

// Waiting.

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

/// An exchange, as far as neighbours do it.
struct exchange {
    struct gcl_turn turn;
    const struct gcl_request *requests;
    size_t count;
    bool waits; ///< false: it stops where it would have to wait
};

/// Comes to a value, and is on a board.
struct word {
    struct gcl_board *board;
    const _Atomic uint64_t *at;
    uint64_t value;
};

/// Waits until a word has come to its value, because of a request. GCL_NODE_LOST: a node is lost.
/// GCL_NOT_READY: the exchange doesn't wait.
static enum gcl_status await(struct gcl_neighbours *n, const struct exchange *x,
                             const struct gcl_request *request, struct word word) {
    if (atomic_load(word.at) >= word.value)
        return GCL_OK;
    if (!x->waits)
        return GCL_NOT_READY;
    uint64_t begin_ns = gcl_clock_ns();
    while (atomic_load(word.at) < word.value && gcl_clock_ns() - begin_ns < WATCH_NS)
        sched_yield();
    if (atomic_load(word.at) >= word.value)
        return GCL_OK;
    note_waiting(n, x->turn.track, request, begin_ns);
    bool ok = gcl_board_sleep(word.board, word.at, word.value, &n->has_failed);
    note_waiting(n, x->turn.track, NULL, 0);
    return ok ? GCL_OK : GCL_NODE_LOST;
}

void gcl_neighbours_fail(struct gcl_neighbours *n) {
    if (n)
        atomic_store(&n->has_failed, true);
}

// What one node has for another.

static bool is_ours(const struct gcl_neighbours *n, const struct gcl_request *request) {
    return request->region && n->peers[request->peer].is_usable;
}

/// All that goes to a neighbour in an exchange, or that comes from it.
struct load {
    const struct gcl_request *first; ///< NULL: nothing
    gcl_node node;
    bool is_sent;
    size_t size;
};

static bool is_of(const struct gcl_request *request, const struct load *load) {
    return request->peer == load->node && request->is_sent == load->is_sent && request->region;
}

static struct load find_load(const struct exchange *x, gcl_node node, bool is_sent) {
    struct load load = {.node = node, .is_sent = is_sent};
    for (size_t i = 0; i < x->count; i++) {
        if (!is_of(&x->requests[i], &load))
            continue;
        load.first = load.first ? load.first : &x->requests[i];
        load.size += x->requests[i].size;
    }
    return load;
}

/// Whether a load goes through a ring: both sides find the same.
static bool is_small(const struct gcl_neighbours *n, const struct load *load) {
    return n->form.room > 0 && load->size <= gcl_ring_most(n->form.room);
}

// By rings.

static enum gcl_status push(struct gcl_neighbours *n, const struct exchange *x,
                            const struct load *load) {
    struct gcl_board *board = n->peers[load->node].board;
    struct gcl_ring *ring = gcl_board_ring(board, &n->form, n->self, x->turn.track);
    uint64_t wanted = gcl_ring_wanted(ring, n->form.room, load->size);
    enum gcl_status status = await(n, x, load->first, (struct word){board, &ring->taken, wanted});
    if (status != GCL_OK)
        return status;
    unsigned char *out = gcl_ring_place(ring, n->form.room, load->size);
    for (size_t i = 0; i < x->count; i++) {
        const struct gcl_request *p = &x->requests[i];
        if (!is_of(p, load))
            continue;
        p->packer->pack(p->packer, p->region, p->place, out);
        out += p->size;
    }
    gcl_board_announce(board, &ring->written,
                       gcl_ring_close(ring, n->form.room, x->turn.moment, load->size));
    return GCL_OK;
}

/// Puts a message's bytes where an exchange wants them.
static void put(const struct exchange *x, const struct load *load, const unsigned char *in) {
    for (size_t i = 0; i < x->count; i++) {
        const struct gcl_request *p = &x->requests[i];
        if (!is_of(p, load))
            continue;
        if (p->bytes)
            memcpy(p->bytes, in, p->size);
        else
            p->packer->unpack(p->packer, p->region, in, p->place);
        in += p->size;
    }
}

static enum gcl_status take(struct gcl_neighbours *n, const struct exchange *x,
                            const struct load *load) {
    struct gcl_ring *ring = gcl_board_ring(n->own, &n->form, load->node, x->turn.track);
    enum gcl_status status = await(
        n, x, load->first, (struct word){n->own, &ring->written, atomic_load(&ring->taken) + 1});
    if (status != GCL_OK)
        return status;
    struct gcl_ring_message message = gcl_ring_first(ring, n->form.room);
    // An exchange that ended for want of a node has left in the ring what others sent for it.
    if (atomic_load(&n->has_failed) && message.bytes && message.moment != x->turn.moment)
        return GCL_NODE_LOST;
    if (!message.bytes || message.moment != x->turn.moment || message.size != load->size) {
        gcl_log(GCL_LOG_ERROR, "node %u sent node %u something else than %zu bytes for %s",
                load->node, n->self, load->size, load->first->what ? load->first->what : "it");
        return GCL_SYSTEM;
    }
    put(x, load, message.bytes);
    gcl_board_announce(n->own, &ring->taken, message.end);
    return GCL_OK;
}

// By reading.

/// Whether the owner of a region packs it: both sides find the same.
static bool is_packed(const struct gcl_neighbours *n, const struct gcl_request *request) {
    if (n->peers[request->peer].is_packed)
        return true;
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

/// Whether a neighbour reads what goes to it, or this node reads what it has.
static bool is_read(const struct gcl_neighbours *n, const struct load *load) {
    return load->first && !is_small(n, load);
}

/// `line`: what the reader says to the owner.
static struct gcl_ticket_peer ticket_peer(const struct peer *peer,
                                          const struct gcl_board_line *line) {
    return (struct gcl_ticket_peer){.number = peer->number,
                                    .refuses = atomic_load(&line->refuses),
                                    .process = peer->process,
                                    .descriptor = peer->descriptor};
}

/// Packs what a neighbour is going to read, to `out`, behind which the next one's goes.
static unsigned char *pack_load(const struct gcl_neighbours *n, const struct exchange *x,
                                const struct load *load, unsigned char *out) {
    const struct peer *peer = &n->peers[load->node];
    const struct gcl_ticket_peer reader = ticket_peer(peer, &peer->board->lines[n->self]);
    for (size_t i = 0; i < x->count; i++) {
        const struct gcl_request *p = &x->requests[i];
        bool is_lent = false;
        if (!is_of(p, load) || !is_packed(n, p))
            continue;
        if (peer->is_packed)
            out = gcl_ticket_write(p, &reader, out, &is_lent);
        if (is_lent)
            continue;
        p->packer->pack(p->packer, p->region, p->place, out);
        out += p->size;
    }
    return out;
}

/// Packs what neighbours are going to read, one after the other. False: no memory.
static bool pack(struct gcl_neighbours *n, const struct exchange *x) {
    struct doing *doing = &n->tracks[x->turn.track];
    size_t size = 0;
    for (size_t i = 0; i < x->count; i++) {
        const struct gcl_request *p = &x->requests[i];
        if (p->is_sent && is_ours(n, p) && is_packed(n, p))
            size += p->size + (n->peers[p->peer].is_packed ? GCL_TICKET_MOST : 0);
    }
    if (!make_room(&doing->packed, size))
        return false;
    unsigned char *out = doing->packed.bytes;
    for (gcl_node i = 0; size > 0 && i < n->near_count; i++) {
        const struct load load = find_load(x, n->near[i], true);
        atomic_store(&n->own->lines[load.node].packed_at[x->turn.track], (uintptr_t)out);
        out = is_read(n, &load) ? pack_load(n, x, &load, out) : out;
    }
    return true;
}

/// Reads a region that its owner has packed. To read it run by run would cost the kernel as much as
/// if it weren't packed.
static enum gcl_status read_packed(struct gcl_reading *r, const struct gcl_request *request,
                                   const unsigned char *packed, struct buffer *arrived) {
    if (request->bytes)
        return gcl_reading_add(r, request->bytes, packed, request->size);
    if (!make_room(arrived, request->size))
        return GCL_NO_MEMORY;
    enum gcl_status status = gcl_reading_add(r, arrived->bytes, packed, request->size);
    if (status == GCL_OK)
        status = gcl_reading_finish(r);
    if (status == GCL_OK)
        request->packer->unpack(request->packer, request->region, arrived->bytes, request->place);
    return status;
}

/// Reads all that one neighbour has for this node, and that is ready.
static enum gcl_status read_all(struct gcl_neighbours *n, const struct exchange *x,
                                const struct load *load) {
    const struct peer *peer = &n->peers[load->node];
    struct doing *doing = &n->tracks[x->turn.track];
    struct gcl_reading r;
    enum gcl_status status = GCL_OK;
    struct gcl_board_line *line = &n->own->lines[load->node];
    struct gcl_ticket_peer owner = ticket_peer(peer, line);
    const unsigned char *packed =
        (const unsigned char *)atomic_load(&peer->board->lines[n->self].packed_at[x->turn.track]);
    r.process = peer->process;
    r.pieces = r.size = 0;
    for (size_t i = 0; i < x->count && status == GCL_OK; i++) {
        const struct gcl_request *p = &x->requests[i];
        if (!is_of(p, load))
            continue;
        if (!is_packed(n, p)) {
            status = gcl_reading_add_region(&r, p);
            continue;
        }
        bool is_lent = false;
        if (peer->is_packed)
            status = gcl_ticket_take(p, &owner, &packed, &is_lent);
        if (is_lent && x->turn.mapped)
            *x->turn.mapped += p->size;
        if (status != GCL_OK || is_lent)
            continue;
        status = read_packed(&r, p, packed, &doing->arrived);
        packed += p->size;
    }
    if (owner.refuses)
        atomic_store(&line->refuses, true);
    return status == GCL_OK ? gcl_reading_finish(&r) : status;
}

static enum gcl_status read_when_ready(struct gcl_neighbours *n, const struct exchange *x,
                                       const struct load *load) {
    struct gcl_board *board = n->peers[load->node].board;
    enum gcl_status status = await(
        n, x, load->first, (struct word){board, &board->ready[x->turn.track], x->turn.moment});
    if (status == GCL_OK)
        status = read_all(n, x, load);
    if (status == GCL_OK)
        gcl_board_announce(n->own, &n->own->lines[load->node].taken[x->turn.track], x->turn.moment);
    return status;
}

/// A neighbour has read all that this node had for it: ends what it has been offered with that.
static void end_tickets(struct gcl_neighbours *n, const struct exchange *x,
                        const struct load *load) {
    const struct peer *peer = &n->peers[load->node];
    const struct gcl_ticket_peer reader = ticket_peer(peer, &peer->board->lines[n->self]);
    const unsigned char *packed =
        (const unsigned char *)atomic_load(&n->own->lines[load->node].packed_at[x->turn.track]);
    for (size_t i = 0; peer->is_packed && i < x->count; i++) {
        if (is_of(&x->requests[i], load))
            packed = gcl_ticket_end(&x->requests[i], &reader, packed);
    }
}

/// Waits until neighbours have read what this node had for them.
static enum gcl_status await_readers(struct gcl_neighbours *n, const struct exchange *x) {
    enum gcl_status status = GCL_OK;
    for (gcl_node i = 0; i < n->near_count && status == GCL_OK; i++) {
        const struct load load = find_load(x, n->near[i], true);
        struct gcl_board *board = n->peers[load.node].board;
        if (is_read(n, &load))
            status = await(
                n, x, load.first,
                (struct word){board, &board->lines[n->self].taken[x->turn.track], x->turn.moment});
        if (is_read(n, &load) && status == GCL_OK)
            end_tickets(n, x, &load);
    }
    return status;
}

// Exchange.

/// Whether anything goes by reading.
static bool has_reading(const struct gcl_neighbours *n, const struct exchange *x) {
    for (gcl_node i = 0; i < n->near_count; i++) {
        const struct load out = find_load(x, n->near[i], true),
                          in = find_load(x, n->near[i], false);
        if (is_read(n, &out) || is_read(n, &in))
            return true;
    }
    return false;
}

/// Starts the exchange of a turn, or goes on with it.
static struct doing *begin(struct gcl_neighbours *n, const struct exchange *x) {
    struct doing *doing = &n->tracks[x->turn.track];
    if (doing->moment != x->turn.moment) {
        doing->moment = x->turn.moment;
        doing->sent = doing->came = 0;
    }
    return doing;
}

static enum gcl_status push_all(struct gcl_neighbours *n, const struct exchange *x,
                                struct doing *doing) {
    enum gcl_status status = GCL_OK;
    while (doing->sent < n->near_count && status == GCL_OK) {
        const struct load load = find_load(x, n->near[doing->sent], true);
        if (load.first && is_small(n, &load))
            status = push(n, x, &load);
        doing->sent += status == GCL_OK;
    }
    return status;
}

static enum gcl_status take_all(struct gcl_neighbours *n, const struct exchange *x,
                                struct doing *doing) {
    enum gcl_status status = GCL_OK;
    while (doing->came < n->near_count && status == GCL_OK) {
        const struct load load = find_load(x, n->near[doing->came], false);
        if (load.first)
            status = is_small(n, &load) ? take(n, x, &load) : read_when_ready(n, x, &load);
        doing->came += status == GCL_OK;
    }
    return status;
}

enum gcl_status gcl_neighbours_exchange(struct gcl_neighbours *n, struct gcl_turn turn,
                                        const struct gcl_request *requests, size_t count) {
    const struct exchange x = {turn, requests, count, true};
    struct doing *doing = begin(n, &x);
    bool reads = has_reading(n, &x);
    if (reads && !pack(n, &x))
        return GCL_NO_MEMORY;
    if (reads)
        gcl_board_announce(n->own, &n->own->ready[turn.track], turn.moment);
    enum gcl_status status = push_all(n, &x, doing);
    if (status == GCL_OK)
        status = take_all(n, &x, doing);
    return status == GCL_OK && reads ? await_readers(n, &x) : status;
}

enum gcl_status gcl_neighbours_attempt(struct gcl_neighbours *n, struct gcl_turn turn,
                                       const struct gcl_request *requests, size_t count) {
    const struct exchange x = {turn, requests, count, false};
    struct doing *doing = begin(n, &x);
    enum gcl_status status = push_all(n, &x, doing);
    if (status == GCL_OK && has_reading(n, &x))
        status = GCL_NOT_READY;
    return status == GCL_OK ? take_all(n, &x, doing) : status;
}

enum gcl_status gcl_neighbours_read(const struct gcl_neighbours *n,
                                    const struct gcl_request *request) {
    struct gcl_reading r;
    assert(is_ours(n, request) && !request->is_sent && request->bytes);
    r.process = n->peers[request->peer].process;
    r.pieces = r.size = 0;
    enum gcl_status status = gcl_reading_add_region(&r, request);
    return status == GCL_OK ? gcl_reading_finish(&r) : status;
}
