// A trace in Chrome's format, for Perfetto or chrome://tracing: what each node's workers and
// streams did when, and what they got from each other.
//
// Node 0 writes its spans as they end. Other nodes keep theirs, as many as fit, until node 0 asks
// for them; it puts them on its own clock.
#ifndef GCL_EXEC_TRACE_H
#define GCL_EXEC_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/communicator/node.h"
#include "exec/watch/clocks.h"
#include "exec/watch/listener.h"

enum gcl_trace_track {
    GCL_TRACE_WORKERS = 1,
    GCL_TRACE_STREAMS = 2,
    GCL_TRACE_TRANSFERS = 3,
    GCL_TRACE_PROGRAM = 4,
    GCL_TRACE_MEMORY = 5,
};

/// Lines of a track: each is a thread of the picture, with the number track * GCL_TRACE_LINES +
/// line.
#define GCL_TRACE_LINES 1000000

/// Where in the program's source something stands.
struct gcl_origin {
    const char *file; ///< as the compiler was given it; NULL: unknown
    uint32_t line;    ///< from 1
};

/// A bar of the trace's picture.
struct gcl_trace_span {
    enum gcl_trace_track track;
    uint64_t line; ///< worker or stream
    const char *name;
    const char *category; ///< "kernel", "copy", ...
    uint64_t begin_ns, end_ns;
    const char *unit; ///< what `amount` counts: "blocks", "bytes", ...
    uint64_t amount;
    uint32_t origin;  ///< of gcl_trace_origin, by node 0
    bool is_transfer; ///< the next ones have a meaning
    bool is_sent;     ///< to `peer`; else it comes from there
    gcl_node peer;
    uint64_t tag; ///< names it among those between two nodes in one direction
};

/// Memory that has come to a node's device from its other tiers, in bytes.
struct gcl_trace_memory {
    char name[256];  ///< of the kernel that it came for
    bool is_touched; ///< as threads touched it; else beforehand
    uint64_t begin_ns, end_ns;
    uint64_t bytes, from_files; ///< the latter are some of the former
    uint64_t lack;              ///< that the device lacks to have kept it, on average
    uint64_t went;              ///< that went for it
};

/// What the program says of itself, as it says it (NVTX).
struct gcl_trace_note {
    enum gcl_trace_note_kind {
        GCL_TRACE_PUSH, ///< a range of the line begins; it ends before those around it
        GCL_TRACE_POP,  ///< the last range of the line that was pushed ends
        GCL_TRACE_MARK,
        GCL_TRACE_START, ///< `range` begins, which others may overlap
        GCL_TRACE_END,
    } kind;
    uint64_t line;  ///< of GCL_TRACE_PROGRAM
    uint64_t range; ///< its number among those that start and end
    const char *name;
    const char *domain;        ///< NULL: none
    uint32_t category;         ///< 0: none
    const char *category_name; ///< NULL: it has none
    bool has_color;
    uint32_t color;      ///< alpha, red, green and blue, from the highest byte
    const char *payload; ///< a value of JSON; "": none
};

struct gcl_trace;

/// Node 0 opens the file; NULL after a message if it can't be written. Others don't.
struct gcl_trace *gcl_trace_create(const char *path, gcl_node self);
/// Completes the file; takes NULL. Spans that come later, from threads that outlive main, are
/// dropped.
void gcl_trace_close(struct gcl_trace *trace);
/// Names a line of a track. From any thread, as gcl_trace_add.
void gcl_trace_label(struct gcl_trace *trace, enum gcl_trace_track track, uint64_t line,
                     const char *name);
void gcl_trace_add(struct gcl_trace *trace, const struct gcl_trace_span *span);
/// Adds memory that has come; what comes shortly after other bytes, for the same kernel, makes one
/// span with those. From any thread.
void gcl_trace_add_memory(struct gcl_trace *trace, const struct gcl_trace_memory *memory);
/// Node 0: writes a note, with the time at which it is called. From any thread.
void gcl_trace_note(struct gcl_trace *trace, const struct gcl_trace_note *note);
/// Node 0: the number of an origin, which spans of all nodes may name; 0: it is unknown. From any
/// thread.
uint32_t gcl_trace_origin(struct gcl_trace *trace, struct gcl_origin origin);

// trace_listener.c

/// The listener by which a trace hears what to draw.
struct gcl_listener gcl_trace_listener(struct gcl_trace *trace);
/// Names the lines of transfers, in a job of several nodes.
void gcl_trace_label_transfers(struct gcl_trace *trace);

// Other nodes' spans.

/// No node keeps more bytes than that.
#define GCL_TRACE_MOST ((size_t)32 << 20)

/// On other nodes than 0: takes what was kept since the last report, to be freed; NULL and 0 bytes
/// if that is nothing. What threads add while it is sent is another report's. See gcl_trace_merge.
unsigned char *gcl_trace_report(struct gcl_trace *trace, size_t *size);
/// Node 0: adds what another node, whose clock is compared in `clocks`, has reported; says so if
/// that isn't all. False: the bytes make no sense.
bool gcl_trace_merge(struct gcl_trace *trace, gcl_node node, const struct gcl_clocks *clocks,
                     const unsigned char *bytes, size_t size);

#endif
