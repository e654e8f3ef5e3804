#include "follower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/device/cpu.h"
#include "gcluster/kernel.h"

static void *variable_address;

/// Reads all arguments, so that a sanitizer sees it if there are fewer.
static uint32_t run_step(struct gcl_block *block, uint32_t begin, uint32_t end, uint32_t here) {
    volatile unsigned sum = 0;
    (void)begin, (void)end, (void)here;
    for (size_t i = 0; i < FOLLOWER_ARGUMENTS; i++)
        sum = sum + block->arguments[i];
    return GCL_EXIT;
}

static gcl_region *const regions[] = {run_step};
static const struct gcl_variant variants[] = {{.regions = regions}};
static const struct gcl_parameter parameters[] = {{0, FOLLOWER_ARGUMENTS}};
static const struct gcl_kernel kernels[] = {{.name = FOLLOWER_KERNEL,
                                             .parameters = parameters,
                                             .variants = variants,
                                             .variant_count = 1,
                                             .parameter_count = 1,
                                             .argument_size = FOLLOWER_ARGUMENTS,
                                             .region_count = 1,
                                             .max_threads = 1024}};
static const unsigned char image[FOLLOWER_VARIABLE] = {1, 2, 3};
static const struct gcl_variable variables[] = {{.name = "state",
                                                 .image = image,
                                                 .address = &variable_address,
                                                 .size = FOLLOWER_VARIABLE,
                                                 .alignment = 8}};
static const struct gcl_code code = {.abi = GCL_KERNEL_ABI,
                                     .kernel_count = 1,
                                     .variable_count = 1,
                                     .id = FOLLOWER_CODE,
                                     .cpu = "",
                                     .source = "follower.cu",
                                     .kernels = kernels,
                                     .variables = variables};

static void broadcast(void *context, const void *bytes, size_t size) {
    (void)context, (void)bytes, (void)size;
}

static enum gcl_status exchange(void *context, struct gcl_turn turn,
                                const struct gcl_request *requests, size_t count) {
    const struct follower *follower = context;
    (void)turn;
    if (follower->exchanges)
        follower->exchanges(requests, count);
    for (size_t i = 0; i < count; i++) {
        if (!requests[i].is_sent && !requests[i].region)
            memset(requests[i].bytes, 0, requests[i].size);
    }
    return GCL_OK;
}

static void give_up(void *context, const char *reason) {
    struct follower *follower = context;
    snprintf(follower->reason, sizeof follower->reason, "%s", reason);
    follower->given_up++;
}

static void expect(void *context, const struct gcl_request *request,
                   void (*came)(void *receiver, enum gcl_status status), void *receiver) {
    (void)context, (void)request;
    came(receiver, GCL_NODE_LOST);
}

static bool is_near(void *context, gcl_node node) {
    (void)context, (void)node;
    return false;
}

struct follower *follower_start(void) {
    static const struct gcl_listeners nobody;
    static struct follower f;
    gcl_code_register(&code);
    f.engine = gcl_engine_create(&(struct gcl_engine_options){.device = gcl_device_cpu(),
                                                              .listeners = &nobody,
                                                              .worker_count = FOLLOWER_WORKERS,
                                                              .core_count = FOLLOWER_WORKERS,
                                                              .has_nodes = true,
                                                              .device_count = 1});
    f.space = gcl_space_create((size_t)1 << 30, &gcl_pages_host);
    if (f.engine && f.space)
        f.spread =
            gcl_spread_create(&(struct gcl_spread_options){.self = 1,
                                                           .count = 2,
                                                           .device = gcl_device_cpu(),
                                                           .listeners = &nobody,
                                                           .engine = f.engine,
                                                           .space = f.space,
                                                           .communicator = {.broadcast = broadcast,
                                                                            .exchange = exchange,
                                                                            .attempt = exchange,
                                                                            .is_near = is_near,
                                                                            .give_up = give_up,
                                                                            .expect = expect,
                                                                            .context = &f}});
    if (!f.spread)
        exit(2);
    gcl_space_range(f.space, &f.begin, &f.end);
    return &f;
}

bool follower_apply_bytes(struct follower *f, const void *bytes, size_t size) {
    void *copy = malloc(size);
    if (!copy)
        exit(2);
    bool ok = gcl_spread_apply(f->spread, memcpy(copy, bytes, size), size);
    free(copy);
    return ok;
}

bool follower_apply(struct follower *f, struct gcl_operation *o) {
    o->sequence = f->spread->sequence + 1;
    size_t size = gcl_operation_size(o);
    unsigned char *bytes = malloc(size);
    if (!bytes)
        exit(2);
    gcl_operation_write(o, bytes);
    bool ok = follower_apply_bytes(f, bytes, size);
    free(bytes);
    return ok;
}

void follower_settle(struct follower *f) {
    enum gcl_status status = gcl_engine_wait_all(f->engine);
    if (status != GCL_OK)
        gcl_engine_recover(f->engine);
    atomic_store(&f->spread->has_failed, false);
    f->given_up = 0;
}
