// How fast the store is (exec/residency/store.h): bytes that are put and got in batches of 64
// chunks, in the host's memory for the first time and again, and in a file. What is got comes to
// pages that aren't there before: as on a device, where each chunk that comes takes the room of one
// that went.
//
//     bench_store FOLDER [THREADS [MIB]]
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "exec/residency/checksum.h"
#include "exec/residency/store.h"

enum { BATCH = 64, MOST_THREADS = 64, ROUNDS = 5 };

struct part {
    struct gcl_store *store;
    struct gcl_store_transfer *transfers;
    gcl_store_place *places;
    size_t batches;
};

static size_t thread_count = 1;
static struct part parts[MOST_THREADS];

static void check(enum gcl_status status) {
    if (status != GCL_OK)
        exit(1);
}

static void *put(void *argument) {
    struct part *part = argument;
    for (size_t b = 0; b < part->batches; b++) {
        check(gcl_store_put(part->store, part->transfers, BATCH));
        for (size_t i = 0; i < BATCH; i++)
            part->places[b * BATCH + i] = part->transfers[i].place;
    }
    return NULL;
}

static void *get(void *argument) {
    struct part *part = argument;
    for (size_t b = 0; b < part->batches; b++) {
        for (size_t i = 0; i < BATCH; i++)
            part->transfers[i].place = part->places[b * BATCH + i];
        madvise(part->transfers[0].bytes, BATCH * GCL_CHUNK_SIZE, MADV_DONTNEED);
        madvise(part->transfers[0].bytes, BATCH * GCL_CHUNK_SIZE, MADV_POPULATE_WRITE);
        check(gcl_store_get(part->store, part->transfers, BATCH));
    }
    return NULL;
}

static void *drop(void *argument) {
    struct part *part = argument;
    gcl_store_drop(part->store, part->places, part->batches * BATCH);
    return NULL;
}

/// GB/s of what all threads do at a time.
static double rate(void *(*body)(void *), size_t size) {
    pthread_t threads[MOST_THREADS];
    uint64_t begin = gcl_clock_ns();
    for (size_t i = 0; i < thread_count; i++)
        pthread_create(&threads[i], NULL, body, &parts[i]);
    for (size_t i = 0; i < thread_count; i++)
        pthread_join(threads[i], NULL);
    return (double)size / (double)(gcl_clock_ns() - begin);
}

static void measure(const char *name, const struct gcl_store_options *options, size_t size) {
    struct gcl_store *store = gcl_store_create(options);
    if (!store)
        exit(1);
    for (size_t i = 0; i < thread_count; i++)
        parts[i].store = store;
    for (int round = 0; round < ROUNDS; round++) {
        double written = rate(put, size), read = rate(get, size), dropped = rate(drop, size);
        printf("%-5s round %d: put %6.2f GB/s, get %6.2f GB/s, drop %7.2f GB/s\n", name, round,
               written, read, dropped);
    }
    gcl_store_destroy(store);
}

int main(int argc, char **argv) {
    size_t size = (argc > 3 ? strtoul(argv[3], NULL, 10) : 1024) << 20;
    thread_count = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    if (argc < 2 || thread_count < 1 || thread_count > MOST_THREADS)
        return fprintf(stderr, "usage: %s FOLDER [THREADS [MIB]]\n", argv[0]), 2;
    size_t batches = size / thread_count / BATCH / GCL_CHUNK_SIZE;
    size = batches * thread_count * BATCH * GCL_CHUNK_SIZE;
    for (size_t t = 0; t < thread_count; t++) {
        char *bytes = aligned_alloc(2 << 20, BATCH * GCL_CHUNK_SIZE);
        madvise(bytes, BATCH * GCL_CHUNK_SIZE, MADV_NOHUGEPAGE); // pages come and go alone
        memset(bytes, 0x5a, BATCH * GCL_CHUNK_SIZE);
        parts[t] = (struct part){.transfers = calloc(BATCH, sizeof parts[t].transfers[0]),
                                 .places = calloc(batches * BATCH, sizeof(gcl_store_place)),
                                 .batches = batches};
        for (size_t i = 0; i < BATCH; i++)
            parts[t].transfers[i].bytes = bytes + i * GCL_CHUNK_SIZE;
    }
    uint64_t begin = gcl_clock_ns(), sum = 0;
    for (size_t i = 0; i < 16384; i++)
        sum += gcl_checksum(parts[0].transfers[i % 4].bytes, GCL_CHUNK_SIZE);
    printf("checksum: %.2f GB/s (%d)\n",
           16384.0 * (double)GCL_CHUNK_SIZE / (double)(gcl_clock_ns() - begin), (int)(sum & 1));
    measure("host", &(struct gcl_store_options){.host_size = size}, size);
    measure("file", &(struct gcl_store_options){.folder = argv[1], .folder_size = size}, size);
    return 0;
}
