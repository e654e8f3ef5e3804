// Copies and fills. When a copy reads and writes, and when its call returns, is what CUDA says of
// each direction (its "API synchronization behavior"), and no better: a copy from page-locked
// memory reads it when it runs; a call that copies from pageable memory returns when that is
// staged, before the bytes are on the device; copies within the device, and fills, are waited for
// by nobody.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "card.h"

/// What a call's parameter has to be.
enum wanted { ANY, HOST, DEVICE };

struct end {
    uint64_t address;
    size_t pitch, slice;
    enum wanted wanted;
    struct card_context *context; ///< whose memory it is
    enum card_place place;
};

/// `depth` slices of `height` rows of `width` bytes. A fill has no source, but a value.
struct copy {
    struct end target, source;
    size_t width, height, depth;
    unsigned char *staged; ///< the source's rows, packed
    unsigned value, value_size;
};

static struct copy copy_of(uint64_t target, uint64_t source, size_t size, enum wanted target_wanted,
                           enum wanted source_wanted) {
    return (struct copy){
        .target = {.address = target, .wanted = target_wanted, .context = card_current()},
        .source = {.address = source, .wanted = source_wanted, .context = card_current()},
        .width = size,
        .height = 1,
        .depth = 1,
    };
}

static size_t row_count(const struct copy *copy) {
    return copy->height * copy->depth;
}

static uint64_t row_of(const struct copy *copy, const struct end *end, size_t row) {
    return end->address + row / copy->height * end->slice + row % copy->height * end->pitch;
}

// Running.

static void fill_row(uint64_t target, const struct copy *copy) {
    for (size_t done = 0; done < copy->width;) {
        size_t size = copy->width - done;
        pthread_mutex_lock(&card.lock);
        unsigned char *bytes = card_bytes_at(target + done, &size);
        pthread_mutex_unlock(&card.lock);
        if (copy->value_size == 1)
            memset(bytes, (int)copy->value, size);
        for (size_t i = 0; copy->value_size > 1 && i < size; i += copy->value_size)
            memcpy(bytes + i, &copy->value, copy->value_size);
        done += size;
    }
}

static void copy_row(uint64_t target, uint64_t source, size_t width) {
    for (size_t done = 0; done < width;) {
        size_t size = width - done;
        pthread_mutex_lock(&card.lock);
        unsigned char *to = card_bytes_at(target + done, &size);
        const unsigned char *from = card_bytes_at(source + done, &size);
        pthread_mutex_unlock(&card.lock);
        memcpy(to, from, size);
        done += size;
    }
}

static int run(struct card_task *task) {
    const struct copy *copy = task->data;
    usleep(copy->value_size ? 0 : card.settings.copy_ms * 1000);
    for (size_t row = 0; row < row_count(copy); row++) {
        uint64_t target = row_of(copy, &copy->target, row);
        if (copy->value_size)
            fill_row(target, copy);
        else if (copy->staged)
            copy_row(target, (uint64_t)(copy->staged + row * copy->width), copy->width);
        else
            copy_row(target, row_of(copy, &copy->source, row), copy->width);
    }
    return CUDA_SUCCESS;
}

static void finish(struct card_task *task) {
    struct copy *copy = task->data;
    free(copy->staged);
    free(copy);
}

// Checks.

static int place(const struct copy *copy, struct end *end, const char *what, bool is_write) {
    for (size_t row = 0; row < row_count(copy); row++) {
        uint64_t address = row_of(copy, end, row);
        enum card_place found = card_place_of(end->context, address, copy->width, is_write);
        if (row > 0 && found != end->place)
            card_misuse("the %s's rows lie partly in memory that the driver knows", what);
        end->place = found;
    }
    if (end->wanted == HOST && end->place == CARD_DEVICE_MEMORY)
        card_misuse("the %s, %#" PRIx64 ", is memory of the device", what, end->address);
    return end->wanted == DEVICE && end->place == CARD_PAGEABLE ? CUDA_ERROR_INVALID_VALUE
                                                                : CUDA_SUCCESS;
}

static int check(struct copy *copy) {
    int result = place(copy, &copy->target, "target", true);
    if (result || copy->value_size)
        return result;
    uint64_t target = copy->target.address, source = copy->source.address;
    if (row_count(copy) == 1 && target < source + copy->width && source < target + copy->width)
        card_misuse("source and target overlap");
    return place(copy, &copy->source, "source", false);
}

static void note_uses(struct card_task *task, const struct copy *copy, const struct end *end) {
    enum { MANY = 64 };
    size_t rows = row_count(copy);
    if (rows > MANY) {
        uint64_t last = row_of(copy, end, rows - 1) + copy->width;
        card_task_use(task, end->address, last - end->address);
        return;
    }
    for (size_t row = 0; row < rows; row++)
        card_task_use(task, row_of(copy, end, row), copy->width);
}

static void stage(struct copy *copy) {
    copy->staged = card_allocate(row_count(copy), copy->width);
    for (size_t row = 0; row < row_count(copy); row++)
        memcpy(copy->staged + row * copy->width, (void *)row_of(copy, &copy->source, row),
               copy->width);
}

// Submission.

static void submit(struct card_stream *stream, const struct copy *copy) {
    static const char *const places[] = {
        [CARD_PAGEABLE] = "pageable", [CARD_PINNED] = "pinned", [CARD_DEVICE_MEMORY] = "device"};
    struct copy *kept = card_allocate(1, sizeof *kept);
    *kept = *copy;
    if (!copy->value_size)
        card_log("copy %s %s %zu", places[copy->source.place], places[copy->target.place],
                 row_count(copy) * copy->width);
    struct card_task *task = card_task_create(stream, run, finish, kept);
    note_uses(task, copy, &copy->target);
    if (!copy->value_size && !copy->staged)
        note_uses(task, copy, &copy->source);
    card_task_submit(task);
}

static int await(struct card_stream *stream) {
    return card_moment_await(stream->context, card_moment_of(stream));
}

/// A legacy stream's next task waits for all blocking streams.
static int await_before_staging(struct card_stream *stream) {
    int result = CUDA_SUCCESS;
    for (struct card_stream *s = stream->context->streams; s && !result; s = s->next) {
        if (s->is_blocking)
            result = await(s);
    }
    return result;
}

static int copy_in(struct card_stream *stream, struct copy copy, bool is_async) {
    if (copy.width == 0 || row_count(&copy) == 0)
        return CUDA_SUCCESS;
    int result = check(&copy);
    if (result)
        return result;
    enum card_place from = copy.source.place, to = copy.target.place;
    if (copy.value_size) {
        submit(stream, &copy);
        return !is_async && to == CARD_PINNED ? await(stream) : CUDA_SUCCESS;
    }
    if (from == CARD_PAGEABLE && to == CARD_DEVICE_MEMORY) {
        result = is_async ? CUDA_SUCCESS : await_before_staging(stream);
        if (result)
            return result;
        stage(&copy);
        submit(stream, &copy);
        return CUDA_SUCCESS;
    }
    submit(stream, &copy);
    bool is_within_device = from == CARD_DEVICE_MEMORY && to == CARD_DEVICE_MEMORY;
    bool is_within_host = from != CARD_DEVICE_MEMORY && to != CARD_DEVICE_MEMORY;
    if (is_async ? is_within_host || to == CARD_PAGEABLE : !is_within_device)
        return await(stream);
    return CUDA_SUCCESS;
}

static int copy_async(const struct copy *copy, void *stream) {
    return copy_in(card_stream_find(stream), *copy, true);
}

static int copy_sync(const struct copy *copy) {
    return copy_in(card_current()->legacy, *copy, false);
}

// Bytes in a row.

static int copy_bytes(const char *call, uint64_t target, enum wanted target_wanted, uint64_t source,
                      enum wanted source_wanted, size_t size) {
    int result = card_enter(call, CARD_CONTEXT);
    if (result)
        return card_leave(result);
    struct copy copy = copy_of(target, source, size, target_wanted, source_wanted);
    return card_leave(copy_sync(&copy));
}

static int copy_bytes_async(const char *call, const struct end *target, const struct end *source,
                            size_t size, void *stream) {
    int result = card_enter(call, CARD_CONTEXT);
    if (result)
        return card_leave(result);
    struct copy copy =
        copy_of(target->address, source->address, size, target->wanted, source->wanted);
    return card_leave(copy_async(&copy, stream));
}

int cuMemcpy(uint64_t target, uint64_t source, size_t size) {
    return copy_bytes("cuMemcpy", target, ANY, source, ANY, size);
}

int cuMemcpyHtoD_v2(uint64_t target, const void *source, size_t size) {
    return copy_bytes("cuMemcpyHtoD_v2", target, DEVICE, (uint64_t)source, HOST, size);
}

int cuMemcpyDtoH_v2(void *target, uint64_t source, size_t size) {
    return copy_bytes("cuMemcpyDtoH_v2", (uint64_t)target, HOST, source, DEVICE, size);
}

int cuMemcpyDtoD_v2(uint64_t target, uint64_t source, size_t size) {
    return copy_bytes("cuMemcpyDtoD_v2", target, DEVICE, source, DEVICE, size);
}

int cuMemcpyAsync(uint64_t target, uint64_t source, size_t size, void *stream) {
    return copy_bytes_async("cuMemcpyAsync", &(struct end){target, .wanted = ANY},
                            &(struct end){source, .wanted = ANY}, size, stream);
}

int cuMemcpyHtoDAsync_v2(uint64_t target, const void *source, size_t size, void *stream) {
    return copy_bytes_async("cuMemcpyHtoDAsync_v2", &(struct end){target, .wanted = DEVICE},
                            &(struct end){(uint64_t)source, .wanted = HOST}, size, stream);
}

int cuMemcpyDtoHAsync_v2(void *target, uint64_t source, size_t size, void *stream) {
    return copy_bytes_async("cuMemcpyDtoHAsync_v2", &(struct end){(uint64_t)target, .wanted = HOST},
                            &(struct end){source, .wanted = DEVICE}, size, stream);
}

int cuMemcpyDtoDAsync_v2(uint64_t target, uint64_t source, size_t size, void *stream) {
    return copy_bytes_async("cuMemcpyDtoDAsync_v2", &(struct end){target, .wanted = DEVICE},
                            &(struct end){source, .wanted = DEVICE}, size, stream);
}

static struct copy peer_copy(uint64_t target, void *target_context, uint64_t source,
                             void *source_context, size_t size) {
    struct copy copy = copy_of(target, source, size, DEVICE, DEVICE);
    copy.target.context = card_handle_find(CARD_KIND_CONTEXT, (uint64_t)target_context);
    copy.source.context = card_handle_find(CARD_KIND_CONTEXT, (uint64_t)source_context);
    return copy;
}

int cuMemcpyPeer(uint64_t target, void *target_context, uint64_t source, void *source_context,
                 size_t size) {
    int result = card_enter("cuMemcpyPeer", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    struct copy copy = peer_copy(target, target_context, source, source_context, size);
    return card_leave(copy_sync(&copy));
}

int cuMemcpyPeerAsync(uint64_t target, void *target_context, uint64_t source, void *source_context,
                      size_t size, void *stream) {
    int result = card_enter("cuMemcpyPeerAsync", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    struct copy copy = peer_copy(target, target_context, source, source_context, size);
    return card_leave(copy_async(&copy, stream));
}

// Rows.

/// An end as a call describes it.
static int read_end(const struct card_copy_end_3d *said, const struct copy *copy, struct end *end) {
    static const enum wanted wanted[] = {
        [CARD_MEMORY_HOST] = HOST, [CARD_MEMORY_DEVICE] = DEVICE, [CARD_MEMORY_UNIFIED] = ANY};
    size_t rows = said->height ? said->height : copy->height;
    if (said->type == CARD_MEMORY_ARRAY)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (said->type < CARD_MEMORY_HOST || said->type > CARD_MEMORY_UNIFIED || said->level)
        return CUDA_ERROR_INVALID_VALUE;
    bool is_one_row = copy->height == 1 && copy->depth == 1 && said->y == 0 && said->z == 0;
    if (!is_one_row && (said->pitch < said->x + copy->width || said->pitch > INT32_MAX))
        return CUDA_ERROR_INVALID_VALUE;
    if (copy->depth > 1 && rows < said->y + copy->height)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t base = said->type == CARD_MEMORY_HOST ? (uint64_t)said->host : said->device;
    *end = (struct end){
        .address = base + said->x + said->y * said->pitch + said->z * said->pitch * rows,
        .pitch = said->pitch,
        .slice = said->pitch * rows,
        .wanted = wanted[said->type],
        .context = card_current(),
    };
    return CUDA_SUCCESS;
}

static int read_copy(const struct card_copy_3d *said, struct copy *copy) {
    *copy = (struct copy){.width = said->width, .height = said->height, .depth = said->depth};
    int result = read_end(&said->target, copy, &copy->target);
    return result ? result : read_end(&said->source, copy, &copy->source);
}

static struct card_copy_end_3d deepen(const struct card_copy_end_2d *end) {
    return (struct card_copy_end_3d){.x = end->x,
                                     .y = end->y,
                                     .type = end->type,
                                     .host = end->host,
                                     .device = end->device,
                                     .pitch = end->pitch};
}

static int enter_with_rows(const char *call, const struct card_copy_2d *said, struct copy *copy) {
    int result = card_enter(call, CARD_CONTEXT);
    if (result)
        return result;
    const struct card_copy_3d deep = {.source = deepen(&said->source),
                                      .target = deepen(&said->target),
                                      .width = said->width,
                                      .height = said->height,
                                      .depth = 1};
    return read_copy(&deep, copy);
}

int cuMemcpy2D_v2(const struct card_copy_2d *said) {
    struct copy copy;
    int result = enter_with_rows("cuMemcpy2D_v2", said, &copy);
    return card_leave(result ? result : copy_sync(&copy));
}

int cuMemcpy2DUnaligned_v2(const struct card_copy_2d *said) {
    struct copy copy;
    int result = enter_with_rows("cuMemcpy2DUnaligned_v2", said, &copy);
    return card_leave(result ? result : copy_sync(&copy));
}

int cuMemcpy2DAsync_v2(const struct card_copy_2d *said, void *stream) {
    struct copy copy;
    int result = enter_with_rows("cuMemcpy2DAsync_v2", said, &copy);
    return card_leave(result ? result : copy_async(&copy, stream));
}

int cuMemcpy3D_v2(const struct card_copy_3d *said) {
    struct copy copy;
    int result = card_enter("cuMemcpy3D_v2", CARD_CONTEXT);
    if (!result)
        result = read_copy(said, &copy);
    return card_leave(result ? result : copy_sync(&copy));
}

int cuMemcpy3DAsync_v2(const struct card_copy_3d *said, void *stream) {
    struct copy copy;
    int result = card_enter("cuMemcpy3DAsync_v2", CARD_CONTEXT);
    if (!result)
        result = read_copy(said, &copy);
    return card_leave(result ? result : copy_async(&copy, stream));
}

// Fills.

struct fill {
    uint64_t target;
    size_t pitch;
    unsigned value, value_size;
    size_t width, height; ///< values, rows
};

static int enter_with_fill(const char *call, const struct fill *fill, struct copy *copy) {
    int result = card_enter(call, CARD_CONTEXT);
    if (result)
        return result;
    *copy = copy_of(fill->target, 0, fill->width * fill->value_size, DEVICE, ANY);
    copy->target.pitch = fill->pitch;
    copy->height = fill->height;
    copy->value = fill->value;
    copy->value_size = fill->value_size;
    if (fill->target % fill->value_size || fill->pitch % fill->value_size ||
        (fill->height > 1 && fill->pitch < copy->width))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

static int fill_sync(const char *call, struct fill fill) {
    struct copy copy;
    int result = enter_with_fill(call, &fill, &copy);
    return card_leave(result ? result : copy_sync(&copy));
}

static int fill_async(const char *call, struct fill fill, void *stream) {
    struct copy copy;
    int result = enter_with_fill(call, &fill, &copy);
    return card_leave(result ? result : copy_async(&copy, stream));
}

int cuMemsetD8_v2(uint64_t target, unsigned char value, size_t count) {
    return fill_sync("cuMemsetD8_v2", (struct fill){target, 0, value, 1, count, 1});
}

int cuMemsetD16_v2(uint64_t target, unsigned short value, size_t count) {
    return fill_sync("cuMemsetD16_v2", (struct fill){target, 0, value, 2, count, 1});
}

int cuMemsetD32_v2(uint64_t target, unsigned value, size_t count) {
    return fill_sync("cuMemsetD32_v2", (struct fill){target, 0, value, 4, count, 1});
}

int cuMemsetD2D8_v2(uint64_t target, size_t pitch, unsigned char value, size_t width,
                    size_t height) {
    return fill_sync("cuMemsetD2D8_v2", (struct fill){target, pitch, value, 1, width, height});
}

int cuMemsetD2D32_v2(uint64_t target, size_t pitch, unsigned value, size_t width, size_t height) {
    return fill_sync("cuMemsetD2D32_v2", (struct fill){target, pitch, value, 4, width, height});
}

int cuMemsetD8Async(uint64_t target, unsigned char value, size_t count, void *stream) {
    return fill_async("cuMemsetD8Async", (struct fill){target, 0, value, 1, count, 1}, stream);
}

int cuMemsetD16Async(uint64_t target, unsigned short value, size_t count, void *stream) {
    return fill_async("cuMemsetD16Async", (struct fill){target, 0, value, 2, count, 1}, stream);
}

int cuMemsetD32Async(uint64_t target, unsigned value, size_t count, void *stream) {
    return fill_async("cuMemsetD32Async", (struct fill){target, 0, value, 4, count, 1}, stream);
}

int cuMemsetD2D8Async(uint64_t target, size_t pitch, unsigned char value, size_t width,
                      size_t height, void *stream) {
    return fill_async("cuMemsetD2D8Async", (struct fill){target, pitch, value, 1, width, height},
                      stream);
}

int cuMemsetD2D32Async(uint64_t target, size_t pitch, unsigned value, size_t width, size_t height,
                       void *stream) {
    return fill_async("cuMemsetD2D32Async", (struct fill){target, pitch, value, 4, width, height},
                      stream);
}
