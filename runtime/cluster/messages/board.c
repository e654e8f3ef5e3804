// A board has the form that all nodes of the job find for it, keeps its size, and is memory from
// the start, so that no use of another node's board can end the process.
#include "board.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x6472616f626c6367)
#define LOOK_NS 50000000 ///< how often somebody who sleeps looks whether a node is lost

enum {
    BOARD_SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL,
    ALIGNMENT = 64,
    MOST_ROOM = 64 << 10,
    MOST_RINGS = 4 << 20, ///< bytes of all rings on a board
};

static size_t align(size_t size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t rings_at(gcl_node count) {
    return align(sizeof(struct gcl_board) + count * sizeof(struct gcl_board_line));
}

struct gcl_board_form gcl_board_form_of(gcl_node count) {
    size_t rings = (size_t)count * GCL_TRACK_COUNT, room = MOST_ROOM;
    while (room >= GCL_RING_LEAST && rings * (sizeof(struct gcl_ring) + room) > MOST_RINGS)
        room /= 2;
    room = room >= GCL_RING_LEAST ? room : 0;
    size_t size = rings_at(count) + (room ? rings * (sizeof(struct gcl_ring) + room) : 0);
    return (struct gcl_board_form){.count = count, .room = room, .size = size};
}

static struct gcl_board *map_board(int descriptor, size_t size) {
    void *board = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return board != MAP_FAILED ? board : NULL;
}

struct gcl_board *gcl_board_create(const struct gcl_board_form *form, int *descriptor) {
    *descriptor = memfd_create("gcluster board", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*descriptor < 0)
        return NULL;
    // Without the memory itself, and not only a size, the first use would end the process.
    errno = posix_fallocate(*descriptor, 0, (off_t)form->size);
    if (errno != 0 || fcntl(*descriptor, F_ADD_SEALS, BOARD_SEALS) != 0)
        return NULL;
    struct gcl_board *board = map_board(*descriptor, form->size);
    if (board)
        board->magic = MAGIC;
    return board;
}

/// Whether a descriptor is another node's board: memory of this user's that has the size of a board
/// and keeps it.
static bool is_board(int descriptor, size_t size) {
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
           status.st_uid == geteuid() && status.st_size == (off_t)size &&
           (fcntl(descriptor, F_GET_SEALS) & BOARD_SEALS) == BOARD_SEALS;
}

static struct gcl_board *map_if_board(int descriptor, size_t size) {
    if (!is_board(descriptor, size)) {
        errno = EBADMSG;
        return NULL;
    }
    struct gcl_board *board = map_board(descriptor, size);
    if (!board || board->magic == MAGIC)
        return board;
    munmap(board, size);
    errno = EBADMSG;
    return NULL;
}

struct gcl_board *gcl_board_open(const struct gcl_board_form *form,
                                 const struct gcl_wire_card *card) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%u/fd/%u", card->process, card->board);
    int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct gcl_board *board = descriptor >= 0 ? map_if_board(descriptor, form->size) : NULL;
    int error = errno;
    if (descriptor >= 0)
        close(descriptor);
    errno = error;
    return board;
}

void gcl_board_close(struct gcl_board *board, const struct gcl_board_form *form) {
    if (board)
        munmap(board, form->size);
}

bool gcl_board_can_read(const struct gcl_wire_card *card) {
    uint64_t magic = 0;
    struct iovec here = {&magic, sizeof magic};
    struct iovec there = {(void *)(uintptr_t)card->board_address, sizeof magic};
    return process_vm_readv((pid_t)card->process, &here, 1, &there, 1, 0) == sizeof magic &&
           magic == MAGIC;
}

struct gcl_ring *gcl_board_ring(struct gcl_board *board, const struct gcl_board_form *form,
                                gcl_node from, enum gcl_track track) {
    assert(form->room > 0 && from < form->count);
    size_t index = (size_t)from * GCL_TRACK_COUNT + track;
    unsigned char *rings = (unsigned char *)board + rings_at(form->count);
    return (struct gcl_ring *)(void *)(rings + index * (sizeof(struct gcl_ring) + form->room));
}

void gcl_board_announce(struct gcl_board *board, _Atomic uint64_t *word, uint64_t value) {
    atomic_store(word, value);
    atomic_fetch_add(&board->changes, 1);
    if (atomic_load(&board->sleepers) > 0)
        syscall(SYS_futex, &board->changes, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

bool gcl_board_sleep(struct gcl_board *board, const _Atomic uint64_t *word, uint64_t value,
                     const atomic_bool *has_failed) {
    const struct timespec look = {.tv_nsec = LOOK_NS};
    while (atomic_load(word) < value) {
        uint32_t changes = atomic_load(&board->changes);
        if (atomic_load(has_failed))
            return false;
        atomic_fetch_add(&board->sleepers, 1);
        if (atomic_load(word) < value)
            syscall(SYS_futex, &board->changes, FUTEX_WAIT, changes, &look, NULL, 0);
        atomic_fetch_sub(&board->sleepers, 1);
    }
    return true;
}
