#include "exec/device/cuda/state.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"

#define LEAST_MEMORY ((size_t)64 << 20) // with less few programs could start

static int attribute(int device, int which) {
    int value = 0;
    return gcl_cuda.driver->device_attribute(&value, which, device) == GCL_CU_OK ? value : 0;
}

static uint32_t count(int device, int which) {
    int value = attribute(device, which);
    return value > 0 ? (uint32_t)value : 0;
}

static int capability_of(int device) {
    return 10 * attribute(device, GCL_CU_MAJOR) + attribute(device, GCL_CU_MINOR);
}

/// Why a GPU can't be used; NULL: it can.
static const char *find_fault(int device) {
    if (attribute(device, GCL_CU_COMPUTE_MODE) == GCL_CU_COMPUTE_MODE_PROHIBITED)
        return "its compute mode is \"prohibited\", and \"default\" is needed (nvidia-smi -c 0)";
    if (!attribute(device, GCL_CU_UNIFIED_ADDRESSING) || !attribute(device, GCL_CU_VIRTUAL_MEMORY))
        return "its memory can't be mapped at addresses of our choice, which is needed";
    if (!attribute(device, GCL_CU_HOST_POINTER_FOR_REGISTERED))
        return "it sees the host's memory at other addresses, and the same ones are needed";
    return NULL;
}

/// As what other processes can be given a GPU's memory.
static int handle_type_of(int device) {
    return attribute(device, GCL_CU_EXPORTS_DESCRIPTORS) ? GCL_CU_HANDLE_DESCRIPTOR
                                                         : GCL_CU_HANDLE_NONE;
}

static enum gcl_cuda_state fail(const char *what, int error, char *text, size_t size) {
    const struct gcl_driver_error e = gcl_driver_error(gcl_cuda.driver, error);
    snprintf(text, size, "%s: %s (%s)", what, e.text, e.name);
    return GCL_CUDA_UNUSABLE;
}

// What it says about itself.

/// Of what is free, so much goes to each of those who share it; the rest is for contexts.
static size_t share_of_memory(unsigned sharers) {
    size_t free_size = 0, size = 0;
    if (gcl_cuda.driver->memory_info(&free_size, &size) != GCL_CU_OK)
        return 0;
    return free_size / 20 * 19 / sharers;
}

static void read_properties(unsigned sharers) {
    struct gcl_device_properties *p = &gcl_cuda.properties;
    int device = gcl_cuda.device;
    *p = (struct gcl_device_properties){
        .clock_khz = attribute(device, GCL_CU_CLOCK_RATE),
        .memory_clock_khz = attribute(device, GCL_CU_MEMORY_CLOCK_RATE),
        .memory_bus_width = attribute(device, GCL_CU_MEMORY_BUS_WIDTH),
        .l2_size = attribute(device, GCL_CU_L2_SIZE),
        .double_ratio = attribute(device, GCL_CU_DOUBLE_RATIO),
        .sharers = sharers,
        .memory = share_of_memory(sharers)};
    if (gcl_cuda.driver->device_name(p->name, sizeof p->name, device) != GCL_CU_OK)
        snprintf(p->name, sizeof p->name, "GPU");
    p->core_count = count(device, GCL_CU_MULTIPROCESSOR_COUNT);
    if (gcl_cuda.driver->device_uuid(p->uuid, device) != GCL_CU_OK)
        memset(p->uuid, 0, sizeof p->uuid);
}

static void read_limits(void) {
    int device = gcl_cuda.device;
    gcl_cuda.limits = (struct gcl_limits){
        .capability = (uint32_t)gcl_cuda.capability,
        .threads_per_core = count(device, GCL_CU_THREADS_PER_MULTIPROCESSOR),
        .blocks_per_core = count(device, GCL_CU_BLOCKS_PER_MULTIPROCESSOR),
        .registers_per_core = count(device, GCL_CU_REGISTERS_PER_MULTIPROCESSOR),
        .shared_size = count(device, GCL_CU_MAX_SHARED_SIZE),
        .shared_size_optin = count(device, GCL_CU_MAX_SHARED_SIZE_OPTIN),
        .shared_size_per_core = count(device, GCL_CU_SHARED_SIZE_PER_MULTIPROCESSOR)};
}

static const struct gcl_device_properties *properties(void) {
    return &gcl_cuda.properties;
}

static enum gcl_status status(void) {
    switch (atomic_load(&gcl_cuda.error)) {
    case GCL_CU_OK:
        return GCL_OK;
    case GCL_CU_NO_MEMORY:
        return GCL_NO_MEMORY;
    case GCL_CU_ASSERT:
        return GCL_ASSERT;
    case GCL_CU_ILLEGAL_ADDRESS:
    case GCL_CU_MISALIGNED_ADDRESS:
    case GCL_CU_INVALID_ADDRESS_SPACE:
    case GCL_CU_INVALID_PC:
        return GCL_ILLEGAL_ADDRESS;
    case GCL_CU_LAUNCH_FAILED:
    case GCL_CU_ILLEGAL_INSTRUCTION:
    case GCL_CU_HARDWARE_STACK:
        return GCL_TRAP;
    default:
        return GCL_SYSTEM;
    }
}

static bool set_limit(unsigned limit, size_t value) {
    gcl_cuda_enter();
    int error = gcl_cuda.driver->context_limit((int)limit, value);
    if (error == GCL_CU_OK)
        return true;
    const struct gcl_driver_error e = gcl_driver_error(gcl_cuda.driver, error);
    gcl_log(GCL_LOG_INFO, "the GPU refuses limit %u of %zu: %s (%s)", limit, value, e.text, e.name);
    return false;
}

static struct gcl_device cuda = {.units = &gcl_cuda_units,
                                 .queues = &gcl_cuda_queues,
                                 .bytes = &gcl_cuda_bytes,
                                 .is_apart = true,
                                 .limits = &gcl_cuda.limits,
                                 .describe = gcl_cuda_describe,
                                 .blocks_per_core = gcl_cuda_blocks_per_core,
                                 .properties = properties,
                                 .set_limit = set_limit,
                                 .status = status};

static enum gcl_cuda_state open_device(const struct gcl_cuda_choice *c, int device, char *text,
                                       size_t size) {
    char name[128] = "?", what[192];
    size_t granularity;
    gcl_cuda.driver->device_name(name, sizeof name, device);
    const char *fault = find_fault(device);
    if (fault) {
        snprintf(text, size, "GPU %d (%s) can't be used: %s", c->number, name, fault);
        return GCL_CUDA_UNUSABLE;
    }
    int error = gcl_cuda.driver->context_retain(&gcl_cuda.context, device);
    if (error == GCL_CU_OK)
        error = gcl_cuda.driver->context_use(gcl_cuda.context);
    if (error != GCL_CU_OK) {
        snprintf(what, sizeof what, "GPU %d (%s) can't be used", c->number, name);
        return fail(what, error, text, size);
    }
    gcl_cuda.device = device;
    if (!gcl_cuda_fits_chunks(&granularity)) {
        snprintf(text, size,
                 "GPU %d (%s) can't be used: its memory is mapped in pieces of %zu bytes, and of 2 "
                 "MiB is needed",
                 c->number, name, granularity);
        return GCL_CUDA_UNUSABLE;
    }
    gcl_cuda.capability = capability_of(device);
    read_properties(c->sharers);
    read_limits();
    if (gcl_cuda.properties.memory < LEAST_MEMORY) {
        snprintf(text, size,
                 "GPU %d (%s) can't be used: %zu MiB of its memory are free for this node, and %zu "
                 "MiB are needed at least",
                 c->number, name, gcl_cuda.properties.memory >> 20, LEAST_MEMORY >> 20);
        return GCL_CUDA_UNUSABLE;
    }
    snprintf(text, size, "GPU %d: %s, sm_%d, %zu MiB of its memory for this node%s", c->number,
             gcl_cuda.properties.name, gcl_cuda.capability, gcl_cuda.properties.memory >> 20,
             c->sharers > 1 ? ", which shares it with others" : "");
    return GCL_CUDA_READY;
}

/// Has memory be such that other nodes of this host can map it.
static void prepare_lending(int device) {
    gcl_cuda.handle_type = handle_type_of(device);
    if (gcl_cuda.handle_type == GCL_CU_HANDLE_NONE)
        gcl_log(GCL_LOG_INFO,
                "the GPU's driver lets no other process map its memory, which nodes of "
                "this host get by the host's memory instead");
}

enum gcl_cuda_state gcl_device_cuda_open(const struct gcl_cuda_choice *choice,
                                         const struct gcl_device **device, char *text,
                                         size_t size) {
    int count = 0, gpu;
    assert(choice->number >= 0 && choice->sharers > 0);
    enum gcl_driver_state found = gcl_driver_load(&gcl_cuda.driver, text, size);
    if (found != GCL_DRIVER_READY)
        return found == GCL_DRIVER_ABSENT ? GCL_CUDA_ABSENT : GCL_CUDA_UNUSABLE;
    int error = gcl_cuda.driver->device_count(&count);
    if (error != GCL_CU_OK)
        return fail("the driver doesn't say how many GPUs there are", error, text, size);
    if (choice->number >= count) {
        snprintf(text, size, "there is no GPU %d: the driver shows %d, counted from 0",
                 choice->number, count);
        return GCL_CUDA_UNUSABLE;
    }
    error = gcl_cuda.driver->device_get(&gpu, choice->number);
    if (error != GCL_CU_OK)
        return fail("a GPU can't be had", error, text, size);
    if (choice->has_neighbours)
        prepare_lending(gpu);
    enum gcl_cuda_state state = open_device(choice, gpu, text, size);
    cuda.packer = gcl_cuda_packer;
    cuda.pages = choice->shares_memory ? &gcl_cuda_pages : &gcl_cuda_pages_alone;
    gcl_cuda.keeps_bits = choice->keeps_bits;
    *device = &cuda;
    return state;
}

/// Where a GPU is plugged in; 0: nobody says.
static uint64_t place_of(int device) {
    char text[32] = "";
    unsigned domain, bus, slot;
    if (gcl_cuda.driver->device_pci(text, sizeof text, device) != GCL_CU_OK ||
        sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3)
        return 0;
    return gcl_seat_place(domain, bus, slot);
}

void gcl_device_cuda_list(int wanted, struct gcl_seat *seat) {
    char text[256];
    int count = 0, device;
    seat->gpu_count = 0;
    if (gcl_driver_load(&gcl_cuda.driver, text, sizeof text) != GCL_DRIVER_READY ||
        gcl_cuda.driver->device_count(&count) != GCL_CU_OK)
        return;
    for (int i = 0; i < count && seat->gpu_count < GCL_SEAT_GPUS; i++) {
        if ((wanted >= 0 && i != wanted) || gcl_cuda.driver->device_get(&device, i) != GCL_CU_OK ||
            find_fault(device))
            continue;
        struct gcl_seat_gpu *gpu = &seat->gpus[seat->gpu_count++];
        *gpu = (struct gcl_seat_gpu){.place = place_of(device), .number = (uint32_t)i};
        if (gcl_cuda.driver->device_uuid(gpu->uuid, device) != GCL_CU_OK)
            memcpy(gpu->uuid, &gpu->place, sizeof gpu->place);
    }
}

// For people.

/// Writes which GPUs don't reach each other's memory.
static void describe_pairs(int count, FILE *out) {
    for (int i = 0; i < count; i++) {
        for (int k = i + 1; k < count; k++) {
            int first, second, can = 0;
            if (gcl_cuda.driver->device_get(&first, i) == GCL_CU_OK &&
                gcl_cuda.driver->device_get(&second, k) == GCL_CU_OK &&
                gcl_cuda.driver->device_reaches(&can, first, second) == GCL_CU_OK && !can)
                fprintf(out,
                        "GPUs %d and %d don't reach each other's memory: what nodes on them "
                        "exchange goes by the host's\n",
                        i, k);
        }
    }
}

void gcl_device_cuda_describe(FILE *out) {
    char text[256];
    int count = 0;
    if (gcl_driver_load(&gcl_cuda.driver, text, sizeof text) != GCL_DRIVER_READY ||
        gcl_cuda.driver->device_count(&count) != GCL_CU_OK) {
        fprintf(out, "%s\n", text);
        return;
    }
    int version = 0;
    gcl_cuda.driver->driver_version(&version);
    fprintf(out, "NVIDIA driver for CUDA %d.%d\n", version / 1000, version % 1000 / 10);
    for (int i = 0; i < count; i++) {
        char name[128] = "?";
        int device;
        size_t size = 0;
        if (gcl_cuda.driver->device_get(&device, i) != GCL_CU_OK)
            continue;
        gcl_cuda.driver->device_name(name, sizeof name, device);
        gcl_cuda.driver->device_memory(&size, device);
        const char *fault = find_fault(device);
        fprintf(out, "GPU %d: %s, sm_%d, %zu MiB%s%s%s\n", i, name, capability_of(device),
                size >> 20, fault ? ": can't be used: " : "", fault ? fault : "",
                fault || handle_type_of(device) != GCL_CU_HANDLE_NONE
                    ? ""
                    : "; nodes of one host can't map each other's memory: it goes by the host's");
    }
    describe_pairs(count, out);
    if (count > 0)
        fputs("what GPUs have for other machines goes by way of the hosts' memory, without "
              "GPUDirect\n",
              out);
}
