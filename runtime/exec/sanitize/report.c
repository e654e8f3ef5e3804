// Places in memory as the program names them: bytes behind the pointer that was passed, or the
// variable.
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/name.h"
#include "exec/code/registry.h"
#include "exec/sanitize/state.h"

enum { TEXT = GCL_SANITIZE_TEXT, PLACE = GCL_SANITIZE_PLACE };

// An address at most that far from an argument may have come from it.
enum { NEAR = 1 << 24 };

// Places.

struct pointer {
    uint64_t value;
    char name[96];
};

static void name_argument(const struct gcl_kernel *kernel, uint32_t i, struct pointer *pointer) {
    assert(i < kernel->parameter_count);
    if (kernel->program && kernel->program->names)
        snprintf(pointer->name, sizeof pointer->name, "%s", kernel->program->names[i]);
    else
        snprintf(pointer->name, sizeof pointer->name, "argument %u", i + 1);
}

static uint64_t distance(uint64_t a, uint64_t b) {
    return a > b ? a - b : b - a;
}

// The argument, or part of one, whose value is at [begin, end), and nearest to `address`.
static bool find_argument(const struct gcl_sanitizer *s, uint64_t address, uint64_t begin,
                          uint64_t end, struct pointer *pointer) {
    const struct gcl_kernel *kernel = s->launch->kernel;
    bool is_found = false;
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        const struct gcl_parameter *p = &kernel->parameters[i];
        for (uint32_t at = 0; at + 8 <= p->size; at += 8) {
            uint64_t value;
            memcpy(&value, s->launch->arguments + p->offset + at, sizeof value);
            if (value < begin || value >= end ||
                (is_found && distance(value, address) >= distance(pointer->value, address)))
                continue;
            pointer->value = value;
            name_argument(kernel, i, pointer);
            is_found = true;
        }
    }
    return is_found;
}

// What offsets are relative to in messages. Outside of any allocation that is an argument close by.
static struct pointer find_pointer(struct gcl_sanitizer *s, uint64_t address) {
    const struct gcl_shadow_extent *extent = gcl_sanitize_find(s, address);
    struct pointer pointer = {.value = address};
    uint64_t begin = extent ? extent->begin : address < NEAR ? 1 : address - NEAR;
    if (find_argument(s, address, begin, extent ? extent->end : address + NEAR, &pointer))
        return pointer;
    if (!extent) {
        snprintf(pointer.name, sizeof pointer.name, "0x%" PRIx64, address);
        return pointer;
    }
    pointer.value = extent->begin;
    const char *variable = gcl_registry_variable((const void *)(uintptr_t)extent->begin);
    if (variable)
        gcl_name_demangle(variable, pointer.name, sizeof pointer.name);
    else
        snprintf(pointer.name, sizeof pointer.name, "the allocation at 0x%" PRIx64, extent->begin);
    return pointer;
}

// Shared memory has no names any more. Behind the last access of a block there is none.
static bool format_shared(uint64_t address, char *out) {
    const struct gcl_block *b = gcl_block_current();
    if (!b)
        return false;
    uint64_t begin = (uintptr_t)b->shared, dynamic = (uintptr_t)b->dynamic_shared;
    if (address >= dynamic && address - dynamic < b->dynamic_shared_size)
        snprintf(out, TEXT, "dynamic shared memory+%" PRIu64, address - dynamic);
    else if (address >= begin && address < dynamic)
        snprintf(out, TEXT, "shared memory+%" PRIu64, address - begin);
    else
        return false;
    return true;
}

static const char *format_address(struct gcl_sanitizer *s, uint64_t address, char *out) {
    if (format_shared(address, out))
        return out;
    struct pointer pointer = find_pointer(s, address);
    int64_t offset = (int64_t)(address - pointer.value);
    if (offset == 0)
        snprintf(out, TEXT, "%s", pointer.name);
    else
        snprintf(out, TEXT, "%s%+" PRId64, pointer.name, offset);
    return out;
}

const char *gcl_sanitize_format_place(const struct gcl_site *site, char out[PLACE]) {
    if (site->line)
        snprintf(out, PLACE, "%s:%u", site->file, site->line);
    else
        snprintf(out, PLACE, "an unknown line");
    return out;
}

const char *gcl_sanitize_format_kernel(const struct gcl_sanitizer *s, char out[TEXT]) {
    return gcl_name_demangle(s->launch->kernel->name, out, TEXT);
}

static const char *format_block(const struct gcl_sanitizer *s, uint64_t number, char *out) {
    const uint32_t *grid = s->launch->geometry.grid;
    snprintf(out, TEXT, "(%u,%u,%u)", (uint32_t)(number % grid[0]),
             (uint32_t)(number / grid[0] % grid[1]), (uint32_t)(number / grid[0] / grid[1]));
    return out;
}

static const char *format_who(const struct gcl_sanitizer *s, gcl_mark mark, char *out) {
    return format_block(s, gcl_mark_who(mark) - gcl_mark_who(s->first), out);
}

static const char *verb(const struct gcl_site *site) {
    static const char *const verbs[] = {[GCL_ACCESS_READ] = "reads",
                                        [GCL_ACCESS_WRITE] = "writes",
                                        [GCL_ACCESS_REDUCE] = "changes atomically",
                                        [GCL_ACCESS_ATOMIC] = "changes atomically"};
    return verbs[site->kind];
}

// Footprints.

static void format_region(const struct gcl_region *region, int64_t shift, char *out) {
    struct gcl_region shifted = {0};
    bool is_exact = gcl_region_translate(region, shift, &shifted);
    gcl_region_format(is_exact ? &shifted : region, out, TEXT);
    gcl_region_finish(&shifted);
}

// What an access might have touched, relative to the pointer by which messages name it.
static const char *format_footprint(struct gcl_sanitizer *s,
                                    const struct gcl_sanitize_access *access, char *out) {
    const struct gcl_shadow_extent *extent = gcl_sanitize_find(s, access->address);
    const struct gcl_sanitize_regions in = gcl_sanitize_regions_of(s, access->site, extent->begin);
    struct gcl_region all = {0};
    bool is_exact = true;
    for (unsigned r = 0; r < in.count; r++)
        is_exact = gcl_region_unite(&all, in.regions[r], &all) && is_exact;
    format_region(&all, in.origin - (int64_t)find_pointer(s, access->address).value, out);
    if (!is_exact)
        strncat(out, " or less", TEXT - strlen(out) - 1);
    gcl_region_finish(&all);
    return out;
}

static const char *format_thread(const struct gcl_sanitizer *s, char *out) {
    const struct gcl_block *b = gcl_block_current();
    uint32_t nx = b->block_size[0], ny = b->block_size[1], thread = b->thread + s->lane;
    snprintf(out, TEXT, "block (%u,%u,%u), thread (%u,%u,%u)", b->block_index[0], b->block_index[1],
             b->block_index[2], thread % nx, thread / nx % ny, thread / nx / ny);
    return out;
}

// Strays: the program says that an access goes there, but that isn't in the allocation from which
// it starts. Footprints end where allocations do, so this is the kernel's mistake, not ours. Where
// data decides, the program says that of far too many places: only what its line says counts.

struct stray {
    const struct gcl_sanitize_access *access;
    uint64_t base;
    bool is_here; ///< the program's access is of the same line
    bool is_found;
};

static void look_for(void *context, const struct gcl_bytes *bytes) {
    struct stray *stray = context;
    struct gcl_level levels[GCL_VARIABLES];
    struct gcl_region box = {0};
    int64_t offset = (int64_t)(stray->access->address - stray->base);
    for (unsigned d = 0; d < bytes->dimensions; d++)
        levels[d] = (struct gcl_level){bytes->stride[d], bytes->count[d]};
    bool is_guess = bytes->certainty == GCL_CERTAINTY_DATA && !stray->is_here;
    if (bytes->everywhere || is_guess || stray->is_found)
        return;
    bool is_exact =
        gcl_region_from_box(bytes->offset, bytes->length, levels, bytes->dimensions, &box);
    stray->is_found = is_exact && gcl_region_contains_byte(&box, offset);
    gcl_region_finish(&box);
}

// Whether an access strays; `*base` becomes the pointer from which it starts.
static bool is_stray(struct gcl_sanitizer *s, const struct gcl_sanitize_access *access,
                     uint64_t *base) {
    const struct gcl_program *program = s->launch->kernel->program;
    const struct gcl_launch_part launch = gcl_sanitize_part(s, &s->blocks);
    for (uint16_t a = 0; s->evaluator && a < program->access_count; a++) {
        const struct gcl_access *known = &program->accesses[a];
        struct stray stray = {.access = access,
                              .base = gcl_sanitize_base(s, &program->bases[known->base]),
                              .is_here = known->place.line == access->site->line};
        const struct gcl_shadow_extent *extent = gcl_sanitize_find(s, stray.base);
        bool is_outside = extent && (access->address < extent->begin ||
                                     extent->end - access->address < access->size ||
                                     access->address >= extent->end);
        if (known->kind == access->site->kind && is_outside)
            gcl_evaluate(s->evaluator, a, &launch, look_for, &stray);
        *base = stray.base;
        if (stray.is_found)
            return true;
    }
    return false;
}

// Reports.

static void print_access(struct gcl_sanitizer *s, const char *kind,
                         const struct gcl_sanitize_access *access, const char *address,
                         const char *rest) {
    char place[PLACE], kernel[TEXT], thread[TEXT];
    gcl_findings_print("%s: %s: kernel %s, %s %s %" PRIu64 " bytes at %s, outside of %s", kind,
                       gcl_sanitize_format_place(access->site, place),
                       gcl_sanitize_format_kernel(s, kernel), format_thread(s, thread),
                       verb(access->site), access->size, address, rest);
}

static void report_bounds(struct gcl_sanitizer *s, const struct gcl_sanitize_access *access,
                          uint64_t base) {
    char address[TEXT], rest[TEXT] = "any allocation";
    const struct gcl_shadow_extent *extent = base ? gcl_sanitize_find(s, base) : NULL;
    if (extent) {
        struct pointer pointer = find_pointer(s, base);
        snprintf(address, sizeof address, "%s%+" PRId64, pointer.name,
                 (int64_t)(access->address - pointer.value));
        snprintf(rest, sizeof rest, "the allocation of %" PRIu64 " bytes",
                 extent->end - extent->begin);
    } else {
        struct pointer pointer = find_pointer(s, access->address);
        format_address(s, access->address, address);
        extent = gcl_sanitize_find(s, pointer.value);
        if (extent)
            snprintf(rest, sizeof rest, "any allocation; %s leads to one of %" PRIu64 " bytes",
                     pointer.name, extent->end - extent->begin);
        else if (pointer.value != access->address || pointer.name[0] != '0')
            snprintf(rest, sizeof rest, "any allocation; %s leads to none", pointer.name);
    }
    print_access(s, "bounds", access, address, rest);
}

void gcl_sanitize_report_access(struct gcl_sanitizer *s, enum gcl_finding_kind kind,
                                const struct gcl_sanitize_access *access) {
    char address[TEXT], bytes[TEXT], rest[TEXT + 16];
    struct gcl_finding finding = {kind, s->launch->kernel, access->site, NULL};
    uint64_t base = 0;
    if (gcl_findings_have(&s->findings, &finding))
        return;
    if (kind != GCL_FINDING_UNCHECKED && is_stray(s, access, &base))
        finding.kind = GCL_FINDING_BOUNDS;
    else
        base = 0;
    if (!gcl_findings_add(&s->findings, &finding))
        return;
    if (finding.kind == GCL_FINDING_BOUNDS) {
        report_bounds(s, access, base);
        return;
    }
    snprintf(rest, sizeof rest, "its footprint %s", format_footprint(s, access, bytes));
    print_access(s, "footprint", access, format_address(s, access->address, address), rest);
}

void gcl_sanitize_report_unwritten(struct gcl_sanitizer *s, size_t use, struct gcl_span bytes) {
    char kernel[TEXT], address[TEXT], footprint[TEXT], first[TEXT], last[TEXT];
    const struct gcl_finding finding = {GCL_FINDING_UNWRITTEN, s->launch->kernel, NULL, NULL};
    const struct gcl_sanitize_blocks *blocks = &s->blocks;
    int64_t origin = s->footprint.origins[use];
    uint64_t begin = (uint64_t)(origin + bytes.begin);
    if (!gcl_findings_add(&s->findings, &finding))
        return;
    format_address(s, begin, address);
    format_region(&s->footprint.regions.uses[use].written,
                  origin - (int64_t)find_pointer(s, begin).value, footprint);
    format_block(s, blocks->first, first);
    format_block(s, blocks->first + blocks->count - 1, last);
    gcl_findings_print("footprint: kernel %s, block%s %s%s%s: %" PRId64
                       " bytes at %s aren't written, but its footprint says so: %s",
                       gcl_sanitize_format_kernel(s, kernel), blocks->count > 1 ? "s" : "", first,
                       blocks->count > 1 ? " to " : "", blocks->count > 1 ? last : "",
                       bytes.end - bytes.begin, address, footprint);
}

void gcl_sanitize_report_race(struct gcl_sanitizer *s, enum gcl_finding_kind kind, gcl_mark mark,
                              gcl_mark other, uint64_t granule) {
    char kernel[TEXT], address[TEXT], places[2][PLACE], blocks[2][TEXT];
    const struct gcl_site *site = s->sites[gcl_mark_site(mark) - 1];
    const struct gcl_site *before = s->sites[gcl_mark_site(other) - 1];
    const struct gcl_finding finding = {kind, s->launch->kernel, site, before};
    uint32_t shared = gcl_mark_bytes(mark) & gcl_mark_bytes(other);
    if (!gcl_findings_add(&s->findings, &finding))
        return;
    granule += shared ? (uint64_t)__builtin_ctz(shared) : 0;
    gcl_findings_print("race: %s (block %s) %s what %s (block %s) %s: %s, kernel %s%s",
                       gcl_sanitize_format_place(site, places[0]), format_who(s, mark, blocks[0]),
                       verb(site), gcl_sanitize_format_place(before, places[1]),
                       format_who(s, other, blocks[1]), verb(before),
                       format_address(s, granule, address), gcl_sanitize_format_kernel(s, kernel),
                       kind == GCL_FINDING_SAME_VALUE ? "; harmless, as it is the same value" : "");
}

// Threads of a block.

static const char *format_access(const struct gcl_sanitizer *s,
                                 const struct gcl_hazard_access *access, char *out) {
    const struct gcl_block *b = gcl_block_current();
    uint32_t nx = b->block_size[0], ny = b->block_size[1], thread = access->thread;
    char place[PLACE];
    snprintf(out, PLACE + TEXT, "%s (block (%u,%u,%u), thread (%u,%u,%u))",
             gcl_sanitize_format_place(s->sites[access->site - 1], place), b->block_index[0],
             b->block_index[1], b->block_index[2], thread % nx, thread / nx % ny, thread / nx / ny);
    return out;
}

void gcl_sanitize_report_hazard(struct gcl_sanitizer *s, enum gcl_finding_kind kind,
                                const struct gcl_hazard_access *access,
                                const struct gcl_hazard *hazard) {
    const struct gcl_site *site = s->sites[access->site - 1];
    const struct gcl_site *before = s->sites[hazard->other.site - 1];
    const struct gcl_finding finding = {kind, s->launch->kernel, site, before};
    const struct gcl_finding turned = {kind, s->launch->kernel, before, site};
    char kernel[TEXT], address[TEXT], threads[2][PLACE + TEXT];
    if (gcl_findings_have(&s->findings, &turned) || !gcl_findings_add(&s->findings, &finding))
        return;
    bool is_warp = access->thread / GCL_HAZARD_WARP == hazard->other.thread / GCL_HAZARD_WARP;
    const char *advice = is_warp ? "; add __syncwarp() between them, or __syncthreads()"
                                 : "; add __syncthreads() between them";
    gcl_findings_print(
        "race: %s %s what %s %s: %s, kernel %s%s", format_access(s, access, threads[0]), verb(site),
        format_access(s, &hazard->other, threads[1]), verb(before),
        format_address(s, hazard->address, address), gcl_sanitize_format_kernel(s, kernel),
        kind == GCL_FINDING_SAME_VALUE ? "; harmless, as it is the same value" : advice);
}

void gcl_sanitize_end_at_bounds(struct gcl_sanitizer *s, const struct gcl_sanitize_access *access) {
    char address[TEXT], rest[TEXT];
    const struct gcl_block *b = gcl_block_current();
    uint64_t size = (uint64_t)s->launch->kernel->shared_size + b->dynamic_shared_size;
    snprintf(address, sizeof address, "shared memory%+" PRId64,
             (int64_t)(access->address - (uintptr_t)b->shared));
    snprintf(rest, sizeof rest, "the block's %" PRIu64 " bytes", size);
    print_access(s, "bounds", access, address, rest);
    gcl_findings_close(&s->findings);
    fflush(NULL);
    _exit(GCL_FINDINGS_STATUS);
}

void gcl_sanitize_report_init(struct gcl_sanitizer *s, const struct gcl_sanitize_access *access,
                              uint64_t missing) {
    const struct gcl_finding finding = {GCL_FINDING_INIT, s->launch->kernel, access->site, NULL};
    const struct gcl_shadow_extent *extent = gcl_sanitize_find(s, access->address);
    char place[PLACE], thread[TEXT], address[TEXT], kernel[TEXT], memory[PLACE + TEXT] = "";
    if (!gcl_findings_add(&s->findings, &finding))
        return;
    if (extent)
        snprintf(memory, sizeof memory, " (byte %" PRIu64 " of the %" PRIu64 " allocated%s",
                 missing - extent->begin, extent->end - extent->begin, extent->file ? " at " : "");
    if (extent && extent->file)
        snprintf(memory + strlen(memory), sizeof memory - strlen(memory), "%s:%u", extent->file,
                 extent->line);
    gcl_findings_print("init: %s (%s) %s %" PRIu64 " bytes, and nobody wrote %s%s%s, kernel %s",
                       gcl_sanitize_format_place(access->site, place), format_thread(s, thread),
                       verb(access->site), access->size, format_address(s, missing, address),
                       memory, extent ? ")" : "", gcl_sanitize_format_kernel(s, kernel));
}
