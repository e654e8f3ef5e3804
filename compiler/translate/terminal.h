// A report for people, on a terminal or in a file.
#ifndef GCL_TRANSLATE_TERMINAL_H
#define GCL_TRANSLATE_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

/// Prints the report (report.h), with bold headings if `colour`.
void gcl_terminal_print(const json_t *report, FILE *out, bool colour);

#endif
