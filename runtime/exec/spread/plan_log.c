// Plans in the log, in the words of plan/schedule/print.h. Nodes plan alike, so that node 0 speaks
// for all of them.
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/name.h"
#include "exec/spread/plan_log.h"
#include "plan/schedule/print.h"

static const struct gcl_names addresses = {.of = NULL};

/// A text that grows by what is written to `out`.
struct lines {
    FILE *out; ///< NULL: nothing is logged, or there is no memory
    char *text;
    size_t size;
};

static void begin(const struct gcl_spread *spread, struct lines *lines) {
    *lines = (struct lines){.out = NULL};
    if (gcl_spread_is_home(spread) && gcl_log_shows(GCL_LOG_TRACE))
        lines->out = open_memstream(&lines->text, &lines->size);
}

/// Logs the lines, each as a message of its own.
static void end(struct lines *lines) {
    char *rest;
    if (fclose(lines->out) == 0) {
        for (char *line = strtok_r(lines->text, "\n", &rest); line;
             line = strtok_r(NULL, "\n", &rest))
            gcl_log(GCL_LOG_TRACE, "%s", line);
    }
    free(lines->text);
}

void gcl_spread_log_plan(const struct gcl_spread *spread, const struct gcl_plan *plan) {
    struct lines lines;
    begin(spread, &lines);
    if (!lines.out)
        return;
    gcl_plan_print(plan, &addresses, lines.out);
    end(&lines);
}

void gcl_spread_log_schedule(const struct gcl_spread *spread, const struct gcl_schedule *schedule,
                             const struct gcl_kernel *kernel) {
    struct lines lines;
    char name[128];
    begin(spread, &lines);
    if (!lines.out)
        return;
    gcl_schedule_print(schedule, gcl_name_demangle(kernel->name, name, sizeof name), &addresses,
                       lines.out);
    end(&lines);
}
