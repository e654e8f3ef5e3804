// No node knows the whole tree: its own range of nodes follows from the ranges of those above it.
#include "tree.h"

#include <assert.h>

/// How many nodes each child of the first of [begin, end) answers for; 0: there is none.
static gcl_node share_of(gcl_node begin, gcl_node end) {
    return (end - begin - 1 + GCL_TREE_MOST - 1) / GCL_TREE_MOST;
}

static gcl_node smaller(gcl_node a, gcl_node b) {
    return a < b ? a : b;
}

struct gcl_tree gcl_tree_of(gcl_node node, gcl_node count) {
    struct gcl_tree tree = {.parent = GCL_NO_NODE};
    gcl_node begin = 0, end = count;
    assert(node < count);
    // From node 0, which answers for all, down to the one that is asked for.
    while (begin != node) {
        gcl_node share = share_of(begin, end);
        tree.parent = begin;
        begin += 1 + (node - begin - 1) / share * share;
        end = smaller(end, begin + share);
    }
    gcl_node share = share_of(begin, end);
    for (gcl_node child = begin + 1; child < end; child += share)
        tree.children[tree.child_count++] = child;
    return tree;
}
