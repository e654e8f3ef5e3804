// A trace in Chrome's format, for Perfetto or chrome://tracing: what each worker and each stream
// did when.
#ifndef GCL_EXEC_TRACE_H
#define GCL_EXEC_TRACE_H

#include <stdint.h>

enum gcl_trace_track {
    GCL_TRACE_WORKERS = 1,
    GCL_TRACE_STREAMS = 2,
};

/// One bar of the picture.
struct gcl_trace_span {
    enum gcl_trace_track track;
    uint64_t line; ///< worker or stream
    const char *name;
    const char *category; ///< "kernel", "copy", ...
    uint64_t begin_ns, end_ns;
    const char *unit; ///< what `amount` counts: "blocks", "bytes", ...
    uint64_t amount;
};

struct gcl_trace;

/// Opens the file; NULL after a message if it can't be written.
struct gcl_trace *gcl_trace_create(const char *path);
/// Completes the file; takes NULL. Spans that come later, from threads that outlive main, are
/// dropped.
void gcl_trace_close(struct gcl_trace *trace);
/// Names a line of a track. From any thread, as gcl_trace_add.
void gcl_trace_label(struct gcl_trace *trace, enum gcl_trace_track track, uint64_t line,
                     const char *name);
void gcl_trace_add(struct gcl_trace *trace, const struct gcl_trace_span *span);

#endif
