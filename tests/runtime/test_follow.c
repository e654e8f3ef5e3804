// Operations that node 0 shouldn't have sent: none of them is carried out, and the reason says what
// is wrong with it. What it should have sent is done.
#include <elf.h>
#include <string.h>

#include "base/hash.h"
#include "check.h"
#include "exec/spread/check.h"
#include "exec/spread/track.h"
#include "follower.h"

enum { SIZE = 4096 };

static struct follower *f;
static uint64_t a; // an allocation

static void accept_it(struct gcl_operation o) {
    assert_true(follower_apply(f, &o));
    follower_settle(f);
}

static void refuse_it(struct gcl_operation o, const char *why) {
    f->reason[0] = 0;
    uint64_t sequence = f->spread->sequence;
    assert_false(follower_apply(f, &o));
    if (!strstr(f->reason, why))
        fail_msg("'%s' doesn't say '%s'", f->reason, why);
    assert_int_equal(f->given_up, 1);
    assert_int_equal(f->spread->sequence, sequence);
    follower_settle(f);
}

static struct gcl_operation allocation(uint64_t begin, uint64_t size) {
    return (struct gcl_operation){.kind = GCL_OPERATION_ALLOCATE,
                                  .allocate = {.begin = begin,
                                               .size = size,
                                               .space_kind = GCL_SPACE_DEVICE,
                                               .home = UINT32_MAX,
                                               .holder = UINT32_MAX}};
}

static int start(void **state) {
    (void)state;
    f = follower_start();
    a = f->begin + ((uint64_t)1 << 20);
    struct gcl_operation o = allocation(a, SIZE);
    return follower_apply(f, &o) ? 0 : 1;
}

static void memory(void **state) {
    (void)state;
    refuse_it(allocation(a, SIZE), "are allocated already");
    refuse_it(allocation(a - SIZE, SIZE + 1), "are allocated already");
    refuse_it(allocation(a - SIZE, 3 * SIZE), "are allocated already");
    refuse_it(allocation(f->begin - SIZE, SIZE), "aren't within");
    refuse_it(allocation(f->end - SIZE, SIZE + 1), "aren't within");
    refuse_it(allocation(f->begin, UINT64_MAX), "aren't within");
    refuse_it(allocation(a + SIZE, 0), "aren't within");
    struct gcl_operation o = allocation(a + SIZE, SIZE);
    o.allocate.space_kind = GCL_SPACE_DEVICE | GCL_SPACE_PINNED;
    refuse_it(o, "no memory of kind 5");
    o.allocate.space_kind = GCL_SPACE_DEVICE;
    o.allocate.holder = 1;
    refuse_it(o, "alone has new memory");
    o.allocate.holder = UINT32_MAX;
    o.allocate.home = 2;
    refuse_it(o, "gives memory to node 2 of 2");
    accept_it(allocation(a + SIZE, SIZE));
    o = (struct gcl_operation){.kind = GCL_OPERATION_FREE, .free.begin = a + SIZE + 1};
    refuse_it(o, "no allocation begins");
    o.free.begin = a + SIZE;
    accept_it(o);
    refuse_it(o, "no allocation begins");
}

static struct gcl_operation_box box(uint64_t begin, uint64_t width, uint64_t height) {
    return (struct gcl_operation_box){.begin = begin,
                                      .pitch = width,
                                      .slice = width * height,
                                      .width = width,
                                      .height = height,
                                      .depth = 1};
}

static void copies(void **state) {
    struct gcl_operation o = {.kind = GCL_OPERATION_ACCESS};
    (void)state;
    o.access.written = box(a + 1, SIZE, 1);
    refuse_it(o, "aren't in one allocation");
    o.access.written = box(a, 64, 64);
    accept_it(o);
    o.access.written.height = 65;
    refuse_it(o, "aren't in one allocation");
    o.access.written = box(a, 64, UINT64_MAX / 32);
    refuse_it(o, "is none");
    o.access.written = box(a, 64, 0);
    refuse_it(o, "is none");
    o.access.written = box(a, 64, 2);
    o.access.read = box(a + SIZE / 2, 64, 3);
    refuse_it(o, "it copies 64 x 3 x 1 bytes to 64 x 2 x 1");
    o = (struct gcl_operation){.kind = GCL_OPERATION_FILL, .fill = {box(a, SIZE + 1, 1), 0}};
    refuse_it(o, "aren't in one allocation");
    o.fill.box = box(f->begin, 8, 1);
    refuse_it(o, "aren't in one allocation");
    o.fill.box = (struct gcl_operation_box){.begin = a};
    refuse_it(o, "is none");
    o.fill.box = box(a, SIZE, 1);
    o.fill.value = 256;
    refuse_it(o, "256 is no byte");
    o.fill.value = 255;
    accept_it(o);
}

static void launches(void **state) {
    static unsigned char arguments[2 * FOLLOWER_ARGUMENTS];
    struct gcl_operation o = {.kind = GCL_OPERATION_KERNEL,
                              .kernel = {.number = 1,
                                         .id = FOLLOWER_CODE,
                                         .id_size = sizeof FOLLOWER_CODE - 1,
                                         .name = FOLLOWER_KERNEL,
                                         .name_size = sizeof FOLLOWER_KERNEL - 1}};
    (void)state;
    refuse_it(o, "number 1 instead of 0");
    o.kernel.number = 0;
    o.kernel.name_size--;
    refuse_it(o, "this program has no kernel ste");
    o.kernel.name_size++;
    accept_it(o);
    o = (struct gcl_operation){.kind = GCL_OPERATION_LAUNCH,
                               .launch = {.geometry.grid = {2, 1, 1},
                                          .geometry.block = {4, 1, 1},
                                          .node = 1,
                                          .file = "follow.cu",
                                          .file_size = sizeof "follow.cu" - 1,
                                          .line = 7,
                                          .directory = gcl_directory_hash(f->spread->directory),
                                          .arguments = arguments,
                                          .argument_size = FOLLOWER_ARGUMENTS}};
    accept_it(o);
    o.launch.directory = gcl_directory_hash(f->spread->directory); // the kernel may have written
    o.launch.argument_size = FOLLOWER_ARGUMENTS - 1;
    refuse_it(o, "step takes 300 bytes of arguments, not 299");
    o.launch.argument_size = 2 * FOLLOWER_ARGUMENTS;
    refuse_it(o, "step takes 300 bytes of arguments, not 600");
    o.launch.argument_size = FOLLOWER_ARGUMENTS;
    o.launch.file_size = GCL_OPERATION_MAX_FILE + 1;
    o.launch.file = (const char *)arguments;
    refuse_it(o, "a length is wrong");
    o.launch.file_size = 0;
    o.launch.kernel = 1;
    refuse_it(o, "no kernel number 1 of 1");
    o.launch.kernel = 0;
    o.launch.node = 2;
    refuse_it(o, "no node 2 of 2");
    o.launch.node = 1;
    o.launch.geometry.block[1] = 300;
    refuse_it(o, "at most 1024 threads a block");
    o.launch.geometry.block[1] = 1;
    o.launch.geometry.grid[0] = UINT32_MAX;
    refuse_it(o, "4294967295 x 1 x 1 blocks");
    o.launch.geometry.grid[0] = 1;
    o.launch.flags = 8;
    refuse_it(o, "no flags 0x8");
    o.launch.flags = 0;
    o.launch.directory++;
    refuse_it(o, "directory of memory is another one");
}

static void variables(void **state) {
    uint64_t at = a + SIZE - FOLLOWER_VARIABLE + 1;
    struct gcl_operation o = {.kind = GCL_OPERATION_CODE,
                              .code = {.id = FOLLOWER_CODE,
                                       .id_size = sizeof FOLLOWER_CODE - 1,
                                       .addresses = (const unsigned char *)&at,
                                       .count = 1}};
    (void)state;
    refuse_it(o, "variable state of 64 bytes");
    at--;
    accept_it(o);
    assert_int_equal(*(const unsigned char *)(uintptr_t)at, 1);
    o.code.stride = UINT64_MAX;
    refuse_it(o, "variable state of 64 bytes");
    o.code.stride = 0;
    o.code.count = 0;
    refuse_it(o, "no device code " FOLLOWER_CODE " with 0 addresses");
}

// Its bytes are code: none that hasn't come whole is loaded.
static void modules(void **state) {
    Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
                         .e_type = ET_DYN,
                         .e_shoff = sizeof header};
    struct gcl_operation o = {
        .kind = GCL_OPERATION_MODULE,
        .module = {.bytes = (const unsigned char *)&header, .size = sizeof header}};
    (void)state;
#ifdef __x86_64__
    header.e_machine = EM_X86_64;
#else
    header.e_machine = EM_AARCH64;
#endif
    o.module.hash = gcl_hash(&header, sizeof header) + 1;
    refuse_it(o, "64 bytes of a module are damaged");
    o.module.size--;
    o.module.hash = gcl_hash(&header, sizeof header - 1);
    refuse_it(o, "63 bytes of a module are damaged");
    header.e_machine = EM_CUDA;
    o.module.hash = gcl_hash(&header, ++o.module.size);
    refuse_it(o, "for another processor");
    o.module.size = 0;
    refuse_it(o, "0 bytes of a module");
}

static void nodes(void **state) {
    struct gcl_operation o = {.kind = GCL_OPERATION_AWAIT, .await.node = 2};
    (void)state;
    refuse_it(o, "no node 2 of 2");
    o = (struct gcl_operation){.kind = GCL_OPERATION_ALLOW, .allow = {.node = 0, .home = 7}};
    refuse_it(o, "no node 0 or 7 of 2");
    o = (struct gcl_operation){.kind = GCL_OPERATION_LIMIT, .limit = {.node = 2, .limit = 1}};
    refuse_it(o, "no limit 1 of node 2");
    o.limit.node = UINT32_MAX;
    o.limit.limit = GCL_DEVICE_LIMITS;
    refuse_it(o, "no limit 7 of node");
    o.limit.limit = 0;
    accept_it(o);
    o = (struct gcl_operation){.kind = GCL_OPERATION_SETTLE,
                               .settle.tracks = GCL_SPREAD_ALL_TRACKS + 1};
    refuse_it(o, "no tracks");
    o.settle.tracks = GCL_SPREAD_ALL_TRACKS;
    accept_it(o);
}

static void form(void **state) {
    unsigned char bytes[32] = {GCL_OPERATION_REPORT};
    (void)state;
    assert_false(follower_apply_bytes(f, bytes, 4));
    assert_non_null(strstr(f->reason, "can't be read: it is too short"));
    follower_settle(f);
    assert_false(follower_apply_bytes(f, bytes, 10)); // its number is 0
    assert_non_null(strstr(f->reason, "a request for a report as operation 0: expected number"));
    follower_settle(f);
}

// What a node says of how it went is a status, or nothing that anybody counts on.
static void words(void **state) {
    struct gcl_spread_word word = {.status = GCL_NO_MEMORY};
    (void)state;
    assert_int_equal(gcl_spread_word_status(f->spread, 1, &word), GCL_NO_MEMORY);
    assert_int_equal(f->given_up, 0);
    word.status = 77;
    assert_int_equal(gcl_spread_word_status(f->spread, 1, &word), GCL_SYSTEM);
    assert_string_equal(f->reason, "node 1 sent it a status of 77, which is none");
    follower_settle(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory),    cmocka_unit_test(copies),  cmocka_unit_test(launches),
        cmocka_unit_test(variables), cmocka_unit_test(modules), cmocka_unit_test(nodes),
        cmocka_unit_test(form),      cmocka_unit_test(words),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
