// The way of operations: node 0 sends each of them to some nodes, which pass it on to others, so
// that no node sends more than GCL_TREE_MOST copies, however many nodes there are.
//
// A node answers for a range of nodes, of which it is the first. It cuts the rest into up to
// GCL_TREE_MOST equal ranges and sends to the first node of each. Nodes of one host mostly have
// numbers in a row, so that few copies leave a host. With fewer branches an operation would take
// longer to arrive, with more of them node 0 would come to the next one later. With eight, 1,024
// nodes are reached in four hops, and a job of up to nine is flat: node 0 sends to all of them.
#ifndef GCL_CLUSTER_TREE_H
#define GCL_CLUSTER_TREE_H

#include "cluster/communicator/node.h"

enum { GCL_TREE_MOST = 8 };

/// A node's place in the tree.
struct gcl_tree {
    gcl_node parent;                  ///< from whom it gets operations; GCL_NO_NODE for node 0
    gcl_node children[GCL_TREE_MOST]; ///< to whom it sends them
    unsigned child_count;
};

/// The place of `node` among `count` nodes. Pure.
struct gcl_tree gcl_tree_of(gcl_node node, gcl_node count);

#endif
