// A run as GCL_TRACE has recorded it (runtime/exec/watch/trace.h), summed up by kernel and by the
// places that launch it.
#ifndef GCL_LSP_TRACE_H
#define GCL_LSP_TRACE_H

#include <jansson.h>

/// [{kernel, launches, time_ns, bytes, cause, share, came, touched, lack, places}] and the time of
/// the whole run, as {kernels, total_ns}; a new reference. `places`, in no order, are like kernels,
/// without places and with file, as the compiler was given it, and line, from 1; launches that
/// don't stand in the source as `<<<` have none. Times are those of the node that took longest,
/// bytes what all nodes got from others for the kernel, `cause` whether most of it came before it
/// ("fetch") or after it
/// ("merge"), null if nothing moved; `share` is of the run's time. `came` and `touched` are bytes
/// that came to devices from other tiers of memory, beforehand and as threads touched them, `lack`
/// those by which a device was too small for that, on average; they are known of kernels, and of
/// the place of one that has no other. NULL with a sentence in `why`, to be freed: it can't be
/// read, or isn't a trace.
json_t *gcl_trace_sum_up(const char *path, char **why);

#endif
