// Findings as words that nodes tell each other.
#include <stdlib.h>

#include "plan/survey/survey_parts.h"

void gcl_survey_pack(struct gcl_pack *out, const struct gcl_survey_finding *finding) {
    const struct gcl_inspection *inspection = &finding->inspection;
    gcl_pack_number(out, finding->inspected);
    gcl_pack_number(out, inspection->outside);
    gcl_pack_number(out, inspection->count);
    for (size_t i = 0; i < inspection->count; i++) {
        gcl_pack_number(out, (uint64_t)inspection->parts[i].allocation.begin);
        gcl_pack_number(out, inspection->parts[i].exact);
        gcl_pack_region(out, &inspection->parts[i].bytes);
    }
}

/// Unpacks what is found in one allocation, and nothing beyond it. False: no memory, unless `in`
/// has failed.
static bool unpack_part(const struct gcl_survey_taking *t, struct gcl_unpack *in,
                        struct gcl_inspection *inspection) {
    const struct gcl_directory_entry *entry =
        gcl_directory_find(t->survey->directory, gcl_unpack_number(in));
    struct gcl_inspected_part *parts =
        realloc(inspection->parts, (inspection->count + 1) * sizeof *parts);
    inspection->parts = parts ? parts : inspection->parts;
    in->has_failed |= !entry;
    if (!parts || !entry)
        return false;
    struct gcl_inspected_part *part = &parts[inspection->count++];
    *part = (struct gcl_inspected_part){
        .allocation = {(int64_t)entry->begin, (int64_t)(entry->begin + entry->size)},
        .exact = gcl_unpack_number(in) == 1};
    gcl_unpack_region(in, &part->bytes);
    struct gcl_span all = {0, (int64_t)entry->size};
    return gcl_region_clip(&part->bytes, all, &part->bytes);
}

bool gcl_survey_unpack(const struct gcl_survey_taking *t, struct gcl_unpack *in,
                       struct gcl_survey_finding *finding) {
    uint64_t inspected = gcl_unpack_number(in);
    *finding = (struct gcl_survey_finding){.inspected = (enum gcl_inspected)inspected,
                                           .inspection.outside = gcl_unpack_number(in) == 1};
    uint64_t count = gcl_unpack_number(in);
    in->has_failed |= inspected > GCL_INSPECTED_LONG;
    bool ok = !in->has_failed;
    for (uint64_t i = 0; i < count && ok; i++)
        ok = unpack_part(t, in, &finding->inspection) && !in->has_failed;
    return ok;
}
