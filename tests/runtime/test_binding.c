// What nodes of a host are bound to, on machines that hwloc is told of: what all of them find
// together.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "process/binding.h"

enum { NODES = 8 };

static struct gcl_topology topology;
static struct gcl_seat seats[NODES];
static struct gcl_binding bindings[NODES];

static void set_machine(const char *synthetic, const char *file) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", getenv("MACHINES"), file ? file : "");
    unsetenv("HWLOC_SYNTHETIC");
    unsetenv("HWLOC_XMLFILE");
    if (synthetic)
        setenv("HWLOC_SYNTHETIC", synthetic, 1);
    else
        setenv("HWLOC_XMLFILE", path, 1);
    assert_true(gcl_topology_load(&topology, true));
    for (unsigned i = 0; i < NODES; i++)
        seats[i] = (struct gcl_seat){.threads = topology.allowed};
}

/// Lets a node use hardware threads [begin, end) alone.
static void set_mask(unsigned node, unsigned begin, unsigned end) {
    CPU_ZERO(&seats[node].threads);
    for (size_t i = begin; i < end; i++)
        CPU_SET(i, &seats[node].threads);
}

/// Shows a node a GPU on a bus of the machine.
static void show_gpu(unsigned node, unsigned bus) {
    struct gcl_seat *seat = &seats[node];
    seat->gpus[seat->gpu_count] = (struct gcl_seat_gpu){
        .uuid = {(uint8_t)bus}, .place = gcl_seat_place(0, bus, 0), .number = seat->gpu_count};
    seat->gpu_count++;
}

static void bind_nodes(unsigned count) {
    for (unsigned i = 0; i < count; i++)
        assert_true(gcl_binding_find(&topology, seats, count, i, &bindings[i]));
}

static void forget(void) {
    for (unsigned i = 0; i < NODES; i++)
        gcl_binding_free(&bindings[i]);
    gcl_topology_free(&topology);
}

/// Checks a node's GPU by its bus (0: none), cores and memory.
static void expect(unsigned node, unsigned bus, const char *cores, const char *memory) {
    const struct gcl_binding *b = &bindings[node];
    assert_int_equal(b->gpu_sharers > 0 ? b->gpu.place >> 8 : 0, bus);
    assert_string_equal(b->own_text, cores);
    assert_string_equal(b->memory_text, memory);
}

static void divides_evenly(void **state) {
    (void)state;
    set_machine("pack:2 [numa] core:4 pu:2", NULL);
    bind_nodes(4);
    expect(0, 0, "0-3", "0");
    expect(1, 0, "4-7", "0");
    expect(2, 0, "8-11", "1");
    expect(3, 0, "12-15", "1");
    assert_int_equal(bindings[1].own_count, 2);
    assert_int_equal(bindings[1].core_count, 8); // all of the machine's, its own first
    assert_true(CPU_ISSET(4, &bindings[1].cores[0]) && CPU_ISSET(5, &bindings[1].cores[0]));
    assert_true(bindings[1].has_far);
    assert_int_equal(CPU_COUNT(&bindings[1].near), 8);
    forget();
}

static void gives_equal_shares(void **state) {
    (void)state;
    set_machine("core:8 pu:1", NULL);
    bind_nodes(3);
    expect(0, 0, "0-1", "0");
    expect(1, 0, "2-3", "0");
    expect(2, 0, "5-6", "0");
    assert_false(bindings[0].has_far);
    forget();
}

static void shares_where_nodes_are_many(void **state) {
    (void)state;
    set_machine("core:2 pu:1", NULL);
    bind_nodes(4);
    for (unsigned i = 0; i < 4; i++) {
        expect(i, 0, "0-1", "0");
        assert_true(bindings[i].is_crowded && bindings[i].room == 0.5);
        assert_int_equal(bindings[i].own_count, 1);
        assert_null(gcl_binding_pins(&bindings[i], 1, 1));
    }
    forget();
}

static void keeps_to_gpus(void **state) {
    (void)state;
    set_machine(NULL, "two_packages.xml");
    for (unsigned i = 0; i < 4; i++) {
        show_gpu(i, 1);
        show_gpu(i, 2);
        show_gpu(i, 3);
    }
    bind_nodes(3);
    expect(0, 1, "0-1", "0");
    expect(1, 2, "2-3", "0");
    expect(2, 3, "4-7", "1");
    assert_string_equal(bindings[0].network, "mlx5_0:1");
    assert_string_equal(bindings[2].network, "mlx5_1:1");
    assert_int_equal(bindings[2].gpu.number, 2);
    for (unsigned i = 0; i < 3; i++)
        gcl_binding_free(&bindings[i]);
    bind_nodes(4); // one GPU has two nodes
    assert_int_equal(bindings[0].gpu_sharers, 2);
    assert_int_equal(bindings[3].gpu_sharers, 2);
    assert_int_equal(bindings[1].gpu_sharers, 1);
    forget();
}

// As srun and mpirun have it, whose masks alternate between packages.
static void prefers_gpus_near_masks(void **state) {
    (void)state;
    set_machine(NULL, "two_packages.xml");
    for (unsigned i = 0; i < 2; i++) {
        set_mask(i, i == 0 ? 4 : 0, i == 0 ? 8 : 4);
        show_gpu(i, 1);
        show_gpu(i, 3);
    }
    bind_nodes(2);
    expect(0, 3, "4-7", "1");
    expect(1, 1, "0-3", "0");
    assert_false(bindings[0].has_far);
    forget();
}

// Each node sees one card, and calls it number 0.
static void knows_gpus_apart(void **state) {
    (void)state;
    set_machine(NULL, "two_packages.xml");
    show_gpu(0, 1);
    show_gpu(1, 2);
    show_gpu(2, 2);
    bind_nodes(3);
    assert_int_equal(bindings[0].gpu_sharers, 1);
    assert_int_equal(bindings[1].gpu_sharers, 2);
    assert_int_equal(bindings[2].gpu.number, 0);
    forget();
}

static void leaves_masks_alone(void **state) {
    (void)state;
    set_machine("core:8 pu:1", NULL);
    set_mask(0, 0, 2);
    set_mask(1, 2, 8);
    set_mask(2, 2, 8);
    bind_nodes(3);
    expect(0, 0, "0-1", "0"); // all of its mask
    expect(1, 0, "2-4", "0");
    expect(2, 0, "5-7", "0");
    assert_int_equal(bindings[0].core_count, 2);
    assert_int_equal(bindings[1].core_count, 6);
    forget();
}

// A node with a GPU needs cores of those that a node without may use as well.
static void overlapping_choices(void **state) {
    (void)state;
    set_machine(NULL, "two_packages.xml");
    show_gpu(0, 1);
    bind_nodes(2);
    expect(0, 1, "0-3", "0");
    expect(1, 0, "4-7", "1");
    for (unsigned i = 0; i < 2; i++)
        gcl_binding_free(&bindings[i]);
    set_mask(1, 0, 4);
    bind_nodes(2);
    expect(0, 1, "0-1", "0");
    expect(1, 0, "2-3", "0");
    forget();
}

static void check_pin(const cpu_set_t *pin, unsigned begin, unsigned end) {
    assert_int_equal(CPU_COUNT(pin), end - begin);
    for (size_t i = begin; i < end; i++)
        assert_true(CPU_ISSET(i, pin));
}

static void pins_workers(void **state) {
    (void)state;
    set_machine("core:8 pu:1", NULL);
    bind_nodes(2);
    cpu_set_t *pins = gcl_binding_pins(&bindings[1], 4, 4); // a core each
    for (unsigned i = 0; i < 4; i++)
        check_pin(&pins[i], 4 + i, 5 + i);
    free(pins);
    pins = gcl_binding_pins(&bindings[1], 4, 8); // while it rests, those of the other node too
    check_pin(&pins[0], 4, 5);
    check_pin(&pins[4], 0, 1);
    free(pins);
    pins = gcl_binding_pins(&bindings[1], 2, 2); // fewer than cores: all of the node's
    check_pin(&pins[0], 4, 8);
    free(pins);
    assert_null(gcl_binding_pins(&bindings[1], 5, 5)); // more than cores: anywhere
    for (unsigned i = 0; i < 2; i++)
        gcl_binding_free(&bindings[i]);
    bind_nodes(1);
    assert_null(gcl_binding_pins(&bindings[0], 4, 4)); // alone, with fewer workers than cores
    pins = gcl_binding_pins(&bindings[0], 8, 8);
    check_pin(&pins[7], 7, 8);
    free(pins);
    forget();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divides_evenly),
        cmocka_unit_test(gives_equal_shares),
        cmocka_unit_test(shares_where_nodes_are_many),
        cmocka_unit_test(keeps_to_gpus),
        cmocka_unit_test(prefers_gpus_near_masks),
        cmocka_unit_test(knows_gpus_apart),
        cmocka_unit_test(leaves_masks_alone),
        cmocka_unit_test(overlapping_choices),
        cmocka_unit_test(pins_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
