// Runs a planning scenario, and compares what is planned with what stands below its line `---`.
//
// Everything is planned as the runtime does it, without processes: what a launch, a copy or a fill
// would have nodes do is printed, then the directory tells of the time after it.
#include "scenario.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "plan/program/check.h"
#include "plan/schedule/print.h"

enum { BUFFERS = 32 };

struct machine {
    const struct scenario_statement *now; ///< which is carried out
    struct gcl_directory *directory;      ///< NULL: there is no machine yet
    char buffers[BUFFERS][SCENARIO_NAME]; ///< by address; "": what was there was freed
    const uint32_t *weights;              ///< of nodes; NULL: they are alike
    bool faults;                          ///< pages come as they are touched
    FILE *out;
};

#define FAIL(m, ...) scenario_fail((m)->now->file, (m)->now->line, __VA_ARGS__)

static void require(const struct machine *m, bool holds, const char *what) {
    if (!holds)
        FAIL(m, "%s", what);
}

// Buffers.

static uint64_t address_of(size_t index) {
    return (index + 1) << 33;
}

static const char *name_of(void *context, uint64_t begin) {
    const struct machine *m = context;
    return m->buffers[(begin >> 33) - 1];
}

static struct gcl_directory_entry *find(struct machine *m, const char *name) {
    for (size_t i = 0; i < BUFFERS; i++) {
        if (strcmp(m->buffers[i], name) == 0)
            return gcl_directory_find(m->directory, address_of(i));
    }
    FAIL(m, "there is no buffer '%s'", name);
}

/// Adds a buffer where the first one was that is free, as a program's allocator would.
static void add_buffer(struct machine *m) {
    size_t index = 0;
    for (size_t i = 0; i < BUFFERS; i++)
        require(m, strcmp(m->buffers[i], m->now->name) != 0, "the buffer exists");
    while (index < BUFFERS && *m->buffers[index])
        index++;
    require(m, index < BUFFERS, "there are too many buffers");
    strcpy(m->buffers[index], m->now->name);
    require(
        m,
        gcl_directory_add(m->directory, address_of(index), (uint64_t)m->now->number, m->now->use),
        "no memory");
}

static void free_buffer(struct machine *m) {
    uint64_t begin = find(m, m->now->name)->begin;
    require(m, gcl_directory_remove(m->directory, begin), "the directory doesn't know the buffer");
    *m->buffers[(begin >> 33) - 1] = 0;
}

static uint32_t node_of(const struct machine *m, int64_t number) {
    require(m, number < gcl_directory_node_count(m->directory), "there is no such node");
    return (uint32_t)number;
}

/// Has one node alone have a buffer.
static void place_buffer(struct machine *m) {
    const struct gcl_directory_entry *entry = find(m, m->now->name);
    struct gcl_region *written = calloc(gcl_directory_node_count(m->directory), sizeof *written);
    written[node_of(m, m->now->number)] = gcl_region_run(0, (int64_t)entry->size);
    const struct gcl_layout *layout =
        gcl_layouts_change(gcl_directory_layouts(m->directory), entry->layout,
                           &(struct gcl_layout_change){.written = written});
    require(m, layout, "no memory");
    const struct gcl_region all = gcl_region_run(0, (int64_t)entry->size);
    gcl_directory_update(m->directory, entry->begin, layout, &all);
    free(written); // a run needs no memory
}

// Operations.

static struct gcl_names names_of(struct machine *m) {
    return (struct gcl_names){name_of, m};
}

/// Prints a plan, or that it moves nothing, and has the directory tell of the time after it.
static void carry_out(struct machine *m, struct gcl_plan *plan) {
    const struct gcl_names names = names_of(m);
    gcl_plan_print(plan, &names, m->out);
    if (plan->transfer_count + plan->combination_count == 0)
        fputs("nothing\n", m->out);
    gcl_plan_commit(plan, m->directory);
    gcl_plan_finish(plan);
}

/// Node 0 reads what is copied to the host, and writes what comes from there.
static void copy(struct machine *m) {
    const struct gcl_directory_entry *entry = find(m, m->now->name);
    const struct scenario_bytes *bytes = &m->now->bytes;
    struct gcl_region *regions = calloc(gcl_directory_node_count(m->directory), sizeof *regions);
    struct gcl_demand demand = {.begin = entry->begin};
    struct gcl_plan plan = {.allocation_count = 0};
    *regions = gcl_region_run(bytes->constant, bytes->constant + bytes->length);
    *(m->now->kind == SCENARIO_COPY_IN ? &demand.written : &demand.needed) = regions;
    require(m, bytes->constant + bytes->length <= (int64_t)entry->size, "the buffer ends before");
    require(m, gcl_plan_demand(&plan, m->directory, &demand), "that can't be planned");
    free(regions); // a run needs no memory
    carry_out(m, &plan);
}

static void fill(struct machine *m) {
    const struct gcl_directory_entry *entry = find(m, m->now->name);
    const struct scenario_bytes *bytes = &m->now->bytes;
    struct gcl_region region = gcl_region_run(bytes->constant, bytes->constant + bytes->length);
    struct gcl_plan plan = {.allocation_count = 0};
    require(m, bytes->constant + bytes->length <= (int64_t)entry->size, "the buffer ends before");
    require(m, gcl_plan_fill(&plan, m->directory, entry->begin, &region, (uint8_t)m->now->number),
            "that can't be planned");
    carry_out(m, &plan);
}

static void launch(struct machine *m) {
    const struct scenario_launch *l = &m->now->launch;
    const struct gcl_names names = names_of(m);
    uint64_t arguments[SCENARIO_ACCESSES] = {0};
    struct gcl_program_fault fault = {.what = ""};
    struct gcl_schedule schedule;
    struct kernel kernel;
    kernel_init(&kernel, l);
    for (size_t i = 0; i < l->access_count; i++)
        arguments[i] = find(m, l->accesses[i].buffer)->begin;
    require(m, gcl_program_check(&kernel.program, sizeof arguments, &fault), fault.what);
    struct gcl_launch_part all = {.arguments = (const unsigned char *)arguments};
    memcpy(all.geometry.block, l->block, sizeof all.geometry.block);
    memcpy(all.geometry.grid, l->grid, sizeof all.geometry.grid);
    memcpy(all.end, l->grid, sizeof all.end);
    struct gcl_scheduler *scheduler = gcl_scheduler_create(&kernel.program, m->directory);
    if (scheduler)
        gcl_scheduler_weigh(scheduler, m->weights);
    if (scheduler)
        gcl_scheduler_fault(scheduler, m->faults);
    uint32_t node = l->node == GCL_NOBODY ? GCL_NOBODY : node_of(m, l->node);
    require(m, scheduler && gcl_scheduler_find(scheduler, &all, node, NULL, &schedule),
            "that can't be planned");
    gcl_schedule_print(&schedule, m->now->name, &names, m->out);
    gcl_plan_commit(schedule.plan, m->directory);
    gcl_schedule_finish(&schedule);
    gcl_scheduler_destroy(scheduler);
}

static void weigh(struct machine *m) {
    require(m, m->now->number == gcl_directory_node_count(m->directory),
            "there has to be a weight for each node");
    m->weights = m->now->weights;
}

static void fault(struct machine *m) {
    m->faults = true;
}

/// Carries out a statement; what it prints, an operation does, is a paragraph.
static void carry_out_statement(struct machine *m) {
    static void (*const operations[])(struct machine *) = {
        [SCENARIO_BUFFER] = add_buffer, [SCENARIO_PLACE] = place_buffer, [SCENARIO_LAUNCH] = launch,
        [SCENARIO_COPY_IN] = copy,      [SCENARIO_COPY_OUT] = copy,      [SCENARIO_FILL] = fill,
        [SCENARIO_FREE] = free_buffer,  [SCENARIO_WEIGH] = weigh,        [SCENARIO_FAULT] = fault};
    require(m, (m->now->kind == SCENARIO_MACHINE) == !m->directory,
            "a scenario begins with its one machine");
    if (m->now->kind == SCENARIO_MACHINE) {
        m->directory = gcl_directory_create((uint32_t)m->now->number);
        return;
    }
    long before = ftell(m->out);
    operations[m->now->kind](m);
    if (ftell(m->out) > before)
        fputc('\n', m->out);
}

/// Carries out a scenario. Returns what is planned, and in the end where all bytes are.
static char *plan(const char *file, const char *text) {
    static struct scenario_statement statements[SCENARIO_STATEMENTS];
    struct machine m = {.directory = NULL};
    char *printed = NULL;
    size_t size, count = scenario_parse(file, text, statements);
    const struct gcl_names names = names_of(&m);
    m.out = open_memstream(&printed, &size);
    for (size_t i = 0; i < count; i++) {
        m.now = &statements[i];
        carry_out_statement(&m);
    }
    if (m.directory)
        gcl_directory_print(m.directory, &names, m.out);
    gcl_directory_destroy(m.directory);
    fclose(m.out);
    return printed;
}

static void read_file(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "r");
    size_t used = file ? fread(text, 1, size - 1, file) : 0;
    if (!file || used == 0 || used == size - 1)
        scenario_fail(path, 0, "it can't be read, or is empty or too long");
    text[used] = 0;
    fclose(file);
}

int main(int argument_count, char **arguments) {
    static const char line[] = "\n---\n";
    static char text[1 << 16];
    if (argument_count != 2) {
        fprintf(stderr, "usage: %s SCENARIO\n", arguments[0]);
        return 2;
    }
    read_file(arguments[1], text, sizeof text);
    char *expected = strstr(text, line);
    if (!expected)
        scenario_fail(arguments[1], 0, "there is no line ---");
    *expected = 0;
    expected += strlen(line);
    char *planned = plan(arguments[1], text);
    bool is_same = strcmp(planned, expected) == 0;
    if (!is_same)
        printf("%s\n---- expected ----\n%s---- planned ----\n%s", arguments[1], expected, planned);
    free(planned);
    return is_same ? 0 : 1;
}
