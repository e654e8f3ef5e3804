// Kernels: what a launch has to be, how many blocks a multiprocessor has room for, and what becomes
// of a kernel that goes wrong. A launch uses what its parameters point to, as far as they are
// pointers, and what its threads touch: so memory isn't taken away from a kernel unnoticed.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "card.h"
#include "ptx/ptx.h"

/// A launch on its way.
struct launch {
    struct card_function function; ///< as it was when it was launched
    unsigned grid[3], block[3], dynamic_shared;
    bool is_cooperative;
    unsigned char *parameters;
    uint64_t seed;
};

// Running.

static bool find_range(void *context, uint64_t address, bool is_write, struct ptx_range *range) {
    struct card_task *task = context;
    pthread_mutex_lock(&card.lock);
    const struct card_piece *piece = card_piece_find(address);
    bool is_there = piece && card_piece_allows(piece, task->stream->context, is_write);
    if (is_there) {
        *range = (struct ptx_range){piece->begin, piece->end, piece->bytes};
        card_task_use(task, piece->begin, piece->end - piece->begin);
    }
    pthread_mutex_unlock(&card.lock);
    return is_there;
}

static int result_of(enum ptx_end end) {
    static const int results[] = {
        [PTX_DONE] = CUDA_SUCCESS,
        [PTX_ILLEGAL_ADDRESS] = CUDA_ERROR_ILLEGAL_ADDRESS,
        [PTX_MISALIGNED] = CUDA_ERROR_MISALIGNED_ADDRESS,
        [PTX_TRAP] = CUDA_ERROR_LAUNCH_FAILED,
        [PTX_ASSERT] = CUDA_ERROR_ASSERT,
        [PTX_ILLEGAL_INSTRUCTION] = CUDA_ERROR_ILLEGAL_INSTRUCTION,
        [PTX_INVALID_PC] = CUDA_ERROR_INVALID_PC,
        [PTX_STACK_OVERFLOW] = CUDA_ERROR_HARDWARE_STACK_ERROR,
        [PTX_DEADLOCK] = CUDA_ERROR_LAUNCH_TIMEOUT,
        [PTX_TIMEOUT] = CUDA_ERROR_LAUNCH_TIMEOUT,
    };
    return results[end];
}

/// Keeps what a kernel has printed until somebody waits.
static void keep_output(struct card_context *context, const char *text, size_t size) {
    if (size == 0)
        return;
    pthread_mutex_lock(&card.lock);
    char *output = realloc(context->output, context->output_size + size);
    if (!output)
        card_misuse("the host has no memory left");
    memcpy(output + context->output_size, text, size);
    context->output = output;
    context->output_size += size;
    pthread_mutex_unlock(&card.lock);
}

static int run(struct card_task *task) {
    const struct launch *launch = task->data;
    struct card_context *context = task->stream->context;
    char text[600] = "", *printed = NULL;
    size_t printed_size = 0;
    FILE *output = open_memstream(&printed, &printed_size);
    if (!output)
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct ptx_launch run = {
        .function = launch->function.code,
        .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
        .block = {launch->block[0], launch->block[1], launch->block[2]},
        .dynamic_shared = launch->dynamic_shared,
        .parameters = launch->parameters,
        .is_cooperative = launch->is_cooperative,
        .seed = launch->seed,
        .multiprocessors = (uint32_t)card.settings.sms,
        .memory = find_range,
        .context = task,
        .heap = context->heap,
        .output = output,
    };
    enum ptx_end end = ptx_run(&run, text, sizeof text);
    fclose(output);
    keep_output(context, printed, printed_size);
    free(printed);
    if (end != PTX_DONE)
        fprintf(stderr, "test driver: %s: %s\n", task->call, text);
    return result_of(end);
}

static void finish(struct card_task *task) {
    struct launch *launch = task->data;
    free(launch->parameters);
    free(launch);
}

// How many blocks fit.

static size_t round_up(size_t value, size_t step) {
    return (value + step - 1) / step * step;
}

/// Blocks that a multiprocessor has room for at once.
static int blocks_of(const struct ptx_function *code, size_t threads, size_t dynamic_shared) {
    size_t warps = (threads + 31) / 32;
    size_t registers = round_up(code->register_count ? code->register_count : 1, 8) * 32 * warps;
    size_t shared = round_up(code->shared_size + dynamic_shared, 128) + CARD_SHARED_RESERVED;
    size_t blocks = CARD_BLOCKS_SM;
    if (blocks > CARD_THREADS_SM / 32 / warps)
        blocks = CARD_THREADS_SM / 32 / warps;
    if (blocks > CARD_REGISTERS_SM / registers)
        blocks = CARD_REGISTERS_SM / registers;
    if (blocks > CARD_SHARED_SM / shared)
        blocks = CARD_SHARED_SM / shared;
    return threads > code->max_threads ? 0 : (int)blocks;
}

static int count_blocks(int *count, void *function, int threads, size_t dynamic_shared) {
    if (!count || threads <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    *count = blocks_of(card_function_find(function)->code, (size_t)threads, dynamic_shared);
    return CUDA_SUCCESS;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *count, void *function, int block_size,
                                                size_t dynamic_shared) {
    int result = card_enter("cuOccupancyMaxActiveBlocksPerMultiprocessor", CARD_CONTEXT);
    return card_leave(result ? result : count_blocks(count, function, block_size, dynamic_shared));
}

int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *count, void *function, int block_size,
                                                         size_t dynamic_shared, unsigned flags) {
    int result = card_enter("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", CARD_CONTEXT);
    if (!result && flags > 1)
        result = CUDA_ERROR_INVALID_VALUE;
    return card_leave(result ? result : count_blocks(count, function, block_size, dynamic_shared));
}

int cuOccupancyMaxPotentialBlockSize(int *grid, int *block, void *function, size_t (*shared)(int),
                                     size_t dynamic_shared, int limit) {
    int result = card_enter("cuOccupancyMaxPotentialBlockSize", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    const struct ptx_function *code = card_function_find(function)->code;
    int most = (int)code->max_threads, best = 0;
    if (limit > 0 && limit < most)
        most = limit;
    for (int threads = (most + 31) / 32 * 32; threads > 0; threads -= 32) {
        int used = threads < most ? threads : most;
        int blocks = blocks_of(code, (size_t)used, shared ? shared(used) : dynamic_shared);
        if (blocks * used > best) {
            best = blocks * used;
            *block = used;
            *grid = blocks * card.settings.sms;
        }
    }
    return card_leave(best ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

// Launching.

static int check_shape(const struct launch *launch) {
    static const unsigned grid[3] = {2147483647, 65535, 65535}, block[3] = {1024, 1024, 64};
    const struct ptx_function *code = launch->function.code;
    uint64_t threads = 1;
    bool is_required = code->required[0] > 0;
    for (int i = 0; i < 3; i++) {
        if (launch->grid[i] == 0 || launch->grid[i] > grid[i] || launch->block[i] == 0 ||
            launch->block[i] > block[i] || (is_required && launch->block[i] != code->required[i]))
            return CUDA_ERROR_INVALID_VALUE;
        threads *= launch->block[i];
    }
    if (threads > 1024 || threads > code->max_threads)
        return CUDA_ERROR_INVALID_VALUE;
    if (launch->dynamic_shared > (unsigned)launch->function.max_dynamic_shared)
        return CUDA_ERROR_INVALID_VALUE;
    int blocks = blocks_of(code, threads, launch->dynamic_shared);
    if (blocks == 0)
        return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    uint64_t count = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    if (launch->is_cooperative && count > (uint64_t)blocks * (uint64_t)card.settings.sms)
        return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    return CUDA_SUCCESS;
}

static void copy_buffer(unsigned char *target, const struct ptx_function *code, void **extra) {
    const void *buffer = NULL;
    size_t size = 0;
    for (; extra[0]; extra += 2) {
        if ((uintptr_t)extra[0] == CARD_LAUNCH_BUFFER)
            buffer = extra[1];
        else if ((uintptr_t)extra[0] == CARD_LAUNCH_BUFFER_SIZE)
            size = *(size_t *)extra[1];
        else
            card_misuse("%s: extra has the unknown entry %p", code->name, extra[0]);
    }
    if (!buffer || size != code->parameter_size)
        card_misuse("%s: a buffer of %zu bytes is given, and the parameters have %zu", code->name,
                    size, code->parameter_size);
    memcpy(target, buffer, size);
}

static unsigned char *copy_parameters(const struct ptx_function *code, void **parameters,
                                      void **extra) {
    unsigned char *copy = card_allocate(1, code->parameter_size + 1);
    if (parameters && extra)
        card_misuse("%s: parameters are given twice", code->name);
    if (code->parameter_count > 0 && !parameters && !extra)
        card_misuse("%s: has %zu parameters, and none are given", code->name,
                    code->parameter_count);
    if (extra) {
        copy_buffer(copy, code, extra);
        return copy;
    }
    for (size_t i = 0; i < code->parameter_count; i++) {
        if (!parameters[i])
            card_misuse("%s: parameter %zu of %zu is NULL", code->name, i, code->parameter_count);
        memcpy(copy + code->parameters[i].offset, parameters[i], code->parameters[i].size);
    }
    return copy;
}

/// What looks like a pointer to memory that the device has is one.
static void note_pointers(struct card_task *task, const struct launch *launch) {
    size_t size = launch->function.code->parameter_size;
    for (size_t i = 0; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
        uint64_t address;
        memcpy(&address, launch->parameters + i, sizeof address);
        if (card_piece_find(address))
            card_task_use(task, address, 1);
    }
}

static void open_heap(struct card_context *context) {
    size_t size = context->limits[2];
    uint64_t address = context->heap ? 0 : card_address_take(size);
    if (address)
        context->heap = ptx_heap_create(address, size);
}

static int submit(void *function, struct launch *launch, void *stream, void **parameters,
                  void **extra) {
    struct card_stream *s = card_stream_find(stream);
    launch->function = *card_function_find(function);
    int result = check_shape(launch);
    if (result)
        return result;
    card_flush_output(s->context);
    open_heap(s->context);
    launch->parameters = copy_parameters(launch->function.code, parameters, extra);
    launch->seed = card.settings.seed * 1000003 + card.operations;
    struct launch *kept = card_allocate(1, sizeof *kept);
    *kept = *launch;
    struct card_task *task = card_task_create(s, run, finish, kept);
    task->module = launch->function.module;
    note_pointers(task, launch);
    card_task_submit(task);
    return CUDA_SUCCESS;
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared,
                   void *stream, void **parameters, void **extra) {
    int result = card_enter("cuLaunchKernel", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    struct launch launch = {.grid = {grid_x, grid_y, grid_z},
                            .block = {block_x, block_y, block_z},
                            .dynamic_shared = dynamic_shared};
    return card_leave(submit(function, &launch, stream, parameters, extra));
}

int cuLaunchCooperativeKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                              unsigned block_x, unsigned block_y, unsigned block_z,
                              unsigned dynamic_shared, void *stream, void **parameters) {
    int result = card_enter("cuLaunchCooperativeKernel", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    struct launch launch = {.grid = {grid_x, grid_y, grid_z},
                            .block = {block_x, block_y, block_z},
                            .dynamic_shared = dynamic_shared,
                            .is_cooperative = true};
    return card_leave(submit(function, &launch, stream, parameters, NULL));
}

int cuLaunchKernelEx(const struct card_launch_config *config, void *function, void **parameters,
                     void **extra) {
    int result = card_enter("cuLaunchKernelEx", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    struct launch launch = {.dynamic_shared = config->dynamic_shared};
    memcpy(launch.grid, config->grid, sizeof launch.grid);
    memcpy(launch.block, config->block, sizeof launch.block);
    for (unsigned i = 0; i < config->attribute_count; i++) {
        const struct card_launch_attribute *attribute = &config->attributes[i];
        if (attribute->id == CARD_LAUNCH_COOPERATIVE)
            launch.is_cooperative = attribute->value.cooperative != 0;
        else if (attribute->id != 0)
            return card_leave(CUDA_ERROR_NOT_SUPPORTED);
    }
    return card_leave(submit(function, &launch, config->stream, parameters, extra));
}
