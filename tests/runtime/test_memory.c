// Allocation and copies of plain memory: results, and what is refused without a byte written.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kernels.h"

static void fill_bytes(unsigned char *bytes, size_t size, unsigned seed) {
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 251 + seed);
}

static void copies_of_all_sizes(void **state) {
    const size_t sizes[] = {1, 255, 4096, 65537, (1 << 20) + 3, (16 << 20) + 5};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t size = sizes[i];
        unsigned char *host = malloc(size), *back = malloc(size);
        void *a, *b;
        fill_bytes(host, size, (unsigned)i);
        check_success(gclMalloc(&a, size));
        check_success(gclMalloc(&b, size));
        check_success(gclMemcpy(a, host, size, gclMemcpyHostToDevice));
        check_success(gclMemcpy(b, a, size, gclMemcpyDeviceToDevice));
        check_success(gclMemcpy(back, b, size, gclMemcpyDefault));
        assert_memory_equal(host, back, size);
        check_success(gclMemset(b, 0x5a, size));
        check_success(gclMemcpy(back, b, size, gclMemcpyDeviceToHost));
        assert_true(back[0] == 0x5a && back[size / 2] == 0x5a && back[size - 1] == 0x5a);
        check_success(gclFree(a));
        check_success(gclFree(b));
        free(host);
        free(back);
    }
}

// The source of an asynchronous copy in pageable memory may change as soon as the call returns.
static void pageable_sources_are_staged(void **state) {
    enum { SIZE = 300000 };
    unsigned char *host = malloc(SIZE), *back = malloc(SIZE);
    int ms = 20;
    void *device;
    gclStream_t stream;
    (void)state;
    check_success(gclMalloc(&device, SIZE));
    check_success(gclStreamCreate(&stream));
    for (int busy = 0; busy < 2; busy++) {
        memset(host, 1 + busy, SIZE);
        if (busy)
            check_success(TEST_LAUNCH(test_sleep, 1, 1, stream, &ms));
        check_success(gclMemcpyAsync(device, host, SIZE, gclMemcpyHostToDevice, stream));
        memset(host, 99, SIZE);
        check_success(gclMemcpyAsync(back, device, SIZE, gclMemcpyDeviceToHost, stream));
        assert_true(back[0] == 1 + busy && back[SIZE - 1] == 1 + busy);
    }
    check_success(gclStreamDestroy(stream));
    check_success(gclFree(device));
    free(host);
    free(back);
}

static void rows_and_slices(void **state) {
    enum { WIDTH = 100, HEIGHT = 7, DEPTH = 3, PITCH = 130 };
    unsigned char host[DEPTH][HEIGHT][PITCH], back[DEPTH][HEIGHT][PITCH];
    struct gclPitchedPtr device;
    (void)state;
    fill_bytes(&host[0][0][0], sizeof host, 3);
    memset(back, 0, sizeof back);
    check_success(gclMalloc3D(&device, make_gclExtent(WIDTH, HEIGHT, DEPTH)));
    assert_true(device.pitch >= WIDTH && device.pitch % 32 == 0);
    struct gclMemcpy3DParms to = {.srcPtr = make_gclPitchedPtr(host, PITCH, WIDTH, HEIGHT),
                                  .dstPtr = device,
                                  .extent = make_gclExtent(WIDTH, HEIGHT, DEPTH),
                                  .kind = gclMemcpyHostToDevice};
    check_success(gclMemcpy3D(&to));
    struct gclMemcpy3DParms from = {.srcPtr = device,
                                    .srcPos = make_gclPos(10, 1, 1),
                                    .dstPtr = make_gclPitchedPtr(back, PITCH, WIDTH, HEIGHT),
                                    .dstPos = make_gclPos(10, 1, 1),
                                    .extent = make_gclExtent(50, 4, 2),
                                    .kind = gclMemcpyDeviceToHost};
    check_success(gclMemcpy3DAsync(&from, NULL));
    for (int z = 0; z < DEPTH; z++) {
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < PITCH; x++) {
                int is_inside = z >= 1 && y >= 1 && y < 5 && x >= 10 && x < 60;
                assert_int_equal(back[z][y][x], is_inside ? host[z][y][x] : 0);
            }
        }
    }
    struct gclMemcpy3DPeerParms peers = {.srcPtr = device,
                                         .srcPos = make_gclPos(10, 1, 1),
                                         .dstPtr = device,
                                         .dstPos = make_gclPos(0, 6, 0),
                                         .extent = make_gclExtent(50, 1, 1)};
    check_success(gclMemcpy3DPeer(&peers));
    peers.dstPos.z = 1;
    check_success(gclMemcpy3DPeerAsync(&peers, NULL));
    check_success(gclMemcpy2D(back, PITCH, (char *)device.ptr + 6 * device.pitch,
                              HEIGHT * device.pitch, WIDTH, 2, gclMemcpyDeviceToHost));
    assert_memory_equal(back[0][0], &host[1][1][10], 50);
    assert_memory_equal(back[0][1], &host[1][1][10], 50);
    assert_int_equal(back[0][0][50], host[0][6][50]);
    peers.srcDevice = 7;
    check_error(gclMemcpy3DPeer(&peers), gclErrorInvalidDevice);
    check_success(gclMemset3D(device, 9, make_gclExtent(WIDTH, 2, DEPTH)));
    check_success(
        gclMemcpy2D(back, PITCH, device.ptr, device.pitch, WIDTH, 3, gclMemcpyDeviceToHost));
    assert_int_equal(back[0][1][WIDTH - 1], 9);
    assert_int_equal(back[0][2][0], host[0][2][0]);
    check_success(gclFree(device.ptr));
}

static void batches(void **state) {
    int host[6] = {1, 2, 3, 4, 5, 6}, back[6] = {0}, *p;
    gclStream_t stream;
    gclMemcpyAttributes attributes[] = {{.srcAccessOrder = gclMemcpySrcAccessOrderDuringApiCall},
                                        {.srcAccessOrder = gclMemcpySrcAccessOrderStream}};
    size_t sizes[] = {sizeof host, 8, 16}, first[] = {0, 1}, failed = 0;
    (void)state;
    check_success(gclMalloc((void **)&p, sizeof host));
    check_success(gclStreamCreate(&stream));
    void *targets[] = {p, back, back + 2}, *sources[] = {host, p + 4, p};
    check_success(
        gclMemcpyBatchAsync(targets, sources, sizes, 3, attributes, first, 2, &failed, stream));
    assert_true(failed == SIZE_MAX);
    check_success(gclStreamSynchronize(stream));
    assert_true(back[0] == 5 && back[1] == 6 && back[2] == 1 && back[5] == 4);
    check_error(
        gclMemcpyBatchAsync(targets, sources, sizes, 3, attributes, first, 2, &failed, NULL),
        gclErrorInvalidValue);
    sources[2] = p + 4; // 16 bytes are beyond its end
    check_error(
        gclMemcpyBatchAsync(targets, sources, sizes, 3, attributes, first, 2, &failed, stream),
        gclErrorInvalidValue);
    assert_int_equal(failed, 2);
    first[1] = 3;
    check_error(gclMemcpyBatchAsync(targets, sources, sizes, 3, attributes, first, 2, NULL, stream),
                gclErrorInvalidValue);
    check_success(gclStreamDestroy(stream));
    check_success(gclFree(p));
    gclGetLastError();
}

static void two_dimensions(void **state) {
    enum { WIDTH = 33, HEIGHT = 50 };
    unsigned char host[HEIGHT][WIDTH], back[HEIGHT][WIDTH];
    void *device;
    size_t pitch;
    (void)state;
    fill_bytes(&host[0][0], sizeof host, 5);
    check_success(gclMallocPitch(&device, &pitch, WIDTH, HEIGHT));
    check_success(gclMemcpy2D(device, pitch, host, WIDTH, WIDTH, HEIGHT, gclMemcpyHostToDevice));
    check_success(
        gclMemcpy2DAsync(back, WIDTH, device, pitch, WIDTH, HEIGHT, gclMemcpyDeviceToHost, NULL));
    assert_memory_equal(host, back, sizeof host);
    check_error(gclMemcpy2D(device, pitch, host, WIDTH - 1, WIDTH, HEIGHT, gclMemcpyHostToDevice),
                gclErrorInvalidPitchValue);
    check_error(gclMemcpy2D(device, pitch, host, WIDTH, WIDTH, HEIGHT + 1, gclMemcpyHostToDevice),
                gclErrorInvalidValue);
    check_success(gclMemset2D(device, pitch, 1, 2, HEIGHT));
    check_success(gclMemcpy2D(back, WIDTH, device, pitch, WIDTH, HEIGHT, gclMemcpyDeviceToHost));
    assert_true(back[HEIGHT - 1][1] == 1 && back[HEIGHT - 1][2] == host[HEIGHT - 1][2]);
    check_success(gclFree(device));
    gclGetLastError();
}

static void wrong_copies_write_nothing(void **state) {
    enum { SIZE = 1000 };
    unsigned char host[2 * SIZE], back[SIZE];
    unsigned char *a, *b;
    (void)state;
    fill_bytes(host, sizeof host, 1);
    check_success(gclMalloc((void **)&a, SIZE));
    check_success(gclMalloc((void **)&b, SIZE));
    check_error(gclMemcpy(a, host, SIZE + 1, gclMemcpyHostToDevice), gclErrorInvalidValue);
    check_error(gclMemcpy(a + 1, host, SIZE, gclMemcpyHostToDevice), gclErrorInvalidValue);
    check_error(gclMemcpy(host, a, SIZE + 1, gclMemcpyDeviceToHost), gclErrorInvalidValue);
    check_error(gclMemcpy(host, back, SIZE, gclMemcpyHostToDevice), gclErrorInvalidValue);
    check_error(gclMemcpy(a, host, SIZE, gclMemcpyDeviceToDevice), gclErrorInvalidValue);
    check_error(gclMemcpy(NULL, host, 1, gclMemcpyHostToDevice), gclErrorInvalidValue);
    check_error(gclMemcpy(a, NULL, 1, gclMemcpyHostToDevice), gclErrorInvalidValue);
    check_error(gclMemcpy(a, host, SIZE, (enum gclMemcpyKind)7), gclErrorInvalidMemcpyDirection);
    check_error(gclMemset(a, 1, SIZE + 1), gclErrorInvalidValue);
    check_error(gclMemset(host, 1, SIZE), gclErrorInvalidValue);
    check_success(gclMemcpy(back, a, SIZE, gclMemcpyDeviceToHost));
    for (int i = 0; i < SIZE; i++)
        assert_int_equal(back[i], 0);
    check_success(gclFree(b));
    check_error(gclMemcpy(b, host, 1, gclMemcpyHostToDevice), gclErrorInvalidValue);
    check_success(gclMemcpy(a, host, 0, gclMemcpyHostToDevice));
    check_success(gclFree(a));
    check_error(gclGetLastError(), gclErrorInvalidValue);
}

static void wrong_frees(void **state) {
    unsigned char *p, *pinned, local;
    (void)state;
    check_success(gclMalloc((void **)&p, 1000));
    check_success(gclMallocHost((void **)&pinned, 1000));
    check_error(gclFree(p + 1), gclErrorInvalidValue);
    check_error(gclFree(&local), gclErrorInvalidValue);
    check_error(gclFree(pinned), gclErrorInvalidValue);
    check_error(gclFreeHost(p), gclErrorInvalidValue);
    check_success(gclFree(p));
    check_error(gclFree(p), gclErrorInvalidValue);
    check_success(gclFree(NULL));
    check_success(gclFreeHost(NULL));
    check_success(gclFreeHost(pinned));
    gclGetLastError();
}

static void too_large(void **state) {
    void *p = &p;
    size_t free_size, total, pitch;
    (void)state;
    check_success(gclMemGetInfo(&free_size, &total));
    assert_true(free_size <= total);
    check_error(gclMalloc(&p, total + 1), gclErrorMemoryAllocation);
    check_error(gclMalloc(&p, SIZE_MAX), gclErrorMemoryAllocation);
    check_error(gclMallocPitch(&p, &pitch, SIZE_MAX / 2, 4), gclErrorMemoryAllocation);
    assert_ptr_equal(p, &p);
    check_error(gclGetLastError(), gclErrorMemoryAllocation);
    check_success(gclMalloc(&p, 1 << 20)); // the program goes on
    size_t free_after;
    check_success(gclMemGetInfo(&free_after, &total));
    assert_int_equal(free_size - free_after, 1 << 20);
    check_success(gclFree(p));
    check_success(gclMalloc(&p, 0));
    assert_null(p);
}

static void pointer_attributes(void **state) {
    struct gclPointerAttributes a;
    char *p, *host, local[10], *device;
    unsigned flags;
    (void)state;
    check_success(gclMalloc((void **)&p, 100));
    check_success(gclPointerGetAttributes(&a, p + 50));
    assert_true(a.type == gclMemoryTypeDevice && a.devicePointer == p + 50 && !a.hostPointer);
    check_success(gclFree(p));
    check_success(gclPointerGetAttributes(&a, p));
    assert_int_equal(a.type, gclMemoryTypeUnregistered);
    check_success(gclHostAlloc((void **)&host, 100, gclHostAllocPortable));
    check_success(gclPointerGetAttributes(&a, host));
    assert_true(a.type == gclMemoryTypeHost && a.hostPointer == host);
    check_success(gclHostGetDevicePointer((void **)&device, host, 0));
    assert_ptr_equal(device, host);
    check_success(gclHostGetFlags(&flags, host));
    assert_int_equal(flags, gclHostAllocPortable | gclHostAllocMapped);
    check_success(gclFreeHost(host));
    check_error(gclHostGetDevicePointer((void **)&device, local, 0), gclErrorInvalidValue);
    check_success(gclHostRegister(local, sizeof local, gclHostRegisterDefault));
    check_error(gclHostRegister(local, sizeof local, 0), gclErrorHostMemoryAlreadyRegistered);
    check_success(gclHostGetDevicePointer((void **)&device, local, 0));
    check_success(gclMemset(local, 7, sizeof local)); // registered: the device reaches it
    assert_int_equal(local[9], 7);
    check_success(gclHostUnregister(local));
    check_error(gclHostUnregister(local), gclErrorHostMemoryNotRegistered);
    gclGetLastError();
}

static void check_attributes(const int *range, size_t size) {
    int is_read_mostly = -1, place = 0, devices[2] = {0};
    void *values[] = {&is_read_mostly, &place, devices};
    size_t sizes[] = {sizeof is_read_mostly, sizeof place, sizeof devices};
    enum gclMemRangeAttribute asked[] = {gclMemRangeAttributeReadMostly,
                                         gclMemRangeAttributeLastPrefetchLocation,
                                         gclMemRangeAttributeAccessedBy};
    check_success(gclMemRangeGetAttributes(values, sizes, asked, 3, range, size));
    assert_true(is_read_mostly == 0 && place == gclInvalidDeviceId);
    assert_true(devices[0] == gclInvalidDeviceId && devices[1] == gclInvalidDeviceId);
    check_error(gclMemRangeGetAttributes(values, sizes, asked, 0, range, size),
                gclErrorInvalidValue);
    sizes[1] = 2;
    check_error(gclMemRangeGetAttributes(values, sizes, asked, 3, range, size),
                gclErrorInvalidValue);
}

static void managed(void **state) {
    int *p, first = 10, count = 64;
    (void)state;
    check_error(gclMallocManaged((void **)&p, 0, gclMemAttachGlobal), gclErrorInvalidValue);
    check_error(gclMallocManaged((void **)&p, 64, 8), gclErrorInvalidValue);
    check_success(gclMallocManaged((void **)&p, 64 * sizeof *p, gclMemAttachGlobal));
    check_success(gclMemAdvise(p, 64 * sizeof *p, gclMemAdviseSetPreferredLocation, 0));
    check_attributes(p, 64 * sizeof *p);
    check_success(gclMemPrefetchAsync(p, 64 * sizeof *p, 0, NULL));
    check_error(gclMemPrefetchAsync(p, 64 * sizeof *p + 1, 0, NULL), gclErrorInvalidValue);
    check_error(gclMemPrefetchAsync(p, 64 * sizeof *p, 3, NULL), gclErrorInvalidDevice);
    check_success(TEST_LAUNCH(test_fill, 1, 64, NULL, &p, &first, &count));
    check_success(gclMemPrefetchAsync(p, 64 * sizeof *p, gclCpuDeviceId, NULL));
    check_success(gclDeviceSynchronize());
    assert_int_equal(p[63], 73);
    check_success(gclFree(p));
    gclGetLastError();
}

static void stream_ordered(void **state) {
    int *p, *q, host[64], first = 1, count = 64;
    gclStream_t stream;
    gclMemPool_t pool, own;
    uint64_t used, threshold = UINT64_MAX;
    struct gclMemPoolProps properties = {.allocType = gclMemAllocationTypePinned,
                                         .location = {.type = gclMemLocationTypeDevice}};
    (void)state;
    check_success(gclStreamCreate(&stream));
    check_success(gclDeviceGetDefaultMemPool(&pool, 0));
    check_success(gclMemPoolSetAttribute(pool, gclMemPoolAttrReleaseThreshold, &threshold));
    check_success(gclMallocAsync((void **)&p, sizeof host, stream));
    check_success(TEST_LAUNCH(test_fill, 1, 64, stream, &p, &first, &count));
    check_success(gclMemPoolGetAttribute(pool, gclMemPoolAttrUsedMemCurrent, &used));
    assert_int_equal(used, sizeof host);
    check_success(gclMemcpyAsync(host, p, sizeof host, gclMemcpyDeviceToHost, stream));
    check_success(gclFreeAsync(p, stream));
    check_error(gclFreeAsync(p, stream), gclErrorInvalidValue);
    check_error(gclMemcpy(host, p, 1, gclMemcpyDeviceToHost), gclErrorInvalidValue);
    check_success(gclStreamSynchronize(stream));
    assert_int_equal(host[63], 64);
    check_success(gclMemPoolGetAttribute(pool, gclMemPoolAttrUsedMemCurrent, &used));
    assert_int_equal(used, 0);
    check_success(gclMemPoolCreate(&own, &properties));
    check_success(gclMallocFromPoolAsync((void **)&q, 100, own, stream));
    check_success(gclFreeAsync(q, stream));
    check_success(gclMemPoolDestroy(own));
    check_success(gclStreamDestroy(stream));
    gclGetLastError();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_of_all_sizes), cmocka_unit_test(pageable_sources_are_staged),
        cmocka_unit_test(rows_and_slices),     cmocka_unit_test(batches),
        cmocka_unit_test(two_dimensions),      cmocka_unit_test(wrong_copies_write_nothing),
        cmocka_unit_test(wrong_frees),         cmocka_unit_test(too_large),
        cmocka_unit_test(pointer_attributes),  cmocka_unit_test(managed),
        cmocka_unit_test(stream_ordered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
