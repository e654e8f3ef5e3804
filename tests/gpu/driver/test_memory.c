// Memory: mapped, allocated, of the host, and of other processes.
#include <signal.h>
#include <sys/socket.h>

#include "check.h"

enum { CHUNK = CARD_GRANULARITY };

// Mapped memory.

static void map_and_copy(void) {
    open_device(0);
    uint64_t address = map_memory(2 * CHUNK);
    unsigned char in[300], out[300] = {0};
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)i;
    works(cuMemcpyHtoD_v2(address + CHUNK - 100, in, sizeof in));
    works(cuMemcpyDtoH_v2(out, address + CHUNK - 100, sizeof out));
    require(memcmp(in, out, sizeof in) == 0);
    works(cuMemUnmap(address, 2 * CHUNK));
    works(cuMemAddressFree(address, 2 * CHUNK));
    works(cuDevicePrimaryCtxRelease_v2(0));
}

#define WANTED (UINT64_C(20) << 40) // addresses that sanitizers don't take

static void map_chunks(void) {
    uint64_t address, first = 0, second = 0;
    unsigned char out[2 * CHUNK / 1024];
    open_device(0);
    works(cuMemAddressReserve(&address, 4 * CHUNK, 0, WANTED, 0));
    require(address == WANTED);
    first = create_memory(CHUNK, CARD_HANDLE_NONE);
    second = create_memory(CHUNK, CARD_HANDLE_NONE);
    works(cuMemMap(address, CHUNK, 0, first, 0));
    works(cuMemMap(address + CHUNK, CHUNK, 0, second, 0));
    allow(address, 2 * CHUNK, CARD_ACCESS_BOTH);
    works(cuMemsetD8_v2(address, 7, 2 * CHUNK));
    works(cuMemcpyDtoH_v2(out, address + CHUNK - sizeof out / 2, sizeof out));
    for (size_t i = 0; i < sizeof out; i++)
        require(out[i] == 7);
    // The same memory elsewhere has the same bytes.
    works(cuMemMap(address + 2 * CHUNK, CHUNK, 0, first, 0));
    allow(address + 2 * CHUNK, CHUNK, CARD_ACCESS_READ);
    works(cuMemcpyDtoH_v2(out, address + 2 * CHUNK, sizeof out));
    require(out[0] == 7);
    works(cuMemUnmap(address, 3 * CHUNK));
    works(cuMemRelease(first));
    works(cuMemRelease(second));
    works(cuMemAddressFree(address, 4 * CHUNK));
    works(cuDevicePrimaryCtxRelease_v2(0));
}

static void reserve_taken(void) {
    uint64_t first, second;
    open_device(0);
    works(cuMemAddressReserve(&first, CHUNK, 0, 0, 0));
    works(cuMemAddressReserve(&second, CHUNK, 0, first, 0));
    require(first != second);
}

static void memory_runs_out(void) {
    const struct card_allocation_form form = {.type = CARD_ALLOCATION_PINNED,
                                              .location = {CARD_LOCATION_DEVICE, 0}};
    uint64_t memory, more;
    size_t left, size;
    open_device(0);
    memory = create_memory(3 * CHUNK, CARD_HANDLE_NONE);
    gives(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&more, 2 * CHUNK, &form, 0));
    works(cuMemGetInfo_v2(&left, &size));
    require(left == CHUNK && size == 4 * CHUNK);
    works(cuMemRelease(memory));
    works(cuMemGetInfo_v2(&left, &size));
    require(left == 4 * CHUNK);
}

static void map_host(void) {
    const struct card_allocation_form form = {.type = CARD_ALLOCATION_PINNED,
                                              .location = {CARD_LOCATION_HOST_NUMA, 0}};
    uint64_t memory, address;
    size_t left, size;
    int maps = 0;
    unsigned char out = 0;
    open_device(0);
    works(cuDeviceGetAttribute(&maps, 141, 0));
    if (!maps) {
        gives(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&memory, CHUNK, &form, 0));
        return;
    }
    works(cuMemCreate(&memory, CHUNK, &form, 0));
    works(cuMemGetInfo_v2(&left, &size));
    require(left == size);
    works(cuMemAddressReserve(&address, CHUNK, 0, 0, 0));
    works(cuMemMap(address, CHUNK, 0, memory, 0));
    allow(address, CHUNK, CARD_ACCESS_BOTH);
    works(cuMemsetD8_v2(address, 5, CHUNK));
    works(cuMemcpyDtoH_v2(&out, address + CHUNK - 1, 1));
    require(out == 5);
    works(cuMemUnmap(address, CHUNK));
    works(cuMemRelease(memory));
    works(cuMemAddressFree(address, CHUNK));
    works(cuDevicePrimaryCtxRelease_v2(0));
}

static void test_mapping(void **state) {
    (void)state;
    is_fine(NULL, map_host);
    is_fine("MAPS_HOST=0", map_host);
    is_fine(NULL, map_and_copy);
    is_fine(NULL, map_chunks);
    is_fine(NULL, reserve_taken);
    is_fine("MEMORY=8M", memory_runs_out);
}

static void odd_size(void) {
    const struct card_allocation_form form = {.type = CARD_ALLOCATION_PINNED,
                                              .location = {CARD_LOCATION_DEVICE, 0}};
    uint64_t memory;
    open_device(0);
    cuMemCreate(&memory, 4096, &form, 0);
}

static void map_twice(void) {
    open_device(0);
    uint64_t address = map_memory(CHUNK);
    cuMemMap(address, CHUNK, 0, create_memory(CHUNK, CARD_HANDLE_NONE), 0);
}

static void map_unreserved(void) {
    open_device(0);
    cuMemMap(UINT64_C(1) << 41, CHUNK, 0, create_memory(CHUNK, CARD_HANDLE_NONE), 0);
}

static void unmap_part(void) {
    open_device(0);
    cuMemUnmap(map_memory(2 * CHUNK), CHUNK);
}

static void release_twice(void) {
    open_device(0);
    uint64_t memory = create_memory(CHUNK, CARD_HANDLE_NONE);
    works(cuMemRelease(memory));
    cuMemRelease(memory);
}

static void free_mapped(void) {
    open_device(0);
    cuMemAddressFree(map_memory(CHUNK), CHUNK);
}

static void use_without_access(void) {
    open_device(0);
    uint64_t address = map_memory(CHUNK);
    allow(address, CHUNK, CARD_ACCESS_READ);
    cuMemsetD8_v2(address, 0, 10);
}

static void use_unmapped(void) {
    open_device(0);
    uint64_t address = map_memory(CHUNK);
    works(cuMemUnmap(address, CHUNK));
    cuMemsetD8_v2(address, 0, 10);
}

static void use_over_the_end(void) {
    open_device(0);
    cuMemsetD8_v2(map_memory(CHUNK) + CHUNK - 10, 0, 11);
}

static void touch_on_host(void) {
    open_device(0);
    *(volatile char *)map_memory(CHUNK) = 1;
}

static void leak_mapping(void) {
    open_device(0);
    map_memory(CHUNK);
    cuDevicePrimaryCtxRelease_v2(0);
}

static void leak_memory(void) {
    open_device(0);
    create_memory(CHUNK, CARD_HANDLE_NONE);
    cuDevicePrimaryCtxRelease_v2(0);
}

static void test_mapping_misuse(void **state) {
    (void)state;
    is_misuse(NULL, odd_size, "cuMemCreate: the size 0x1000 is no multiple of the granularity");
    is_misuse(NULL, map_twice, "cuMemMap: memory is mapped in 2097152 bytes at");
    is_misuse(NULL, map_unreserved, "cuMemMap: 0x20000000000 isn't reserved");
    is_misuse(NULL, unmap_part, "are part of the mapping");
    is_misuse(NULL, release_twice, "is a memory handle that is destroyed");
    is_misuse(NULL, free_mapped, "cuMemAddressFree: memory is mapped in what was reserved");
    is_misuse(NULL, use_without_access, "cuMemsetD8_v2: 10 bytes at");
    is_misuse(NULL, use_without_access, "device 0 may not write");
    is_misuse(NULL, use_unmapped, "no memory is mapped or allocated at");
    is_misuse(NULL, use_over_the_end, "cuMemsetD8_v2: 11 bytes at");
    is_misuse(NULL, leak_mapping, "not given back: memory of 2097152 bytes");
    is_misuse(NULL, leak_memory, "1 chunks of memory");
    struct outcome outcome = run_case(NULL, touch_on_host);
    assert_true(outcome.status != 0); // a fault
    assert_null(strstr(outcome.text, "test driver"));
}

// Allocations.

static void allocations(void) {
    uint64_t address, begin;
    unsigned char bytes[16];
    size_t size;
    int type = 0;
    open_device(0);
    address = allocate(100);
    works(cuMemcpyDtoH_v2(bytes, address, sizeof bytes));
    require(bytes[0] == 0xa5); // nobody said it would be 0
    works(cuMemGetAddressRange_v2(&begin, &size, address + 50));
    require(begin == address && size == 100);
    works(cuPointerGetAttribute(&type, 2, address));
    require(type == CARD_MEMORY_DEVICE);
    gives(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, 2, (uint64_t)bytes));
    gives(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD_v2(address, (uint64_t)bytes, 16));
    works(cuMemFree_v2(address));
    works(cuMemFree_v2(0));
    works(cuDevicePrimaryCtxRelease_v2(0));
}

static void use_freed(void) {
    open_device(0);
    uint64_t address = allocate(100);
    works(cuMemFree_v2(address));
    cuMemsetD8_v2(address, 0, 1);
}

static void use_behind(void) {
    open_device(0);
    cuMemsetD8_v2(allocate(100), 0, 101);
}

static void free_inside(void) {
    open_device(0);
    cuMemFree_v2(allocate(100) + 4);
}

static void overlap(void) {
    open_device(0);
    uint64_t address = allocate(100);
    cuMemcpyDtoD_v2(address, address + 10, 20);
}

static void test_allocations(void **state) {
    (void)state;
    is_fine(NULL, allocations);
    is_misuse(NULL, use_freed, "no memory is mapped or allocated");
    is_misuse(NULL, use_behind, "no memory is mapped or allocated");
    is_misuse(NULL, free_inside, "nothing is allocated at");
    is_misuse(NULL, overlap, "source and target overlap");
}

// Memory of the host.

static void host_memory(void) {
    static unsigned char memory[8192];
    uint64_t address;
    void *allocated;
    open_device(0);
    works(cuMemHostRegister_v2(memory, sizeof memory, CARD_HOST_PORTABLE | CARD_HOST_MAPPED));
    gives(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister_v2(memory + 4096, 1, 0));
    works(cuMemHostGetDevicePointer_v2(&address, memory, 0));
    require(address == (uint64_t)memory);
    works(cuMemsetD32_v2(address, 0x01020304, 4));
    require(memory[0] == 4 && memory[15] == 1);
    works(cuMemHostUnregister(memory));
    gives(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(memory));
    gives(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer_v2(&address, memory, 0));
    gives(CUDA_ERROR_INVALID_VALUE, cuMemsetD8_v2((uint64_t)memory, 0, 4));
    gives(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister_v2((void *)4096, 4096, 0));
    works(cuMemHostAlloc(&allocated, 100, CARD_HOST_PORTABLE));
    works(cuMemsetD8_v2((uint64_t)allocated, 3, 100));
    require(*(char *)allocated == 3);
    works(cuMemFreeHost(allocated));
    works(cuDevicePrimaryCtxRelease_v2(0));
}

static void leak_registration(void) {
    static unsigned char memory[8192];
    open_device(0);
    works(cuMemHostRegister_v2(memory, sizeof memory, 0));
    cuDevicePrimaryCtxRelease_v2(0);
}

static void straddle(void) {
    static unsigned char memory[8192];
    open_device(0);
    works(cuMemHostRegister_v2(memory, 4096, 0));
    cuMemcpyHtoD_v2(allocate(8192), memory, 8192);
}

static void test_host(void **state) {
    (void)state;
    is_fine(NULL, host_memory);
    is_misuse(NULL, leak_registration, "not given back: memory of 8192 bytes");
    is_misuse(NULL, straddle, "cuMemcpyHtoD_v2: 8192 bytes at");
}

// Devices.

static void two_devices(void) {
    uint64_t first, second;
    unsigned char out = 0;
    void *contexts[2] = {open_device(0), open_device(1)};
    second = allocate(16);
    works(cuMemsetD8_v2(second, 9, 16));
    works(cuCtxSynchronize());
    works(cuCtxSetCurrent(contexts[0]));
    first = allocate(16);
    works(cuMemcpyPeer(first, contexts[0], second, contexts[1], 16));
    works(cuMemcpyDtoH_v2(&out, first, 1));
    require(out == 9);
    gives(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRetain(contexts, 2));
}

static void use_of_other_device(void) {
    uint64_t address;
    open_device(0);
    address = allocate(16);
    open_device(1);
    cuMemsetD8_v2(address, 0, 16);
}

static void test_devices(void **state) {
    (void)state;
    is_fine("DEVICES=2", two_devices);
    is_misuse("DEVICES=2", use_of_other_device, "device 1 may not write");
}

// Processes.

static int pair[2];

static void send_file(int file) {
    char byte = 0, control[CMSG_SPACE(sizeof file)] = {0};
    struct iovec bytes = {&byte, 1};
    struct msghdr message = {.msg_iov = &bytes,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(header), &file, sizeof file);
    require(sendmsg(pair[0], &message, 0) == 1);
}

static int receive_file(void) {
    char byte, control[CMSG_SPACE(sizeof(int))];
    struct iovec bytes = {&byte, 1};
    struct msghdr message = {.msg_iov = &bytes,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    int file;
    require(recvmsg(pair[1], &message, 0) == 1);
    memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
    return file;
}

static void export_chunk(void) {
    uint64_t address, memory;
    char byte = 0;
    int file;
    open_device(0);
    memory = create_memory(CHUNK, CARD_HANDLE_POSIX);
    works(cuMemAddressReserve(&address, CHUNK, 0, 0, 0));
    works(cuMemMap(address, CHUNK, 0, memory, 0));
    allow(address, CHUNK, CARD_ACCESS_BOTH);
    works(cuMemsetD8_v2(address, 42, CHUNK));
    works(cuCtxSynchronize());
    works(cuMemExportToShareableHandle(&file, memory, CARD_HANDLE_POSIX, 0));
    send_file(file);
    close(file);
    require(read(pair[0], &byte, 1) == 1); // it has written there
    works(cuMemcpyDtoH_v2(&byte, address + 5, 1));
    require(byte == 43);
    gives(CUDA_ERROR_INVALID_VALUE,
          cuMemExportToShareableHandle(&file, create_memory(CHUNK, CARD_HANDLE_NONE),
                                       CARD_HANDLE_POSIX, 0));
}

static void import_chunk(void) {
    uint64_t address, memory;
    unsigned char byte = 0;
    int file = receive_file();
    open_device(0);
    works(cuMemImportFromShareableHandle(&memory, (void *)(intptr_t)file, CARD_HANDLE_POSIX));
    close(file);
    works(cuMemAddressReserve(&address, CHUNK, 0, 0, 0));
    works(cuMemMap(address, CHUNK, 0, memory, 0));
    works(cuMemRelease(memory));
    allow(address, CHUNK, CARD_ACCESS_BOTH);
    works(cuMemcpyDtoH_v2(&byte, address + 100, 1));
    require(byte == 42);
    works(cuMemsetD8_v2(address, 43, CHUNK));
    works(cuCtxSynchronize());
    require(write(pair[1], &byte, 1) == 1);
    gives(CUDA_ERROR_INVALID_VALUE,
          cuMemImportFromShareableHandle(&memory, (void *)(intptr_t)0, CARD_HANDLE_POSIX));
}

/// Memory of device 0, imported and mapped for a device.
static uint64_t map_imported(int device, int result) {
    const struct card_access access = {{CARD_LOCATION_DEVICE, device}, CARD_ACCESS_BOTH};
    uint64_t address, memory = create_memory(CHUNK, CARD_HANDLE_POSIX), imported;
    int file;
    works(cuMemExportToShareableHandle(&file, memory, CARD_HANDLE_POSIX, 0));
    works(cuMemImportFromShareableHandle(&imported, (void *)(intptr_t)file, CARD_HANDLE_POSIX));
    close(file);
    gives(CUDA_ERROR_INVALID_VALUE,
          cuMemImportFromShareableHandle(&memory, (void *)(intptr_t)file, CARD_HANDLE_POSIX));
    works(cuMemRelease(memory)); // whose file lives on
    works(cuMemAddressReserve(&address, CHUNK, 0, 0, 0));
    works(cuMemMap(address, CHUNK, 0, imported, 0));
    works(cuMemRelease(imported));
    gives(result, cuMemSetAccess(address, CHUNK, &access, 1));
    return address;
}

static void outlive_creator(void) {
    unsigned char byte = 0;
    open_device(0);
    uint64_t address = map_imported(0, CUDA_SUCCESS);
    works(cuMemsetD8_v2(address, 7, CHUNK));
    works(cuMemcpyDtoH_v2(&byte, address + 5, 1));
    require(byte == 7);
}

static void import_without_access(void) {
    uint64_t address, imported;
    int file;
    open_device(0);
    works(cuMemExportToShareableHandle(&file, create_memory(CHUNK, CARD_HANDLE_POSIX),
                                       CARD_HANDLE_POSIX, 0));
    works(cuMemImportFromShareableHandle(&imported, (void *)(intptr_t)file, CARD_HANDLE_POSIX));
    works(cuMemAddressReserve(&address, CHUNK, 0, 0, 0));
    works(cuMemMap(address, CHUNK, 0, imported, 0));
    cuMemsetD8_v2(address, 7, CHUNK);
}

static void import_without_peers(void) {
    int can = 1;
    open_device(0);
    works(cuDeviceCanAccessPeer(&can, 1, 0));
    require(!can);
    map_imported(0, CUDA_SUCCESS);
    map_imported(1, CUDA_ERROR_INVALID_DEVICE);
}

static void export_nothing(void) {
    const struct card_allocation_form form = {.type = CARD_ALLOCATION_PINNED,
                                              .handle_types = CARD_HANDLE_POSIX,
                                              .location = {CARD_LOCATION_DEVICE, 0}};
    uint64_t memory;
    int value = 1;
    open_device(0);
    works(cuDeviceGetAttribute(&value, 103, 0));
    require(value == 0);
    gives(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&memory, CHUNK, &form, 0));
}

static void test_handles(void **state) {
    (void)state;
    is_fine(NULL, outlive_creator);
    is_misuse(NULL, import_without_access, "cuMemsetD8_v2: ");
    is_fine("DEVICES=2 PEERS=0", import_without_peers);
    is_fine("EXPORTS=0", export_nothing);
}

static void test_processes(void **state) {
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    pid_t child = fork();
    if (child == 0) {
        import_chunk();
        _exit(0);
    }
    close(pair[1]);
    is_fine(NULL, export_chunk);
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

static void fork_inside(void) {
    int status;
    open_device(0);
    pid_t child = fork();
    if (child == 0) {
        int count;
        gives(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
        _exit(0);
    }
    waitpid(child, &status, 0);
    require(status == 0);
}

static void test_fork(void **state) {
    (void)state;
    is_fine(NULL, fork_inside);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mapping),     cmocka_unit_test(test_mapping_misuse),
        cmocka_unit_test(test_allocations), cmocka_unit_test(test_host),
        cmocka_unit_test(test_devices),     cmocka_unit_test(test_processes),
        cmocka_unit_test(test_handles),     cmocka_unit_test(test_fork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
