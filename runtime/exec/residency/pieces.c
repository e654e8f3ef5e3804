#include "exec/residency/pieces.h"

#include <string.h>
#include <sys/uio.h>

#include "exec/residency/move.h"
#include "plan/directory/pages.h"

typedef enum gcl_status move_pages(struct gcl_residency *r, uintptr_t begin, size_t size,
                                   const unsigned char *bytes);

struct pages {
    uintptr_t begin, end;
    const unsigned char *bytes;
};

/// Adds pages to those before them; false: they don't lie behind them.
static bool join(struct pages *all, const struct pages *next) {
    bool is_next = all->end == next->begin &&
                   (!next->bytes || next->bytes == all->bytes + (all->end - all->begin));
    if (is_next)
        all->end = next->end;
    return is_next;
}

/// Calls `move` for each run of the pieces' pages.
static enum gcl_status each_run(struct gcl_residency *r, const struct gcl_piece *pieces,
                                size_t count, move_pages *move) {
    struct pages all = {.begin = 0};
    enum gcl_status status = GCL_OK;
    for (size_t i = 0; i < count; i++) {
        uint32_t rest = r->chunks[pieces[i].number].pages;
        while (rest && status == GCL_OK) {
            unsigned first = (unsigned)__builtin_ctz(rest);
            unsigned length = (unsigned)__builtin_ctz(~(rest >> first));
            size_t offset = (size_t)first * GCL_PAGE_SIZE;
            uintptr_t begin = gcl_chunk_begin(r, pieces[i].number) + offset;
            struct pages next = {begin, begin + (size_t)length * GCL_PAGE_SIZE,
                                 pieces[i].bytes ? pieces[i].bytes + offset : NULL};
            rest &= ~(((UINT32_C(1) << length) - 1) << first);
            if (join(&all, &next))
                continue;
            if (all.end > all.begin)
                status = move(r, all.begin, all.end - all.begin, all.bytes);
            all = next;
        }
    }
    return status == GCL_OK && all.end > all.begin
               ? move(r, all.begin, all.end - all.begin, all.bytes)
               : status;
}

static enum gcl_status protect(struct gcl_residency *r, uintptr_t begin, size_t size,
                               const unsigned char *bytes) {
    (void)bytes;
    return gcl_guard_protect(r->guard, begin, size);
}

static enum gcl_status unprotect(struct gcl_residency *r, uintptr_t begin, size_t size,
                                 const unsigned char *bytes) {
    (void)bytes;
    return gcl_guard_open(r->guard, begin, size);
}

static enum gcl_status move_out(struct gcl_residency *r, uintptr_t begin, size_t size,
                                const unsigned char *bytes) {
    return gcl_guard_move(r->guard, (uintptr_t)bytes, begin, size);
}

static enum gcl_status move_in(struct gcl_residency *r, uintptr_t begin, size_t size,
                               const unsigned char *bytes) {
    return gcl_guard_move(r->guard, begin, (uintptr_t)bytes, size);
}

static enum gcl_status fill_open(struct gcl_residency *r, uintptr_t begin, size_t size,
                                 const unsigned char *bytes) {
    return gcl_guard_fill(r->guard, begin, bytes, size, true);
}

static enum gcl_status fill_protected(struct gcl_residency *r, uintptr_t begin, size_t size,
                                      const unsigned char *bytes) {
    return gcl_guard_fill(r->guard, begin, bytes, size, false);
}

static enum gcl_status clear(struct gcl_residency *r, uintptr_t begin, size_t size,
                             const unsigned char *bytes) {
    (void)bytes;
    return gcl_guard_clear(r->guard, begin, size);
}

static enum gcl_status copy_out(struct gcl_residency *r, uintptr_t begin, size_t size,
                                const unsigned char *bytes) {
    (void)r;
    memcpy((unsigned char *)bytes, (const void *)begin, size);
    return GCL_OK;
}

enum gcl_status gcl_pieces_protect(struct gcl_residency *r, const struct gcl_piece *pieces,
                                   size_t count) {
    return each_run(r, pieces, count, protect);
}

enum gcl_status gcl_pieces_open(struct gcl_residency *r, const struct gcl_piece *pieces,
                                size_t count) {
    return each_run(r, pieces, count, unprotect);
}

enum gcl_status gcl_pieces_clear(struct gcl_residency *r, const struct gcl_piece *pieces,
                                 size_t count) {
    return each_run(r, pieces, count, clear);
}

enum gcl_status gcl_pieces_fill(struct gcl_residency *r, const struct gcl_piece *pieces,
                                size_t count, bool is_open) {
    return each_run(r, pieces, count, is_open ? fill_open : fill_protected);
}

enum gcl_status gcl_pieces_move_out(struct gcl_residency *r, const struct gcl_piece *pieces,
                                    size_t count) {
    return each_run(r, pieces, count, move_out);
}

enum gcl_status gcl_pieces_move_in(struct gcl_residency *r, const struct gcl_piece *pieces,
                                   size_t count) {
    return each_run(r, pieces, count, move_in);
}

void gcl_pieces_copy_out(struct gcl_residency *r, const struct gcl_piece *pieces, size_t count) {
    each_run(r, pieces, count, copy_out);
}

enum gcl_status gcl_pieces_drop(struct gcl_residency *r, const uint32_t *chunks, size_t count) {
    struct iovec runs[GCL_MOVE_MOST];
    size_t run_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct iovec *last = run_count ? &runs[run_count - 1] : NULL;
        if (last && chunks[i] == chunks[i - 1] + 1)
            last->iov_len += GCL_CHUNK_SIZE;
        else
            runs[run_count++] =
                (struct iovec){(void *)gcl_chunk_begin(r, chunks[i]), GCL_CHUNK_SIZE};
    }
    return gcl_guard_drop_all(r->guard, runs, run_count);
}
