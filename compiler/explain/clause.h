// What a pragma would say of an argument: what is known of it anyway, or, where the compiler has to
// take all of it, what its author may know.
#ifndef GCL_EXPLAIN_CLAUSE_H
#define GCL_EXPLAIN_CLAUSE_H

#include "explain.h"

/// [{kind, proven, like, regions}] as JSON, a new reference: `kind` is "reads" or "writes", regions
/// ["in[i : 3]"] what its parentheses hold. Those that are proven the compiler knows itself;
/// others are inferred from what is known of the place in spite of what isn't, or, with `like` the
/// name of another argument (else null), say that each block touches what it does of that.
json_t *gcl_clauses(const struct gcl_explanation *explanation, const struct gcl_explained_use *use);

#endif
