// The pipeline: read, merge, rewrite, write beside, try, report, put in place.
//
//     sources ─ a process each: facts ─┐
//     sources ─ a process each: facts ─┴ merge ─ rewrite ─ staged tree ─ compile ─ report ─ commit
//
// Nothing of the user's is touched before everything else is done; see stage.h for how a tree takes
// its place.
#ifndef GCL_TRANSLATE_TRANSLATE_H
#define GCL_TRANSLATE_TRANSLATE_H

#include "translate/command_line.h"

/// Translates a project. Returns the exit status: 0 if all files were translated and compile, 1 if
/// not all of them, 2 if nothing could be done.
int gcl_translate(const struct gcl_translate_options *options);

#endif
