// Processes that read regions of each other's memory, which lies at the same addresses in all.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "cluster/messages/neighbours.h"
#include "cluster/wire/host.h"

enum { NODES = 3, SIZE = 1 << 20, MOMENTS = 60 };

/// What all processes share, to get to know each other.
struct meeting {
    struct gcl_wire_card cards[NODES];
    _Atomic int steps[4];
    _Atomic uint64_t ahead; ///< messages that node 0 has sent before node 1 took any
};

static void pack(const struct gcl_packer *self, const struct gcl_region *region,
                 const unsigned char *place, unsigned char *packed) {
    (void)self;
    gcl_region_pack(region, place, packed);
}

static void unpack(const struct gcl_packer *self, const struct gcl_region *region,
                   const unsigned char *packed, unsigned char *place) {
    (void)self;
    gcl_region_unpack(region, packed, (struct gcl_span){0, 2 * SIZE}, place);
}

static struct gcl_packer packer = {.pack = pack, .unpack = unpack};

static struct meeting *meeting;
static unsigned char *memory;

// Nodes whose memory others can map: all of it is one loan, a file.

static int file = -1;                  ///< this node's memory
static unsigned char *borrowed[NODES]; ///< by neighbour
static atomic_bool has_lent[NODES];
static atomic_int open_offers, copies;
static bool refuses;

static bool offer(unsigned neighbour, const struct gcl_region *region, const unsigned char *place,
                  struct gcl_loan *loans, size_t *count) {
    (void)region, (void)place;
    if (has_lent[neighbour] || !loans)
        return has_lent[neighbour];
    loans[(*count)++] = (struct gcl_loan){(uintptr_t)memory, 1, dup(file)};
    open_offers++;
    return false;
}

static void end_offer(unsigned neighbour, const struct gcl_loan *loans, size_t count,
                      bool is_taken) {
    if (count != 1 || close((int)loans->descriptor) != 0)
        exit(10);
    open_offers--;
    if (is_taken)
        has_lent[neighbour] = true;
}

static bool borrow(unsigned neighbour, const struct gcl_loan *loan, int descriptor) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (refuses)
        return false;
    pthread_mutex_lock(&lock);
    if (!borrowed[neighbour])
        borrowed[neighbour] = mmap(NULL, 2 * SIZE, PROT_READ, MAP_SHARED, descriptor, 0);
    pthread_mutex_unlock(&lock);
    if (borrowed[neighbour] == MAP_FAILED || loan->begin != (uintptr_t)memory)
        exit(10);
    return true;
}

static void copy(unsigned neighbour, const struct gcl_region *region, unsigned char *place,
                 unsigned char *packed) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run;
    copies++;
    while (gcl_region_next(&cursor, &run)) {
        size_t size = (size_t)(run.end - run.begin);
        memcpy(packed ? packed : place + run.begin,
               borrowed[neighbour] + (place + run.begin - memory), size);
        packed = packed ? packed + size : NULL;
    }
}

static const struct gcl_lending lending = {
    .offer = offer, .end_offer = end_offer, .borrow = borrow, .copy = copy};

/// Has this node's memory be such that the host doesn't reach it, but others map it. `refusing`:
/// this one maps nothing.
static void set_apart(bool refusing) {
    file = memfd_create("device", MFD_CLOEXEC);
    if (ftruncate(file, 2 * SIZE) != 0 ||
        mmap(memory, 2 * SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != memory)
        exit(1);
    packer.lending = &lending;
    packer.is_apart = true;
    refuses = refusing;
}

static void meet_of(int step, int count) {
    meeting->steps[step]++;
    while (meeting->steps[step] < count)
        usleep(100);
}

static void meet(int step) {
    meet_of(step, NODES);
}

static struct gcl_neighbours *join(gcl_node self) {
    struct gcl_wire_card *card = &meeting->cards[self];
    gcl_host_describe(card);
    card->is_apart = packer.is_apart;
    card->is_packed = packer.is_apart;
    struct gcl_neighbours *n = gcl_neighbours_create(self, NODES, card);
    if (!n)
        exit(2);
    meet(0);
    gcl_neighbours_connect(n, meeting->cards);
    meet(1);
    gcl_neighbours_agree(n);
    return n;
}

/// A node's bytes of a moment.
static unsigned char value_of(gcl_node node, int64_t moment, int64_t offset) {
    return (unsigned char)(node * 85 + moment * 31 + offset * 7 + (offset >> 8));
}

/// What `from` sends `to` at a moment: one run, long ones, many short ones, or nothing.
static struct gcl_region region_of(gcl_node from, gcl_node to, int64_t moment) {
    struct gcl_region region = {.count = 0};
    int64_t begin = (int64_t)(from * 13 + to * 5) + moment;
    struct gcl_level levels[] = {{24, 3000}, {3000, 9}, {70000, 12}};
    switch ((from + 2 * to + (uint64_t)moment) % 5) {
    case 0:
        return gcl_region_run(begin, begin + 600000);
    case 4:
        return region;
    default:
        if (!gcl_region_from_box(begin, 5 + moment % 9,
                                 &levels[(from + 2 * to + (uint64_t)moment) % 5 - 1], 1, &region))
            exit(2);
        return region;
    }
}

static void check_region(const struct gcl_region *region, const unsigned char *packed,
                         gcl_node from, int64_t moment) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run)) {
        for (int64_t i = run.begin; i < run.end; i++) {
            unsigned char got = packed ? *packed++ : memory[i];
            if (got != value_of(from, moment, i))
                exit(3);
        }
    }
}

/// Exchanges with both others; what comes is kept packed.
static void run_moment(struct gcl_neighbours *n, gcl_node self, int64_t moment) {
    struct gcl_request requests[2 * NODES];
    struct gcl_region regions[2 * NODES];
    unsigned char *source = memory + SIZE; // so that nobody changes what it sends
    size_t count = 0;
    for (int64_t i = 0; i < SIZE; i++)
        source[i] = value_of(self, moment, i);
    for (gcl_node i = 0; i < 2 * NODES; i++) {
        gcl_node peer = i / 2;
        bool is_sent = i % 2;
        regions[count] = is_sent ? region_of(self, peer, moment) : region_of(peer, self, moment);
        if (peer == self || gcl_region_is_empty(&regions[count]))
            continue;
        requests[count] = (struct gcl_request){.peer = peer,
                                               .is_sent = is_sent,
                                               .size = (size_t)gcl_region_size(&regions[count]),
                                               .region = &regions[count],
                                               .place = source,
                                               .packer = &packer};
        if (!is_sent)
            requests[count].bytes = malloc(requests[count].size);
        count++;
    }
    if (gcl_neighbours_exchange(n, (struct gcl_turn){.moment = (uint64_t)moment}, requests,
                                count) != GCL_OK)
        exit(4);
    for (size_t i = 0; i < count; i++) {
        if (!requests[i].is_sent)
            check_region(&regions[i], requests[i].bytes, requests[i].peer, moment);
        free(requests[i].bytes);
        gcl_region_finish(&regions[i]);
    }
}

/// Node 0 sends all of its bytes to their places on node 1.
static void run_place(struct gcl_neighbours *n, gcl_node self, int64_t moment) {
    const struct gcl_level level = {100, 1000};
    struct gcl_region region = {.count = 0};
    if (self == 2)
        return;
    memset(memory, 0, SIZE);
    for (int64_t i = 0; self == 0 && i < SIZE; i++)
        memory[i] = value_of(0, moment, i);
    if (moment % 2)
        region = gcl_region_run(moment, SIZE - moment);
    else if (!gcl_region_from_box(moment, 40, &level, 1, &region))
        exit(2);
    struct gcl_request request = {.peer = 1 - self,
                                  .is_sent = self == 0,
                                  .size = (size_t)gcl_region_size(&region),
                                  .region = &region,
                                  .place = memory,
                                  .packer = &packer};
    if (gcl_neighbours_exchange(n, (struct gcl_turn){.moment = (uint64_t)moment}, &request, 1) !=
        GCL_OK)
        exit(4);
    check_region(&region, NULL, 0, moment);
    if (self == 1 && memory[moment - 1] != 0)
        exit(5); // nothing beside it
    gcl_region_finish(&region);
}

/// One track's exchanges: all nodes send each other a run of the track's own memory.
struct tour {
    struct gcl_neighbours *neighbours;
    gcl_node self;
    enum gcl_track track;
    pthread_t thread;
};

static void *go(void *context) {
    const struct tour *tour = context;
    enum { STRETCH = SIZE / (GCL_TRACK_COUNT * NODES) };
    for (int64_t moment = 1; moment <= MOMENTS; moment++) {
        struct gcl_request requests[2 * NODES];
        struct gcl_region regions[NODES];
        unsigned char *place = memory + tour->track * NODES * STRETCH;
        size_t count = 0;
        // Some short runs, or a long one.
        const struct gcl_level level = {30, moment % 2 ? 20 : 1};
        for (gcl_node i = 0; i < NODES; i++) {
            regions[i] = (struct gcl_region){.count = 0};
            if (!gcl_region_from_box(i * STRETCH, moment % 2 ? 8 : STRETCH, &level, 1, &regions[i]))
                exit(2);
        }
        for (int64_t i = 0; i < STRETCH; i++)
            place[tour->self * STRETCH + i] = value_of(tour->self, moment + tour->track, i);
        for (gcl_node i = 0; i < 2 * NODES; i++) {
            if (i / 2 != tour->self) {
                const struct gcl_region *region = &regions[i % 2 ? tour->self : i / 2];
                requests[count++] = (struct gcl_request){.peer = i / 2,
                                                         .is_sent = i % 2,
                                                         .size = (size_t)gcl_region_size(region),
                                                         .region = region,
                                                         .place = place,
                                                         .packer = &packer};
            }
        }
        // Nodes come to the tracks' exchanges in any order.
        if ((moment + tour->track + tour->self) % 5 == 0)
            usleep(500);
        struct gcl_turn turn = {.track = tour->track,
                                .moment = (uint64_t)(moment * (tour->track + 1))};
        if (gcl_neighbours_exchange(tour->neighbours, turn, requests, count) != GCL_OK)
            exit(4);
        for (gcl_node i = 0; i < NODES; i++) {
            struct gcl_region_cursor cursor = {.region = &regions[i]};
            struct gcl_span run;
            while (gcl_region_next(&cursor, &run)) {
                for (int64_t k = run.begin; k < run.end; k++) {
                    if (place[k] != value_of(i, moment + tour->track, k - i * STRETCH))
                        exit(6);
                }
            }
            gcl_region_finish(&regions[i]);
        }
    }
    return NULL;
}

static void run_tracks(struct gcl_neighbours *n, gcl_node self) {
    struct tour tours[GCL_TRACK_COUNT];
    for (int i = 0; i < GCL_TRACK_COUNT; i++) {
        tours[i] = (struct tour){.neighbours = n, .self = self, .track = (enum gcl_track)i};
        if (pthread_create(&tours[i].thread, NULL, go, &tours[i]) != 0)
            exit(1);
    }
    for (int i = 0; i < GCL_TRACK_COUNT; i++)
        pthread_join(tours[i].thread, NULL);
}

/// Sends `size` bytes of a moment to one node and gets as much from another one, by attempts.
static void attempt(struct gcl_neighbours *n, gcl_node self, uint64_t moment, size_t size) {
    gcl_node to = (self + 1) % NODES, from = (self + NODES - 1) % NODES;
    const int64_t half = SIZE / 2;
    struct gcl_region out = gcl_region_run(0, (int64_t)size),
                      in = gcl_region_run(half, half + (int64_t)size);
    struct gcl_request requests[] = {{.peer = to, .is_sent = true, .region = &out},
                                     {.peer = from, .region = &in}};
    enum gcl_status status = GCL_NOT_READY;
    for (int i = 0; i < 2; i++) {
        requests[i].size = size;
        requests[i].place = memory;
        requests[i].packer = &packer;
    }
    for (int64_t i = 0; i < (int64_t)size; i++)
        memory[i] = value_of(self, (int64_t)moment, i);
    while (status == GCL_NOT_READY) {
        status = gcl_neighbours_attempt(n, (struct gcl_turn){.moment = moment}, requests, 2);
        if (status == GCL_NOT_READY)
            sched_yield();
    }
    if (status != GCL_OK)
        exit(4);
    for (int64_t i = 0; i < (int64_t)size; i++) {
        if (memory[half + i] != value_of(from, (int64_t)moment, i))
            exit(7);
    }
}

/// Small amounts go around, of all sizes; nobody waits inside of the exchange.
static void run_attempts(struct gcl_neighbours *n, gcl_node self, uint64_t moment) {
    for (uint64_t i = 0; i < 2000; i++)
        attempt(n, self, moment + i, 1 + i * 37 % 3000);
}

/// Node 0 runs ahead of node 1 until there is no room, with small amounts and then a large one,
/// which only gcl_neighbours_exchange sends.
static void run_ahead(struct gcl_neighbours *n, gcl_node self, uint64_t moment) {
    const struct gcl_region few = gcl_region_run(0, 1000), many = gcl_region_run(0, SIZE);
    struct gcl_request request = {.peer = 1 - self,
                                  .is_sent = self == 0,
                                  .size = 1000,
                                  .region = &few,
                                  .place = memory,
                                  .packer = &packer};
    struct gcl_turn turn = {.moment = moment};
    uint64_t ahead = 0;
    if (self == 2)
        return;
    while (self == 0 && gcl_neighbours_attempt(n, turn, &request, 1) == GCL_OK)
        turn.moment = moment + ++ahead;
    meeting->ahead += ahead;
    meet_of(3, 2);
    ahead = meeting->ahead;
    if (ahead < 2 || ahead > 1000)
        exit(8); // a ring has room for some messages, but for no more than it has bytes
    for (turn.moment = moment; turn.moment < moment + ahead + 1; turn.moment++) {
        bool is_sent = self == 0 && turn.moment < moment + ahead;
        if (!is_sent && gcl_neighbours_exchange(n, turn, &request, 1) != GCL_OK)
            exit(4);
    }
    request.region = &many;
    request.size = SIZE;
    if (gcl_neighbours_attempt(n, turn, &request, 1) != GCL_NOT_READY ||
        gcl_neighbours_exchange(n, turn, &request, 1) != GCL_OK)
        exit(4);
}

/// Node 0 waits for 8 bytes, and node 1 sends 9: that isn't taken for something else.
static void run_disagreement(struct gcl_neighbours *n, gcl_node self, uint64_t moment) {
    const struct gcl_region region = gcl_region_run(0, self == 0 ? 8 : 9);
    const struct gcl_request request = {.peer = 1 - self,
                                        .is_sent = self == 1,
                                        .size = self == 0 ? 8 : 9,
                                        .region = &region,
                                        .place = memory,
                                        .packer = &packer};
    if (self < 2 && gcl_neighbours_exchange(n, (struct gcl_turn){.moment = moment}, &request, 1) !=
                        (self == 0 ? GCL_SYSTEM : GCL_OK))
        exit(9);
}

static int run_node(gcl_node self) {
    struct gcl_neighbours *n = join(self);
    for (gcl_node i = 0; i < NODES; i++) {
        if (gcl_neighbours_has(n, i) != (i != self))
            return 1;
    }
    run_tracks(n, self);
    for (int64_t moment = MOMENTS + 1; moment <= 2 * MOMENTS; moment++)
        run_moment(n, self, moment);
    for (int64_t moment = 2 * MOMENTS + 1; moment <= 2 * MOMENTS + 10; moment++)
        run_place(n, self, moment);
    run_attempts(n, self, 1000);
    run_ahead(n, self, 10000);
    run_disagreement(n, self, 20000);
    meet(2);
    gcl_neighbours_destroy(n);
    return 0;
}

/// Node 2 maps nothing of others', who map what it has.
static int run_apart(gcl_node self) {
    set_apart(self == 2);
    struct gcl_neighbours *n = join(self);
    run_tracks(n, self);
    for (int64_t moment = MOMENTS + 1; moment <= 2 * MOMENTS; moment++)
        run_moment(n, self, moment);
    for (int64_t moment = 2 * MOMENTS + 1; moment <= 2 * MOMENTS + 10; moment++)
        run_place(n, self, moment);
    meet(2);
    gcl_neighbours_destroy(n);
    if (open_offers != 0 || (copies > 0) != (self != 2))
        return 11;
    return 0;
}

static void start(void) {
    const int shared = MAP_SHARED | MAP_ANONYMOUS, own = MAP_PRIVATE | MAP_ANONYMOUS;
    meeting = mmap(NULL, sizeof *meeting, PROT_READ | PROT_WRITE, shared, -1, 0);
    memory = mmap(NULL, 2 * SIZE, PROT_READ | PROT_WRITE, own, -1, 0);
    assert_ptr_not_equal(meeting, MAP_FAILED);
    assert_ptr_not_equal(memory, MAP_FAILED);
}

static void run_nodes(int run(gcl_node self)) {
    start();
    for (gcl_node i = 0; i < NODES; i++) {
        if (fork() == 0)
            _exit(run(i));
    }
    for (gcl_node i = 0; i < NODES; i++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
}

static void test_exchange(void **state) {
    (void)state;
    run_nodes(run_node);
}

static void test_lending(void **state) {
    (void)state;
    run_nodes(run_apart);
}

static void *fail_later(void *neighbours) {
    usleep(100000);
    gcl_neighbours_fail(neighbours);
    return NULL;
}

/// Node 0 waits for what the last one sends, node 1 until that has taken something; it is gone.
static int wait_in_vain(gcl_node self) {
    struct gcl_neighbours *n = join(self);
    struct gcl_region region = gcl_region_run(0, SIZE);
    struct gcl_request request = {
        .peer = 2, .is_sent = self == 1, .size = SIZE, .region = &region, .place = memory};
    const struct gcl_region few = gcl_region_run(0, 8);
    const struct gcl_request left = {.peer = 1 - self,
                                     .is_sent = self == 1,
                                     .size = 8,
                                     .region = &few,
                                     .place = memory,
                                     .packer = &packer};
    struct gcl_turn turn = {.track = GCL_TRACK_IN, .moment = 1};
    pthread_t thread;
    if (self == 2)
        return 0;
    alarm(20);
    if (self == 1 && gcl_neighbours_exchange(n, turn, &left, 1) != GCL_OK)
        return 2;
    if (pthread_create(&thread, NULL, fail_later, n) != 0)
        return 1;
    enum gcl_status status =
        gcl_neighbours_exchange(n, (struct gcl_turn){.moment = 1}, &request, 1);
    pthread_join(thread, NULL);
    if (status != GCL_NODE_LOST)
        return 1;
    // What node 1 has sent for an exchange that hasn't been isn't taken for the next one's.
    turn.moment = 2;
    return self == 1 || gcl_neighbours_exchange(n, turn, &left, 1) == GCL_NODE_LOST ? 0 : 3;
}

static void test_loss(void **state) {
    (void)state;
    start();
    for (gcl_node i = 0; i < NODES; i++) {
        if (fork() == 0)
            _exit(wait_in_vain(i));
    }
    for (gcl_node i = 0; i < NODES; i++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
}

/// What somebody calls a board and isn't one.
enum none { TOO_SMALL, TOO_LARGE, NOT_SEALED, NOT_MARKED, NO_MEMORY_AT_ALL, NONES };

static int open_none(enum none none, size_t size) {
    if (none == NO_MEMORY_AT_ALL)
        return open("/dev/zero", O_RDWR | O_CLOEXEC);
    size_t actual = none == TOO_SMALL ? size - 1 : none == TOO_LARGE ? size + 4096 : size;
    int descriptor = memfd_create("none", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int seals = none == NOT_SEALED ? F_SEAL_GROW : F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
    assert_int_equal(ftruncate(descriptor, (off_t)actual), 0);
    const uint64_t *magic = (const uint64_t *)(uintptr_t)meeting->cards[0].board_address;
    if (none != NOT_MARKED)
        assert_int_equal(pwrite(descriptor, magic, sizeof *magic, 0), sizeof *magic);
    assert_int_equal(fcntl(descriptor, F_ADD_SEALS, seals), 0);
    return descriptor;
}

// Boards that could end the process as they are used, or are none, aren't mapped.
static void test_boards(void **state) {
    struct stat status;
    (void)state;
    start();
    for (gcl_node i = 0; i < NODES; i++)
        gcl_host_describe(&meeting->cards[i]);
    struct gcl_neighbours *n = gcl_neighbours_create(0, NODES, &meeting->cards[0]);
    assert_non_null(n);
    assert_int_equal(fstat((int)meeting->cards[0].board, &status), 0);
    for (enum none none = 0; none < NONES; none++) {
        int descriptor = open_none(none, (size_t)status.st_size);
        for (gcl_node i = 1; i < NODES; i++) {
            meeting->cards[i].board = (uint32_t)descriptor;
            meeting->cards[i].board_address = meeting->cards[0].board_address;
        }
        gcl_neighbours_connect(n, meeting->cards);
        gcl_neighbours_agree(n);
        assert_false(gcl_neighbours_has(n, 1));
        assert_false(gcl_neighbours_has(n, 2));
        close(descriptor);
    }
    gcl_neighbours_destroy(n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_lending),
        cmocka_unit_test(test_loss),
        cmocka_unit_test(test_boards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
