// Questions about expressions that more than one lint asks.
#ifndef GCL_FRONTEND_LINT_EXPRESSION_H
#define GCL_FRONTEND_LINT_EXPRESSION_H

#include <stdbool.h>

#include <clang-c/Index.h>

/// What an expression is without parentheses and conversions.
CXCursor gcl_lint_strip(CXCursor expression);
/// The name of the function that a call calls, as CUDA has it, to be freed; "" if that isn't known.
char *gcl_lint_callee(CXCursor call);
/// The text of a cursor, its tokens with a blank between, to be freed.
char *gcl_lint_text(CXCursor cursor);
/// The first, and the last, of a cursor's children that are expressions; null if there is none.
CXCursor gcl_lint_operand(CXCursor expression, bool last);
/// What an expression is, and in place of a variable that keeps its value what that was initialised
/// with.
CXCursor gcl_lint_initial(CXCursor expression, int depth);
/// 'x', 'y' or 'z' for threadIdx.x and so on, or a variable that keeps that value; 0: it is none.
char gcl_lint_thread_index(CXCursor expression, int depth);
/// Whether a value follows from constants and local variables alone.
bool gcl_lint_is_local(CXCursor expression, int depth);
/// Whether a variable has an attribute: CXCursor_CUDASharedAttr and so on.
bool gcl_lint_has_attribute(CXCursor variable, enum CXCursorKind attribute);
/// Whether a declaration is of a plain variable of a function, which is gone when its block ends.
bool gcl_lint_is_own(CXCursor variable);
/// The variable of the function of which a call of `function` is that of a std::vector's, with the
/// library's allocator; null if it is none.
CXCursor gcl_lint_vector_of(CXCursor call, const char *function);
/// Where a cursor begins, and ends, in its file.
unsigned gcl_lint_begin(CXCursor cursor);
unsigned gcl_lint_end(CXCursor cursor);

#endif
