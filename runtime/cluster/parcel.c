#include "parcel.h"

#include <string.h>

bool gcl_parcel_is_packed(const struct gcl_parcel *parcel) {
    return parcel->region && gcl_region_run_count(parcel->region) > 1;
}

void gcl_parcel_pack(const struct gcl_parcel *parcel, unsigned char *packed) {
    struct gcl_region_cursor cursor = {.region = parcel->region};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run)) {
        memcpy(packed, parcel->place + run.begin, (size_t)(run.end - run.begin));
        packed += run.end - run.begin;
    }
}

void gcl_parcel_unpack(const struct gcl_parcel *parcel, const unsigned char *packed) {
    struct gcl_region_cursor cursor = {.region = parcel->region};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run)) {
        memcpy(parcel->place + run.begin, packed, (size_t)(run.end - run.begin));
        packed += run.end - run.begin;
    }
}
