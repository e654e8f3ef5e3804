// GCL_VERIFY: each launch that is spread also runs on node 0 alone, from the same memory, and what
// it leaves behind is compared.
//
// All nodes bring everything to node 0 before the launch and after it. Node 0 keeps both states: it
// goes back to the first one, runs all blocks, compares with the second one, and goes on with that.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/name.h"
#include "exec/device/device.h"
#include "exec/spread/carry.h"
#include "exec/spread/track.h"
#include "exec/spread/verify.h"

/// An allocation.
struct area {
    uint64_t begin;
    size_t size;
    unsigned char *one;     ///< its bytes before the launch, then as one node left them
    unsigned char *several; ///< as several nodes left them
};

struct gcl_spread_comparison {
    struct gcl_verified counts;
};

bool gcl_verify_create(struct gcl_spread *spread) {
    spread->comparison = calloc(1, sizeof *spread->comparison);
    return spread->comparison != NULL;
}

struct gcl_verification {
    struct gcl_spread *spread;
    struct gcl_plan *plan;     ///< of the launch
    struct gcl_command *again; ///< until it is submitted
    const struct gcl_kernel *kernel;
    unsigned char *arguments;
    uint64_t launch; ///< number
    struct area *areas;
    size_t count;
};

static void destroy(struct gcl_verification *v) {
    for (size_t i = 0; i < v->count; i++) {
        free(v->areas[i].one);
        free(v->areas[i].several);
    }
    gcl_plan_release(v->plan);
    free(v->arguments);
    free(v->areas);
    free(v);
}

static unsigned char *memory_of(const struct area *area) {
    return (unsigned char *)(uintptr_t)area->begin;
}

// Comparing.

/// How sums of floating-point numbers are combined in a place; NULL: none are.
static const struct gcl_combination *sums_of(const struct gcl_plan *plan, uint64_t begin) {
    for (size_t i = 0; i < plan->combination_count; i++) {
        const struct gcl_combination *c = &plan->combinations[i];
        if (plan->allocations[c->allocation].begin == begin && c->reduction == GCL_REDUCTION_FADD &&
            c->kind != GCL_COMBINATION_MERGE)
            return c;
    }
    return NULL;
}

static double number_at(const unsigned char *bytes, uint16_t element) {
    double wide;
    float narrow;
    if (element == sizeof wide) {
        memcpy(&wide, bytes, sizeof wide);
        return wide;
    }
    memcpy(&narrow, bytes, sizeof narrow);
    return narrow;
}

/// Sums may be added up in another order.
static bool are_near(const unsigned char *a, const unsigned char *b, uint16_t element) {
    double x = number_at(a, element), y = number_at(b, element);
    return memcmp(a, b, element) == 0 || fabs(x - y) <= 1e-3 * (fabs(x) + fabs(y)) + 1e-6;
}

static bool is_same(const struct area *area, const struct gcl_combination *sums, size_t at) {
    const unsigned char *one = area->one;
    if (one[at] == area->several[at])
        return true;
    size_t first = sums ? at - at % sums->element : 0;
    return sums && (sums->element == sizeof(float) || sums->element == sizeof(double)) &&
           first + sums->element <= area->size &&
           are_near(one + first, area->several + first, sums->element);
}

/// The first bytes that differ; empty: none do.
static struct gcl_span find_difference(const struct gcl_plan *plan, const struct area *area) {
    const struct gcl_combination *sums = sums_of(plan, area->begin);
    struct gcl_span found = {0, 0};
    if (memcmp(area->one, area->several, area->size) == 0)
        return found;
    size_t at = 0;
    while (at < area->size && is_same(area, sums, at))
        at++;
    found.begin = (int64_t)at;
    while (at < area->size && !is_same(area, sums, at))
        at++;
    found.end = (int64_t)at;
    assert(found.begin <= found.end && at <= area->size);
    return found;
}

static void name_writer(const struct gcl_verification *v, uint64_t begin, int64_t at, char *out,
                        size_t size) {
    snprintf(out, size, "no node was meant to write there");
    for (size_t i = 0; i < v->plan->allocation_count; i++) {
        const struct gcl_plan_allocation *place = &v->plan->allocations[i];
        if (place->begin != begin || !place->is_changed)
            continue;
        for (uint32_t node = 0; node < place->after->node_count; node++) {
            if (!gcl_region_contains_byte(&place->after->held[node], at))
                continue;
            snprintf(out, size, "node %u wrote there", node);
            return;
        }
    }
}

static void name_argument(const struct gcl_verification *v, const struct area *area, char *out,
                          size_t size) {
    const struct gcl_kernel *kernel = v->kernel;
    snprintf(out, size, "memory at %p", (void *)memory_of(area));
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        uint64_t value;
        if (kernel->parameters[i].size != sizeof value)
            continue;
        memcpy(&value, v->arguments + kernel->parameters[i].offset, sizeof value);
        if (value - area->begin < area->size) {
            snprintf(out, size, "argument %u", i + 1);
            return;
        }
    }
}

static void format_bytes(const unsigned char *bytes, struct gcl_span span, char *out, size_t size) {
    int64_t count = span.end - span.begin < 8 ? span.end - span.begin : 8;
    size_t used = 0;
    for (int64_t i = 0; i < count && used + 3 < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%02x", bytes[span.begin + i]);
}

static void report(const struct gcl_verification *v, const struct area *area,
                   struct gcl_span span) {
    char name[128], argument[64], writer[64], one[24], several[24];
    name_argument(v, area, argument, sizeof argument);
    name_writer(v, area->begin, span.begin, writer, sizeof writer);
    format_bytes(area->one, span, one, sizeof one);
    format_bytes(area->several, span, several, sizeof several);
    gcl_log(GCL_LOG_ERROR,
            "%s (launch %llu) leaves something else behind on %u nodes than on one: %s, bytes %lld "
            "to %lld of %zu: %s instead of %s; %s",
            gcl_name_demangle(v->kernel->name, name, sizeof name), (unsigned long long)v->launch,
            v->spread->options.count, argument, (long long)span.begin, (long long)span.end - 1,
            area->size, several, one, writer);
}

// What node 0 does around the launch.

static void copy(const struct gcl_verification *v, void *target, const void *source, size_t size) {
    const struct gcl_device *device = v->spread->options.device;
    device->bytes->copy(device, target, source, size);
}

static void keep_before(void *data) {
    struct gcl_verification *v = data;
    for (size_t i = 0; i < v->count; i++)
        copy(v, v->areas[i].one, memory_of(&v->areas[i]), v->areas[i].size);
}

static void go_back(void *data) {
    struct gcl_verification *v = data;
    for (size_t i = 0; i < v->count; i++) {
        const struct area *area = &v->areas[i];
        copy(v, area->several, memory_of(area), area->size);
        copy(v, memory_of(area), area->one, area->size);
    }
}

static void compare(void *data) {
    struct gcl_verification *v = data;
    bool has_failed = gcl_engine_status(v->spread->options.engine) != GCL_OK, differs = false;
    for (size_t i = 0; i < v->count; i++) {
        const struct area *area = &v->areas[i];
        struct gcl_span span = {0, 0};
        copy(v, area->one, memory_of(area), area->size);
        if (!has_failed && !differs)
            span = find_difference(v->plan, area);
        if (span.begin < span.end) {
            differs = true;
            report(v, area, span);
        }
        copy(v, memory_of(area), area->several, area->size);
    }
    if (differs)
        gcl_engine_fail(v->spread->options.engine, GCL_SYSTEM);
    destroy(v);
}

// Planning.

/// Everything comes to node 0, which doesn't own it for that. False: no memory.
static bool fetch_all(struct gcl_spread *spread, struct gcl_stream *stream) {
    size_t count;
    const struct gcl_directory_entry *entries = gcl_directory_entries(spread->directory, &count);
    struct gcl_region *needed = calloc(spread->options.count, sizeof *needed);
    struct gcl_plan *plan = gcl_plan_create();
    bool ok = needed && plan;
    for (size_t i = 0; i < count && ok; i++) {
        needed[0] = gcl_region_run(0, (int64_t)entries[i].size);
        ok = entries[i].use != GCL_HOST_NEVER ||
             gcl_plan_demand(plan, spread->directory,
                             &(struct gcl_demand){.begin = entries[i].begin, .needed = needed});
    }
    if (ok)
        gcl_spread_carry_out(
            spread, stream, plan,
            (struct gcl_turn){.track = GCL_TRACK_KERNELS, .moment = ++spread->sequence}, NULL);
    gcl_plan_release(plan);
    free(needed); // single runs need no memory
    return ok;
}

static bool list_areas(struct gcl_verification *v) {
    size_t count;
    const struct gcl_directory_entry *entries = gcl_directory_entries(v->spread->directory, &count);
    v->areas = calloc(count + 1, sizeof *v->areas);
    for (size_t i = 0; v->areas && i < count; i++) {
        struct area *area = &v->areas[v->count];
        if (entries[i].use != GCL_HOST_NEVER)
            continue;
        *area = (struct area){.begin = entries[i].begin, .size = entries[i].size};
        area->one = malloc(area->size);
        area->several = malloc(area->size);
        v->count++;
        if (!area->one || !area->several)
            return false;
    }
    return v->areas != NULL;
}

/// False: no memory.
static bool prepare(struct gcl_verification *v, const struct gcl_run *run) {
    size_t size = run->launch.kernel->argument_size;
    v->kernel = run->launch.kernel;
    v->arguments = malloc(size + 1);
    if (!v->arguments || !list_areas(v))
        return false;
    memcpy(v->arguments, run->arguments, size);
    v->again = gcl_engine_copy_run(v->spread->options.engine, run);
    return v->again != NULL;
}

static bool uses_host_memory(const struct gcl_spread *spread, const struct gcl_plan *plan) {
    for (size_t i = 0; i < plan->allocation_count; i++) {
        if (gcl_directory_find(spread->directory, plan->allocations[i].begin)->use !=
            GCL_HOST_NEVER)
            return true;
    }
    return false;
}

bool gcl_verify_begin(struct gcl_spread *spread, struct gcl_stream *stream,
                      const struct gcl_run *run, const struct gcl_schedule *schedule,
                      struct gcl_verification **verification) {
    struct gcl_verified *counts = &spread->comparison->counts;
    *verification = NULL;
    counts->launches++;
    if (!schedule->axis || uses_host_memory(spread, schedule->plan)) {
        counts->single += !schedule->axis;
        counts->host += schedule->axis != 0;
        return true;
    }
    struct gcl_verification *v = calloc(1, sizeof *v);
    if (!v)
        return false;
    v->spread = spread;
    v->launch = counts->launches;
    v->plan = gcl_plan_hold(schedule->plan);
    bool is_home = gcl_spread_is_home(spread);
    if (!fetch_all(spread, stream) || (is_home && !prepare(v, run))) {
        destroy(v);
        return false;
    }
    if (is_home)
        gcl_spread_call(
            spread, stream,
            (struct gcl_host_call){
                .function = keep_before, .data = v, .name = "verify", .track = GCL_TRACK_KERNELS});
    *verification = v;
    return true;
}

bool gcl_verify_end(struct gcl_verification *v, struct gcl_stream *stream,
                    struct gcl_fence *fence) {
    struct gcl_spread *spread = v->spread;
    assert(!gcl_spread_is_home(spread) || v->again);
    bool ok = fetch_all(spread, stream);
    if (!gcl_spread_is_home(spread)) {
        destroy(v);
        return ok;
    }
    gcl_spread_call(
        spread, stream,
        (struct gcl_host_call){
            .function = go_back, .data = v, .name = "verify", .track = GCL_TRACK_KERNELS});
    gcl_engine_submit(spread->options.engine, stream, v->again);
    *fence = gcl_spread_call(
        spread, stream,
        (struct gcl_host_call){
            .function = compare, .data = v, .name = "verify", .track = GCL_TRACK_KERNELS});
    gcl_spread_note_pending(
        spread, (struct gcl_turn){.track = GCL_TRACK_KERNELS, .moment = spread->sequence}, NULL,
        *fence);
    return ok;
}

struct gcl_verified gcl_spread_verified(struct gcl_spread *spread) {
    return spread->comparison ? spread->comparison->counts : (struct gcl_verified){.launches = 0};
}

void gcl_verify_report(const struct gcl_verified *verified, FILE *out) {
    assert(verified->single + verified->host <= verified->launches);
    uint64_t compared = verified->launches - verified->single - verified->host;
    fprintf(out,
            "gcluster: of %llu launches %llu were compared with one node, %llu ran there alone, "
            "%llu use memory that the host shares\n",
            (unsigned long long)verified->launches, (unsigned long long)compared,
            (unsigned long long)verified->single, (unsigned long long)verified->host);
}
