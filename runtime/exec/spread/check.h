// What other nodes say, against what this one knows.
#ifndef GCL_EXEC_SPREAD_CHECK_H
#define GCL_EXEC_SPREAD_CHECK_H

#include "exec/spread/settle.h"

/// Whether an operation is the next one and can be carried out with what there is on this node. If
/// not, this node gives up, and says what node 0 has sent.
bool gcl_spread_check(struct gcl_spread *spread, const struct gcl_operation *o);
/// The status in a node's word; GCL_SYSTEM if it is none, after which nothing may go on.
enum gcl_status gcl_spread_word_status(struct gcl_spread *spread, gcl_node node,
                                       const struct gcl_spread_word *word);

#endif
