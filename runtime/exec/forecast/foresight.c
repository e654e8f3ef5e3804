// Commands of the engine become launches, accesses and fills of a forecast. Copies within device
// memory don't: nodes do them where the bytes are. Addresses are node 0's own, which has the memory
// of all, so looking a value up is reading it.
#include "exec/forecast/foresight.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "exec/exchange/box.h"
#include "plan/program/split.h"
#include "plan/survey/reader.h"

struct gcl_foresight {
    struct gcl_forecast *forecast;
    struct gcl_map kernels; ///< struct gcl_forecast_kernel, the forecast's
    struct gcl_reader reader;
    bool looks_up;
    bool has_looked; ///< for the latest command
};

// Looking up: node 0 has the memory of all, where its addresses say.

static bool have(void *context, const struct gcl_demand *demands, size_t count) {
    struct gcl_foresight *foresight = context;
    (void)demands, (void)count;
    foresight->has_looked = true;
    return true;
}

static const unsigned char *memory_at(void *context, uint64_t begin) {
    (void)context;
    return (const unsigned char *)(uintptr_t)begin;
}

struct gcl_foresight *gcl_foresight_create(const struct gcl_forecast_cluster *cluster,
                                           bool looks_up) {
    struct gcl_foresight *foresight = calloc(1, sizeof *foresight);
    if (!foresight)
        return NULL;
    foresight->forecast = gcl_forecast_create(cluster);
    foresight->reader = (struct gcl_reader){
        .self = GCL_NOBODY, .fetch = have, .memory = memory_at, .context = foresight};
    foresight->looks_up = looks_up;
    if (foresight->forecast)
        return foresight;
    free(foresight);
    return NULL;
}

void gcl_foresight_destroy(struct gcl_foresight *foresight) {
    if (!foresight)
        return;
    gcl_forecast_destroy(foresight->forecast);
    gcl_map_finish(&foresight->kernels);
    free(foresight);
}

bool gcl_foresight_allocate(struct gcl_foresight *foresight, uint64_t begin, uint64_t size,
                            enum gcl_host_use use) {
    return gcl_forecast_allocate(foresight->forecast, begin, size, use);
}

void gcl_foresight_free(struct gcl_foresight *foresight, uint64_t begin) {
    if (gcl_forecast_find(foresight->forecast, begin))
        gcl_forecast_free(foresight->forecast, begin);
}

bool gcl_foresight_holds(const struct gcl_foresight *foresight, const void *address) {
    return gcl_forecast_find(foresight->forecast, (uintptr_t)address) != NULL;
}

// Commands.

static struct gcl_forecast_kernel *add_kernel(struct gcl_foresight *foresight,
                                              const struct gcl_kernel *kernel) {
    struct gcl_forecast_kernel *found = gcl_map_get(&foresight->kernels, kernel);
    if (found)
        return found;
    found = gcl_forecast_add_kernel(foresight->forecast, kernel->program,
                                    foresight->looks_up ? &foresight->reader : NULL);
    return found && gcl_map_set(&foresight->kernels, kernel, found) ? found : NULL;
}

void gcl_foresight_limit(struct gcl_foresight *foresight, uint32_t steps) {
    gcl_forecast_limit(foresight->forecast, steps);
}

void gcl_foresight_touch(struct gcl_foresight *foresight, uint32_t touched) {
    gcl_forecast_touch(foresight->forecast, touched);
}

static bool foresee_run(struct gcl_foresight *foresight, const struct gcl_run *run) {
    const struct gcl_block_launch *launch = &run->launch;
    struct gcl_launch_part whole = {.arguments = launch->arguments, .geometry = launch->geometry};
    struct gcl_forecast_kernel *kernel = add_kernel(foresight, launch->kernel);
    assert(gcl_geometry_blocks(&launch->geometry) > 0);
    memcpy(whole.end, launch->geometry.grid, sizeof whole.end);
    return kernel && gcl_forecast_launch(foresight->forecast, kernel, &whole);
}

/// One end of a copy.
static bool foresee_access(struct gcl_foresight *foresight, const struct gcl_box_copy *copy,
                           const struct gcl_operation_box *box, bool is_target) {
    struct gcl_forecast *forecast = foresight->forecast;
    const struct gcl_directory_entry *entry = gcl_forecast_find(forecast, box->begin);
    struct gcl_region bytes = {.count = 0};
    if (!entry)
        return true;
    bool ok = gcl_box_region(entry, box, &bytes);
    if (ok && is_target && !copy->source && !entry->use)
        ok = gcl_forecast_fill(forecast, entry->begin, &bytes, (uint8_t)copy->value);
    else if (ok)
        ok = gcl_forecast_access(forecast, entry->begin, &bytes, is_target);
    gcl_region_finish(&bytes);
    return ok;
}

/// Copies within device memory are left out: nodes do them where the bytes are.
static bool foresee_copy(struct gcl_foresight *foresight, const struct gcl_box_copy *copy) {
    struct gcl_operation_box source = gcl_box_of_copy(copy->source, copy->source_pitch,
                                                      copy->source_slice, copy),
                             target = gcl_box_of_copy(copy->target, copy->target_pitch,
                                                      copy->target_slice, copy);
    bool is_within = gcl_forecast_find(foresight->forecast, source.begin) &&
                     gcl_forecast_find(foresight->forecast, target.begin);
    return is_within || (foresee_access(foresight, copy, &source, false) &&
                         foresee_access(foresight, copy, &target, true));
}

bool gcl_foresight_has_looked(const struct gcl_foresight *foresight) {
    return foresight->has_looked;
}

bool gcl_foresight_command(struct gcl_foresight *foresight, const struct gcl_command *command) {
    foresight->has_looked = false;
    if (command->kind == GCL_COMMAND_RUN)
        return foresee_run(foresight, &command->run);
    return command->kind != GCL_COMMAND_COPY || foresee_copy(foresight, &command->copy);
}

const struct gcl_forecast_kernel *gcl_foresight_kernel(const struct gcl_foresight *foresight,
                                                       const struct gcl_kernel *kernel) {
    return gcl_map_get(&foresight->kernels, kernel);
}

struct gcl_forecast_moves gcl_foresight_moves(const struct gcl_foresight *foresight) {
    return gcl_forecast_moves(foresight->forecast);
}

void gcl_foresight_set_link(struct gcl_foresight *foresight, const struct gcl_forecast_link *link) {
    gcl_forecast_set_link(foresight->forecast, link);
}

uint64_t gcl_foresight_away(const struct gcl_foresight *foresight) {
    return gcl_forecast_away(foresight->forecast);
}
