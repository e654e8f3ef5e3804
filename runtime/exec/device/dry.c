// Copies to the host run as sets do on the likeness; all else has no units.
#include "exec/device/dry.h"

#include <stdlib.h>

struct dry {
    struct gcl_device device; ///< first, so that the one is the other
    struct gcl_device_unit_ops units;
    const struct gcl_device *likeness;
    uint64_t begin, end;
};

static struct gcl_device_units cut_run(const struct gcl_device *device, struct gcl_run *run) {
    (void)device, (void)run;
    return (struct gcl_device_units){.count = 0};
}

static struct gcl_device_units cut_copy(const struct gcl_device *device,
                                        struct gcl_box_copy *copy) {
    const struct dry *dry = (const struct dry *)device;
    uint64_t target = (uintptr_t)copy->target;
    if (target >= dry->begin && target < dry->end)
        return (struct gcl_device_units){.count = 0};
    copy->source = NULL;
    copy->value = 0;
    return dry->likeness->units->cut_copy(dry->likeness, copy);
}

struct gcl_device *gcl_device_dry_create(const struct gcl_device *likeness) {
    struct dry *dry = malloc(sizeof *dry);
    if (!dry)
        return NULL;
    *dry = (struct dry){.device = *likeness, .units = *likeness->units, .likeness = likeness};
    dry->device.units = &dry->units;
    dry->device.bytes = NULL;
    dry->units.cut_run = cut_run;
    dry->units.cut_copy = cut_copy;
    return &dry->device;
}

void gcl_device_dry_set_range(struct gcl_device *device, uint64_t begin, uint64_t end) {
    struct dry *dry = (struct dry *)device;
    dry->begin = begin;
    dry->end = end;
}
