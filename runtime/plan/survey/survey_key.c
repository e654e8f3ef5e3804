// What is found of an access depends on the launch, as far as its address and guards do, and on the
// versions of what they are looked up in.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/inspect/base.h"
#include "plan/survey/survey_parts.h"

struct gcl_origins gcl_survey_origins(const struct gcl_surveyed *s, bool is_steady) {
    struct gcl_origins origins = s->origins;
    origins.load_count = is_steady ? origins.bare_load_count : origins.load_count;
    return origins;
}

/// Notes that what is found depends on an allocation. False: no memory.
static bool note_reading(struct gcl_survey *survey, const struct gcl_span *allocation,
                         uint64_t version) {
    for (size_t i = 0; i < survey->reading_count; i++) {
        if (survey->readings[i].allocation.begin == allocation->begin)
            return true;
    }
    struct gcl_reading *readings =
        realloc(survey->readings, (survey->reading_count + 1) * sizeof *readings);
    if (!readings)
        return false;
    survey->readings = readings;
    readings[survey->reading_count++] = (struct gcl_reading){*allocation, version};
    return true;
}

static bool append(struct gcl_key *key, const void *bytes, size_t size) {
    unsigned char *grown = realloc(key->bytes, key->size + size);
    if (!grown)
        return false;
    key->bytes = grown;
    gcl_key_append(key, bytes, size);
    return true;
}

/// The pointer of an access, and the allocation that it leads to.
static bool append_base(const struct gcl_survey_taking *t, uint16_t access, struct gcl_key *key) {
    const struct gcl_program *program = t->survey->program;
    uint16_t base = program->accesses[access].base;
    uint64_t place[3] = {0, 0, 0};
    if (gcl_base_address(program, t->launch->launch, base, &place[0])) {
        const struct gcl_directory_entry *entry =
            gcl_directory_find(t->survey->directory, place[0]);
        place[1] = entry ? entry->begin : 0;
        place[2] = entry ? entry->size : 0;
    } else { // any allocation
        place[0] = gcl_directory_generation(t->survey->directory);
    }
    return append(key, place, sizeof place);
}

/// Whether a launch may change all that nodes look up in an allocation: then nobody reads it, and
/// it makes no difference what it is.
static bool is_all_changed(const struct gcl_survey *survey, const struct gcl_survey_reach *reach,
                           const struct gcl_span *allocation, const struct gcl_region *changed) {
    for (uint32_t i = 0; i < survey->count; i++) {
        const struct gcl_allocation_use *use =
            gcl_footprint_use(&reach->parts[i], allocation->begin);
        if (use && !gcl_region_contains(changed, &use->read))
            return false;
    }
    return true;
}

/// A key, and the versions that come at its end.
struct making {
    struct gcl_key *key;
    struct gcl_key versions;
};

/// What is looked up in an allocation: which version it has, and what may not be.
static bool append_reading(const struct gcl_survey_taking *t, const struct gcl_survey_reach *reach,
                           const struct gcl_span *allocation, struct making *making) {
    const struct gcl_directory_entry *entry =
        gcl_directory_find(t->survey->directory, (uint64_t)allocation->begin);
    struct gcl_region changed = {.count = 0};
    gcl_contents_changed(t->launch->contents, allocation, &changed);
    assert(entry); // what can't be read isn't looked up
    bool is_read = !is_all_changed(t->survey, reach, allocation, &changed);
    const uint64_t reading[] = {entry->begin, is_read, gcl_region_hash(&changed)};
    gcl_region_finish(&changed);
    return (!is_read || (note_reading(t->survey, allocation, entry->version) &&
                         append(&making->versions, &entry->version, sizeof entry->version))) &&
           append(making->key, reading, sizeof reading);
}

static bool append_reach(const struct gcl_survey_taking *t, const struct gcl_survey_reach *reach,
                         struct making *making) {
    assert(reach->parts);
    uint64_t last = 0;
    for (uint32_t i = 0; i < t->survey->count; i++) {
        for (size_t k = 0; k < reach->parts[i].count; k++) {
            const struct gcl_span *allocation = &reach->parts[i].uses[k].allocation;
            if (last == (uint64_t)allocation->begin)
                continue;
            last = (uint64_t)allocation->begin;
            if (!append_reading(t, reach, allocation, making))
                return false;
        }
    }
    return true;
}

static bool append_arguments(const struct gcl_survey_taking *t,
                             const struct gcl_key_arguments *arguments, struct gcl_key *key) {
    bool ok = true;
    for (size_t i = 0; ok && i < arguments->count; i++) {
        const struct gcl_node *node = &t->survey->program->nodes[arguments->nodes[i]];
        uint64_t value = 0;
        memcpy(&value, t->launch->launch->arguments + node->a, (node->width + 7u) / 8);
        ok = append(key, &value, sizeof value);
    }
    return ok;
}

/// Adds the blocks that each node has: what is found is each node's own.
static bool append_parts(const struct gcl_survey_taking *t, struct gcl_key *key) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < t->survey->count; i++) {
        const struct gcl_launch_part *part = &t->launch->parts[i];
        ok = append(key, part->begin, sizeof part->begin) &&
             append(key, part->end, sizeof part->end);
    }
    return ok;
}

bool gcl_survey_make_key(const struct gcl_survey_taking *t, uint16_t access, bool is_steady,
                         struct gcl_key *key, size_t *bare_size) {
    const struct gcl_launch_part *launch = t->launch->launch;
    const struct gcl_surveyed *s = &t->survey->accesses[access];
    const struct gcl_origins origins = gcl_survey_origins(s, is_steady);
    const uint64_t kind[] = {(uint64_t)t->launch->axis, is_steady};
    struct making making = {.key = key};
    bool ok = append(key, kind, sizeof kind) &&
              append(key, launch->geometry.block, sizeof launch->geometry.block) &&
              append(key, launch->geometry.grid, sizeof launch->geometry.grid) &&
              append_parts(t, key) && append_base(t, access, key) &&
              append_arguments(t, is_steady ? &s->steady : &s->arguments, key);
    for (uint16_t i = 0; ok && i < origins.load_count; i++)
        ok = append_base(t, origins.loads[i], key) &&
             append_reach(t, &t->reaches[origins.loads[i]], &making);
    *bare_size = key->size;
    ok = ok &&
         (making.versions.size == 0 || append(key, making.versions.bytes, making.versions.size));
    free(making.versions.bytes);
    if (ok)
        gcl_key_close(key);
    return ok;
}
