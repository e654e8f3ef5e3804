// Operations reach each node once, by few hops, whatever the number of nodes.
#include <string.h>

#include "check.h"
#include "cluster/messages/tree.h"

enum { MOST_NODES = 1100 };

/// Hops from node 0; checks that parent and child agree on each.
static unsigned depth_of(gcl_node node, gcl_node count) {
    unsigned depth = 0;
    while (node != 0) {
        struct gcl_tree parent = gcl_tree_of(gcl_tree_of(node, count).parent, count);
        unsigned named = 0;
        for (unsigned i = 0; i < parent.child_count; i++)
            named += parent.children[i] == node;
        assert_int_equal(named, 1);
        node = gcl_tree_of(node, count).parent;
        assert_true(++depth < count);
    }
    return depth;
}

static void each_node_is_reached_once(void **state) {
    (void)state;
    for (gcl_node count = 1; count <= MOST_NODES; count++) {
        unsigned char reached[MOST_NODES] = {1};
        assert_int_equal(gcl_tree_of(0, count).parent, GCL_NO_NODE);
        for (gcl_node node = 0; node < count; node++) {
            struct gcl_tree tree = gcl_tree_of(node, count);
            assert_in_range(tree.child_count, 0, GCL_TREE_MOST);
            for (unsigned i = 0; i < tree.child_count; i++) {
                assert_in_range(tree.children[i], node + 1, count - 1);
                reached[tree.children[i]]++;
            }
        }
        for (gcl_node node = 0; node < count; node++)
            assert_int_equal(reached[node], 1);
    }
}

static void few_hops_are_enough(void **state) {
    (void)state;
    for (gcl_node count = 1; count <= MOST_NODES; count++) {
        unsigned most = 0; // hops of a tree whose nodes all have as many children as they may
        for (gcl_node level = 1, reached = 1; reached < count; most++)
            reached += level *= GCL_TREE_MOST;
        for (gcl_node node = 0; node < count; node++)
            assert_in_range(depth_of(node, count), 0, most);
    }
}

static void small_jobs_are_flat(void **state) {
    (void)state;
    for (gcl_node count = 2; count <= GCL_TREE_MOST + 1; count++) {
        for (gcl_node node = 1; node < count; node++)
            assert_int_equal(gcl_tree_of(node, count).parent, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_node_is_reached_once),
        cmocka_unit_test(few_hops_are_enough),
        cmocka_unit_test(small_jobs_are_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
