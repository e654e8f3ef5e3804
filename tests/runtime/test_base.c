// Environment, readable names, maps, limits of memory.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/name.h"
#include "base/size_text.h"
#include "base/spare.h"
#include "check.h"

static void sizes(void **state) {
    size_t size = 0;
    (void)state;
    assert_true(gcl_size_parse("4096", &size) && size == 4096);
    assert_true(gcl_size_parse("16K", &size) && size == 16 << 10);
    assert_true(gcl_size_parse("2m", &size) && size == 2 << 20);
    assert_true(gcl_size_parse("1.5GiB", &size) && size == (size_t)3 << 29);
    assert_true(gcl_size_parse("1TB", &size) && size == (size_t)1 << 40);
    assert_false(gcl_size_parse("", &size));
    assert_false(gcl_size_parse("K", &size));
    assert_false(gcl_size_parse("-1", &size));
    assert_false(gcl_size_parse("1X", &size));
    assert_false(gcl_size_parse("nan", &size));
    assert_false(gcl_size_parse("1e300", &size));
}

static void predictions(void **state) {
    struct gcl_predict_counts counts;
    struct gcl_predict_link link;
    (void)state;
    assert_true(gcl_predict_parse_counts("2,8,65536", &counts) && counts.count == 3 &&
                counts.counts[0] == 2 && counts.counts[2] == 65536);
    assert_true(gcl_predict_parse_counts("2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", &counts));
    static const char *const bad_counts[] = {"",
                                             "1",
                                             "2,",
                                             ",2",
                                             "3,2",
                                             "2,2",
                                             "2 ",
                                             "+2",
                                             "65537",
                                             "99999999999999999999",
                                             "2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18"};
    for (size_t i = 0; i < sizeof bad_counts / sizeof bad_counts[0]; i++)
        assert_false(gcl_predict_parse_counts(bad_counts[i], &counts));
    assert_true(gcl_predict_parse_link("12.5GB/s,2us", &link) && link.bytes_per_ns == 12.5 &&
                link.latency_ns == 2e3);
    assert_true(gcl_predict_parse_link("500MB/s,1.5ms", &link) && link.bytes_per_ns == 0.5 &&
                link.latency_ns == 1.5e6);
    static const char *const bad_links[] = {
        "",           "1GB/s",      "1GB/s,",      "1GB,1us",       "0GB/s,1us", "1GB/s,0us",
        "-1GB/s,1us", "1GB/s,1us ", "nanGB/s,1us", "1e999GB/s,1us", "GB/s,us"};
    for (size_t i = 0; i < sizeof bad_links / sizeof bad_links[0]; i++)
        assert_false(gcl_predict_parse_link(bad_links[i], &link));
}

static void nearest(void **state) {
    (void)state;
    assert_string_equal(gcl_env_nearest("GCL_THREAD", 10), "GCL_THREADS");
    assert_string_equal(gcl_env_nearest("GCL_MEMROY", 10), "GCL_MEMORY");
    assert_null(gcl_env_nearest("GCL_SOMETHING_ELSE", 18));
    assert_null(gcl_env_nearest("GCL_A_NAME_LONGER_THAN_ANY_THAT_EXISTS", 38));
}

static void environment(void **state) {
    char *variables[] = {"PATH=/bin",        "GCL_MEMORY=1G", "GCL_THREADS=3",    "GCL_PROGRESS=1",
                         "GCL_TRACE=t.json", "GCL_PIN=0",     "GCL_CPU_LEVEL=v3", NULL};
    char *wrong[] = {"GCL_MEMORY=0",   "GCL_THREADS=none",  "GCL_PROGRESS=2",
                     "GCL_PIN=always", "GCL_CPU_LEVEL=v34", NULL};
    (void)state;
    struct gcl_env env = gcl_env_read(variables, false);
    assert_int_equal(env.memory, 1 << 30);
    assert_int_equal(env.threads, 3);
    assert_true(env.progress);
    assert_string_equal(env.trace, "t.json");
    assert_int_equal(env.pin, GCL_ENV_NO);
    assert_int_equal(env.cpu_level, 3);
    env = gcl_env_read(wrong, false);
    assert_int_equal(env.memory, 0);
    assert_int_equal(env.threads, 0);
    assert_false(env.progress);
    assert_int_equal(env.pin, GCL_ENV_UNSAID);
    assert_int_equal(env.cpu_level, 0);
}

static void spilling(void **state) {
    char *both[] = {"GCL_SPILL=/scratch/a:b:1.5G", "GCL_HOST_MEMORY=4G", NULL};
    char *folder[] = {"GCL_SPILL=../scratch", "GCL_HOST_MEMORY=0", NULL};
    char *wrong[] = {
        "GCL_SPILL=",        "GCL_SPILL=:4G",        "GCL_SPILL=/s:4X", "GCL_SPILL=/s:0",
        "GCL_SPILL=/s:4G:5", "GCL_HOST_MEMORY=much", "GCL_SPILL=/s:",   NULL};
    (void)state;
    struct gcl_env env = gcl_env_read(both, false);
    assert_string_equal(env.spill.folder, "/scratch/a:b");
    assert_int_equal(env.spill.size, (size_t)3 << 29);
    assert_int_equal(env.host_memory, (size_t)4 << 30);
    env = gcl_env_read(folder, false);
    assert_string_equal(env.spill.folder, "../scratch");
    assert_int_equal(env.spill.size, SIZE_MAX);
    assert_int_equal(env.host_memory, 0);
    // "/s:4G:5" has 5 bytes in "/s:4G"; all others are none.
    env = gcl_env_read(wrong, false);
    assert_string_equal(env.spill.folder, "/s:4G");
    assert_int_equal(env.host_memory, SIZE_MAX);
    wrong[4] = "GCL_SPILL=/s:4G:";
    env = gcl_env_read(wrong, false);
    assert_string_equal(env.spill.folder, "");
    // Whose rights the user hasn't: no folder of theirs.
    env = gcl_env_read(both, true);
    assert_string_equal(env.spill.folder, "");
    assert_int_equal(env.host_memory, (size_t)4 << 30);
}

// A program that has rights that its user hasn't writes no files whose names its user chooses.
static void environment_of_others(void **state) {
    char *files[] = {"GCL_TRACE=t.json", "GCL_STATS=s.json", "GCL_THREADS=3", NULL};
    char *none[] = {"GCL_STATS=table", NULL};
    (void)state;
    struct gcl_env env = gcl_env_read(files, true);
    assert_null(env.trace);
    assert_null(env.stats);
    assert_int_equal(env.threads, 3);
    env = gcl_env_read(files, false);
    assert_string_equal(env.stats, "s.json");
    env = gcl_env_read(none, true);
    assert_string_equal(env.stats, "table");
    setenv("HWLOC_PLUGINS_PATH", "/nowhere", 1);
    gcl_env_disarm();
    assert_null(getenv("HWLOC_PLUGINS_PATH"));
}

static void names(void **state) {
    char out[64], tiny[5];
    (void)state;
    assert_string_equal(gcl_name_demangle("main", out, sizeof out), "main");
    assert_string_equal(gcl_name_demangle("_Z3addPfi", out, sizeof out), "add");
    assert_string_equal(gcl_name_demangle("_Z3add4viewi", out, sizeof out), "add");
    assert_string_equal(gcl_name_demangle("_ZN5space5scaleIfLi3EEEvPT_", out, sizeof out),
                        "space::scale<>");
    assert_string_equal(gcl_name_demangle("_Z4sumvIN2ns1AEE1fv", out, sizeof out), "sumv<>");
    assert_string_equal(gcl_name_demangle("_ZN12_GLOBAL__N_13addEv", out, sizeof out),
                        "(anonymous)::add");
    assert_string_equal(gcl_name_demangle("_Z999x", out, sizeof out), "_Z999x");
    assert_string_equal(gcl_name_demangle("_Z6kernelv", tiny, sizeof tiny), "kern");
}

static void map(void **state) {
    struct gcl_map map = {.count = 0};
    static char keys[1000];
    (void)state;
    assert_null(gcl_map_get(&map, keys));
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < sizeof keys; i++)
            assert_true(gcl_map_set(&map, &keys[i], &keys[sizeof keys - 1 - i]));
        for (size_t i = 0; i < sizeof keys; i += 2)
            assert_true(gcl_map_set(&map, &keys[i], NULL));
        for (size_t i = 0; i < sizeof keys; i++)
            assert_ptr_equal(gcl_map_get(&map, &keys[i]),
                             i % 2 ? &keys[sizeof keys - 1 - i] : NULL);
    }
    gcl_map_finish(&map);
}

static void write_file(const char *folder, const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/// What groups allow that the file names.
static size_t limit_of(const char *folder, const char *groups) {
    char path[256];
    write_file(folder, "groups", groups);
    snprintf(path, sizeof path, "%s/groups", folder);
    return gcl_memory_of_groups(path, folder);
}

static void kills(void **state) {
    char folder[] = "/tmp/gcl_test.XXXXXX", path[64];
    (void)state;
    assert_non_null(mkdtemp(folder));
    write_file(folder, "vmstat", "nr_free_pages 17\noom_kill 3\noom_kill_other 5\n");
    snprintf(path, sizeof path, "%s/vmstat", folder);
    assert_int_equal(gcl_memory_kills(path), 3);
    assert_int_equal(gcl_memory_kills("/nowhere"), 0);
    remove(path);
    rmdir(folder);
}

static void memory(void **state) {
    char folder[] = "/tmp/gcl-base.XXXXXX", command[64];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "mkdir -p %s/a/b %s/memory/a", folder, folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(gcl_memory_of_groups("/nowhere", folder), SIZE_MAX);
    assert_int_equal(limit_of(folder, "0::/a/b\n"), SIZE_MAX);
    // The second version: the smallest limit on the way up holds.
    write_file(folder, "a/b/memory.max", "max\n");
    write_file(folder, "a/memory.max", "3000\n");
    write_file(folder, "memory.max", "5000\n");
    assert_int_equal(limit_of(folder, "0::/a/b\n"), 3000);
    write_file(folder, "a/b/memory.max", "2000\n");
    assert_int_equal(limit_of(folder, "9:pids:/a\n0::/a/b\n"), 2000);
    assert_int_equal(limit_of(folder, "0::/\n"), 5000);
    // A group that isn't seen from here.
    assert_int_equal(limit_of(folder, "0::/elsewhere/b\n"), 5000);
    // The first version.
    write_file(folder, "memory/a/memory.limit_in_bytes", "1000\n");
    write_file(folder, "memory/memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(limit_of(folder, "9:pids:/a\n4:memory:/a\n"), 1000);
    assert_int_equal(limit_of(folder, "nonsense\n:\n::\n"), 5000);
    assert_in_range(gcl_memory_limit(), 1 << 20, SIZE_MAX);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void spares(void **state) {
    enum { SIZE = 1 << 20 };
    void *small = gcl_spare_take(10), *many[40];
    (void)state;
    gcl_spare_give(small);
    gcl_spare_give(NULL);
    assert_null(gcl_spare_take(SIZE_MAX));
    assert_null(gcl_spare_take(SIZE_MAX - 100));
    // What is kept serves for as much, and for half of that.
    unsigned char *bytes = gcl_spare_take(SIZE);
    assert_int_equal((uintptr_t)bytes % 64, 0);
    memset(bytes, 1, SIZE);
    gcl_spare_give(bytes);
    assert_ptr_equal(gcl_spare_take(SIZE), bytes);
    gcl_spare_give(bytes);
    assert_ptr_equal(gcl_spare_take(SIZE / 2), bytes);
    gcl_spare_give(bytes);
    void *larger = gcl_spare_take(SIZE + 1), *smaller = gcl_spare_take(SIZE / 2 - 1);
    assert_true(larger != bytes && smaller != bytes);
    gcl_spare_give(larger);
    gcl_spare_give(smaller);
    // The oldest ones go.
    for (int i = 0; i < 40; i++) {
        many[i] = gcl_spare_take(SIZE);
        memset(many[i], i, SIZE);
    }
    for (int i = 0; i < 40; i++)
        gcl_spare_give(many[i]);
    for (int i = 39; i >= 40 - GCL_SPARE_MOST / SIZE; i--)
        assert_ptr_equal(gcl_spare_take(SIZE), many[i]);
    for (int i = 39; i >= 40 - GCL_SPARE_MOST / SIZE; i--)
        gcl_spare_give(many[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),    cmocka_unit_test(predictions),
        cmocka_unit_test(nearest),  cmocka_unit_test(environment),
        cmocka_unit_test(spilling), cmocka_unit_test(environment_of_others),
        cmocka_unit_test(names),    cmocka_unit_test(map),
        cmocka_unit_test(kills),    cmocka_unit_test(memory),
        cmocka_unit_test(spares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
