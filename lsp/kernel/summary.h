// What is known of a kernel in one line, and in words of their own what the line's words mean.
#ifndef GCL_LSP_SUMMARY_H
#define GCL_LSP_SUMMARY_H

#include <glib.h>
#include <jansson.h>

/// Words about an argument without those that only the compiler's author knows, to be freed.
char *gcl_summary_plain(const char *words);
/// "halo 1 row" of "rows y-1 … y+1 (halo 1 row)", to be freed; NULL: there is none.
char *gcl_summary_halo(const char *words);

/// "splits along y · halo 1 row: in · written once: out, sum · pays from about 5000 blocks of 32 x
/// 8 threads (2 nodes of 16 threads)"; to be freed.
char *gcl_summary_whole(const json_t *kernel);
/// The same for a line over the kernel: short, and "…" for what the line has no room for.
char *gcl_summary_line(const json_t *kernel);

/// "x = `blockIdx.x * blockDim.x + threadIdx.x`" for each such letter that a text has, to be freed;
/// "" if there is none.
char *gcl_summary_places(const char *text);
/// A list of the words in a kernel's summary and explanation with what they mean, as markdown, to
/// be freed; "" if there are none.
char *gcl_summary_legend(const char *text);

#endif
