// An access can be surveyed once it is known where it is looked up what its address comes from:
// row[i] first, then column[k] for k from row[i] to row[i + 1], then x[column[k]]. So surveys go on
// in rounds. In each, all nodes get what their own blocks look up, go through these, and tell the
// others which bytes they found.
//
// Nothing is surveyed that needn't be: what all nodes have is read where it is, and what they need
// all of for another reason they get. Nor what took too long once, in a launch of as many blocks.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/inspect/base.h"
#include "plan/program/split.h"
#include "plan/survey/inspect_shares.h"
#include "plan/survey/steady.h"
#include "plan/survey/survey_parts.h"

enum { UNSTEADY = 3 }; // surveys in a row that are made because of what only guards read

// Life.

static void finish_inspections(struct gcl_inspection *parts, uint32_t count) {
    for (uint32_t i = 0; parts && i < count; i++)
        gcl_inspection_finish(&parts[i]);
    free(parts);
}

static void finish_kept(struct gcl_kept *kept, uint32_t count) {
    for (uint32_t i = 0; kept && i < count; i++)
        gcl_kept_finish(&kept[i]);
    free(kept);
}

static void finish_result(struct gcl_survey_result *result, uint32_t count) {
    finish_inspections(result->parts, count);
    finish_kept(result->kept, count);
    free(result->key.bytes);
    *result = (struct gcl_survey_result){.parts = NULL};
}

static bool init_access(const struct gcl_program *program, uint16_t access,
                        struct gcl_surveyed *s) {
    const struct gcl_access *a = &program->accesses[access];
    s->long_blocks = UINT64_MAX;
    if (a->kind != GCL_ACCESS_READ && a->kind != GCL_ACCESS_WRITE)
        return true;
    if (!gcl_origins_find(program, access, &s->origins))
        return false;
    s->may_need = program->bases[a->base].kind == GCL_BASE_LOADED;
    s->arguments.nodes = malloc((s->origins.node_count + 1u) * sizeof *s->arguments.nodes);
    s->steady.nodes = malloc((s->origins.node_count + 1u) * sizeof *s->steady.nodes);
    bool *counts = malloc((program->node_count + 1u) * sizeof *counts);
    bool ok = s->arguments.nodes && s->steady.nodes && counts &&
              gcl_steady_find(program, access, &s->origins, counts);
    bool is_behind_loop = false; // how often that ran isn't known to who goes through threads
    for (uint16_t i = 0; ok && i < s->origins.node_count; i++) {
        uint8_t kind = program->nodes[s->origins.nodes[i]].kind;
        s->may_need |= kind == GCL_NODE_LOAD && i < s->origins.bare_count;
        is_behind_loop |= kind == GCL_NODE_LAST && i < s->origins.bare_count;
        if (kind == GCL_NODE_ARGUMENT)
            s->arguments.nodes[s->arguments.count++] = s->origins.nodes[i];
        if (kind == GCL_NODE_ARGUMENT && counts[s->origins.nodes[i]])
            s->steady.nodes[s->steady.count++] = s->origins.nodes[i];
    }
    s->may_need = s->may_need && !is_behind_loop;
    free(counts);
    return ok;
}

struct gcl_survey *gcl_survey_create(const struct gcl_program *program,
                                     struct gcl_directory *directory) {
    struct gcl_survey *survey = calloc(1, sizeof *survey);
    if (!survey)
        return NULL;
    uint32_t count = gcl_directory_node_count(directory);
    *survey = (struct gcl_survey){
        .program = program,
        .directory = directory,
        .count = count,
        .accesses = calloc(program->access_count + 1u, sizeof *survey->accesses),
        .found = calloc((size_t)count * program->access_count + 1, sizeof *survey->found)};
    bool ok = survey->accesses && survey->found;
    for (uint16_t a = 0; ok && a < program->access_count; a++)
        ok = init_access(program, a, &survey->accesses[a]);
    if (ok)
        return survey;
    gcl_survey_destroy(survey);
    return NULL;
}

void gcl_survey_destroy(struct gcl_survey *survey) {
    if (!survey)
        return;
    for (uint16_t a = 0; survey->accesses && a < survey->program->access_count; a++) {
        for (unsigned i = 0; i < GCL_SURVEY_REMEMBERED; i++)
            finish_result(&survey->accesses[a].results[i], survey->count);
        gcl_origins_finish(&survey->accesses[a].origins);
        free(survey->accesses[a].arguments.nodes);
        free(survey->accesses[a].steady.nodes);
    }
    free(survey->accesses);
    free(survey->found);
    free(survey->readings);
    free(survey);
}

static size_t result_memory(const struct gcl_survey_result *result, uint32_t count) {
    size_t size = result->key.size;
    for (uint32_t i = 0; result->kept && i < count; i++)
        size += sizeof result->kept[i] + gcl_kept_memory(&result->kept[i]);
    for (uint32_t i = 0; result->parts && i < count; i++) {
        size += sizeof result->parts[i];
        for (size_t k = 0; k < result->parts[i].count; k++)
            size += sizeof result->parts[i].parts[k] +
                    gcl_region_memory(&result->parts[i].parts[k].bytes);
    }
    return size;
}

size_t gcl_survey_memory(const struct gcl_survey *survey) {
    size_t accesses = survey->program->access_count;
    size_t size = sizeof *survey + accesses * sizeof *survey->accesses +
                  survey->count * accesses * sizeof *survey->found;
    for (size_t a = 0; a < accesses; a++) {
        for (unsigned i = 0; i < GCL_SURVEY_REMEMBERED; i++)
            size += result_memory(&survey->accesses[a].results[i], survey->count);
    }
    return size;
}

// Where others look things up.

static struct gcl_footprint_known known_of(const struct gcl_survey_taking *t, uint32_t node) {
    return (struct gcl_footprint_known){.contents = t->launch->contents,
                                        .inspections = gcl_survey_found(t->survey, node)};
}

static bool is_readable(const struct gcl_survey_taking *t, const struct gcl_footprint *footprint) {
    bool is_readable = !footprint->reads_escaped && !footprint->writes_escaped;
    for (size_t i = 0; i < footprint->count && is_readable; i++) {
        uint64_t begin = (uint64_t)footprint->uses[i].allocation.begin;
        is_readable = gcl_directory_find(t->survey->directory, begin)->use != GCL_HOST_UNSEEN;
    }
    return is_readable;
}

/// Finds where an access looks things up. False: no memory.
static bool find_reach(const struct gcl_survey_taking *t, uint16_t access) {
    assert(access < t->survey->program->access_count);
    struct gcl_survey_reach *reach = &t->reaches[access];
    if (reach->parts)
        return true;
    reach->is_readable = true;
    reach->parts = calloc(t->survey->count, sizeof *reach->parts);
    for (uint32_t i = 0; reach->parts && i < t->survey->count; i++) {
        const struct gcl_footprint_known known = known_of(t, i);
        if (gcl_split_is_empty(&t->launch->parts[i]))
            continue;
        if (!gcl_footprint_find_access(t->launch->evaluator, access, &t->launch->parts[i], &known,
                                       &reach->parts[i]))
            return false;
        reach->is_readable = reach->is_readable && is_readable(t, &reach->parts[i]);
    }
    return reach->parts != NULL;
}

// Which accesses.

/// Whether all nodes have an allocation, and the launch changes nothing of it.
static bool is_everywhere(const struct gcl_survey_taking *t,
                          const struct gcl_directory_entry *entry) {
    const struct gcl_span allocation = {(int64_t)entry->begin,
                                        (int64_t)(entry->begin + entry->size)};
    struct gcl_region changed = {.count = 0};
    gcl_contents_changed(t->launch->contents, &allocation, &changed);
    bool is_changed = !gcl_region_is_empty(&changed);
    gcl_region_finish(&changed);
    for (uint32_t i = 0; i < t->survey->count && !is_changed; i++)
        is_changed = !gcl_region_contains_range(&entry->layout->held[i],
                                                (struct gcl_span){0, (int64_t)entry->size});
    return !is_changed;
}

static bool reads_all(const struct gcl_footprint *footprint,
                      const struct gcl_directory_entry *entry) {
    for (size_t i = 0; i < footprint->count; i++) {
        const struct gcl_allocation_use *use = &footprint->uses[i];
        if (use->allocation.begin == (int64_t)entry->begin &&
            gcl_region_contains_range(&use->read, (struct gcl_span){0, (int64_t)entry->size}))
            return true;
    }
    return false;
}

/// Whether nodes read all of an allocation by an access that isn't surveyed. Without memory: no.
static bool is_taken_whole(const struct gcl_survey_taking *t,
                           const struct gcl_directory_entry *entry) {
    const struct gcl_program *program = t->survey->program;
    bool is_whole = false;
    for (uint16_t a = 0; a < program->access_count && !is_whole; a++) {
        uint64_t base;
        if (program->accesses[a].kind != GCL_ACCESS_READ || t->survey->accesses[a].may_need ||
            !gcl_base_address(program, t->launch->launch, program->accesses[a].base, &base) ||
            gcl_directory_find(t->survey->directory, base) != entry)
            continue;
        is_whole = find_reach(t, a);
        for (uint32_t i = 0; i < t->survey->count && is_whole; i++)
            is_whole = gcl_split_is_empty(&t->launch->parts[i]) ||
                       reads_all(&t->reaches[a].parts[i], entry);
    }
    return is_whole;
}

static bool is_wanted(const struct gcl_survey_taking *t, uint16_t access) {
    const struct gcl_program *program = t->survey->program;
    const struct gcl_launch_part *launch = t->launch->launch;
    const struct gcl_access *a = &program->accesses[access];
    struct gcl_surveyed *s = &t->survey->accesses[access];
    uint64_t base;
    if (!s->may_need || gcl_geometry_blocks(&launch->geometry) >= s->long_blocks)
        return false;
    if (a->kind == GCL_ACCESS_READ && gcl_base_address(program, launch, a->base, &base)) {
        const struct gcl_directory_entry *entry = gcl_directory_find(t->survey->directory, base);
        if (entry && (is_everywhere(t, entry) || is_taken_whole(t, entry)))
            return false;
    }
    return gcl_inspect_is_needed(program, access, launch, t->launch->contents, &s->origins);
}

/// Chooses those that depend on nothing that still waits. False: none do.
static bool choose(const struct gcl_survey_taking *t) {
    struct gcl_surveyed *accesses = t->survey->accesses;
    bool is_any = false;
    for (uint16_t a = 0; a < t->survey->program->access_count; a++) {
        const struct gcl_origins origins = gcl_survey_origins(&accesses[a], accesses[a].is_steady);
        bool is_ready = accesses[a].stage == GCL_SURVEY_WAITING;
        for (uint16_t i = 0; i < origins.load_count && is_ready; i++)
            is_ready = accesses[origins.loads[i]].stage != GCL_SURVEY_WAITING &&
                       accesses[origins.loads[i]].stage != GCL_SURVEY_CHOSEN;
        if (is_ready)
            accesses[a].stage = GCL_SURVEY_CHOSEN;
        is_any |= is_ready;
    }
    return is_any;
}

// Results.

static void show(const struct gcl_survey_taking *t, uint16_t access, unsigned place) {
    assert(place < GCL_SURVEY_REMEMBERED);
    struct gcl_survey *survey = t->survey;
    struct gcl_surveyed *s = &survey->accesses[access];
    const struct gcl_survey_result *result = &s->results[place];
    s->stage = GCL_SURVEY_KNOWN;
    for (uint32_t i = 0; i < survey->count && result->parts; i++)
        survey->found[(size_t)i * survey->program->access_count + access] = &result->parts[i];
}

/// Finds where all is read that a survey goes by; `is_readable`: it can be. False: no memory.
static bool find_reaches(const struct gcl_survey_taking *t, const struct gcl_origins *origins,
                         bool *is_readable) {
    *is_readable = true;
    for (uint16_t i = 0; i < origins->load_count && *is_readable; i++) {
        if (!find_reach(t, origins->loads[i]))
            return false;
        *is_readable = t->reaches[origins->loads[i]].is_readable;
    }
    return true;
}

/// Shows what is remembered for a key; false: nothing is.
static bool show_remembered(const struct gcl_survey_taking *t, uint16_t access,
                            const struct gcl_key *key) {
    struct gcl_surveyed *s = &t->survey->accesses[access];
    for (unsigned i = 0; i < GCL_SURVEY_REMEMBERED; i++) {
        if (!gcl_key_equal(&s->results[i].key, key))
            continue;
        if (s->missed_launch != t->survey->launches)
            s->unsteady = 0;
        show(t, access, i);
        return true;
    }
    return false;
}

/// Whether two results differ at most in the versions of what is looked up.
static bool is_same_but_for_versions(const struct gcl_survey_result *a,
                                     const struct gcl_survey_result *b) {
    return a->key.size > 0 && a->bare_size == b->bare_size &&
           memcmp(a->key.bytes, b->key.bytes, a->bare_size) == 0;
}

/// Makes room for a result that has a key, which it takes. What is kept of one that it replaces
/// because something has changed goes over to it: that one won't be wanted again, as versions grow.
/// False: no memory.
static bool make_room(const struct gcl_survey_taking *t, uint16_t access,
                      struct gcl_survey_result result) {
    struct gcl_surveyed *s = &t->survey->accesses[access];
    unsigned place = 0;
    while (place < GCL_SURVEY_REMEMBERED && !is_same_but_for_versions(&s->results[place], &result))
        place++;
    if (place < GCL_SURVEY_REMEMBERED) {
        result.kept = s->results[place].kept;
        s->results[place].kept = NULL;
    } else {
        place = s->next;
        s->next = (s->next + 1) % GCL_SURVEY_REMEMBERED;
        result.kept = calloc(t->survey->count, sizeof *result.kept);
    }
    s->stage = GCL_SURVEY_MISSED;
    s->found = place;
    finish_result(&s->results[place], t->survey->count);
    result.parts = calloc(t->survey->count, sizeof *result.parts);
    s->results[place] = result;
    return result.parts && result.kept;
}

/// Whether a survey found each byte for certain.
static bool is_exact(const struct gcl_survey_result *result, uint32_t count) {
    bool is_exact = result->parts != NULL;
    for (uint32_t i = 0; i < count && is_exact; i++) {
        for (size_t k = 0; k < result->parts[i].count; k++)
            is_exact = is_exact && result->parts[i].parts[k].exact;
    }
    return is_exact;
}

/// Counts surveys that are made again and again because of what only guards read. They are worth a
/// few tries where by them it is certain what is touched.
static void note_miss(const struct gcl_survey *survey, struct gcl_surveyed *s, uint64_t steady) {
    bool is_known = false, is_vague = false;
    if (survey->reused_launch > s->missed_launch)
        s->unsteady = 0;
    s->missed_launch = survey->launches;
    for (unsigned i = 0; i < GCL_SURVEY_REMEMBERED; i++) {
        const struct gcl_survey_result *result = &s->results[i];
        bool is_same = result->key.size > 0 && result->steady == steady;
        is_known |= is_same;
        is_vague |= is_same && !is_exact(result, survey->count);
    }
    s->unsteady = is_known ? s->unsteady + 1 : 0;
    s->is_steady = s->unsteady >= UNSTEADY || is_vague;
}

/// Finds an access among those remembered, or makes room for it. False: no memory.
static bool recall(const struct gcl_survey_taking *t, uint16_t access) {
    struct gcl_surveyed *s = &t->survey->accesses[access];
    const struct gcl_origins origins = gcl_survey_origins(s, s->is_steady);
    struct gcl_survey_result result = {.parts = NULL};
    struct gcl_key steady = {.bytes = NULL};
    size_t steady_size;
    bool is_readable, was_steady = s->is_steady;
    assert(s->stage == GCL_SURVEY_CHOSEN && s->next < GCL_SURVEY_REMEMBERED);
    s->stage = GCL_SURVEY_SKIPPED;
    if (!find_reaches(t, &origins, &is_readable))
        return false;
    if (!is_readable)
        return true;
    bool ok = gcl_survey_make_key(t, access, was_steady, &result.key, &result.bare_size);
    if (ok && show_remembered(t, access, &result.key)) {
        free(result.key.bytes);
        return true;
    }
    ok = ok && gcl_survey_make_key(t, access, true, &steady, &steady_size);
    result.steady = steady.hash;
    if (ok && !was_steady)
        note_miss(t->survey, s, steady.hash);
    free(steady.bytes);
    if (ok && s->is_steady == was_steady)
        return make_room(t, access, result);
    free(result.key.bytes);
    s->stage = GCL_SURVEY_CHOSEN;
    return ok && recall(t, access);
}

// Looking.

/// Of guarded memory another node gets what node 0 looks up, too: the host's changes to pages that
/// only node 0 has go unseen. False: no memory.
static bool add_lookup(struct gcl_survey_taking *t, const struct gcl_allocation_use *use,
                       uint32_t node) {
    const struct gcl_directory_entry *entry =
        gcl_directory_find(t->survey->directory, (uint64_t)use->allocation.begin);
    bool has_witness = node == 0 && t->survey->count > 1 && entry->use == GCL_HOST_GUARDED;
    assert(node < t->survey->count);
    size_t i = 0;
    while (i < t->lookup_count && t->lookups[i].allocation.begin != use->allocation.begin)
        i++;
    if (i == t->lookup_count) {
        struct gcl_survey_lookup *lookups = realloc(t->lookups, (i + 1) * sizeof *lookups);
        t->lookups = lookups ? lookups : t->lookups;
        struct gcl_region *needed = calloc(t->survey->count, sizeof *needed);
        if (!lookups || !needed) {
            free(needed);
            return false;
        }
        t->lookups[t->lookup_count++] = (struct gcl_survey_lookup){use->allocation, needed};
    }
    for (uint32_t n = node; n <= node + has_witness; n++) {
        struct gcl_region *needed = &t->lookups[i].needed[n];
        bool is_exact = gcl_region_unite(needed, &use->read, needed); // or more
        (void)is_exact;
    }
    return true;
}

static bool add_lookups(struct gcl_survey_taking *t, uint16_t access) {
    const struct gcl_surveyed *s = &t->survey->accesses[access];
    const struct gcl_origins origins = gcl_survey_origins(s, s->is_steady);
    for (uint16_t i = 0; i < origins.load_count; i++) {
        const struct gcl_survey_reach *reach = &t->reaches[origins.loads[i]];
        for (uint32_t node = 0; node < t->survey->count; node++) {
            for (size_t k = 0; k < reach->parts[node].count; k++) {
                if (!add_lookup(t, &reach->parts[node].uses[k], node))
                    return false;
            }
        }
    }
    return true;
}

static void drop_lookups(struct gcl_survey_taking *t) {
    for (size_t i = 0; i < t->lookup_count; i++) {
        for (uint32_t node = 0; node < t->survey->count; node++)
            gcl_region_finish(&t->lookups[i].needed[node]);
        free(t->lookups[i].needed);
    }
    free(t->lookups);
    t->lookups = NULL;
    t->lookup_count = 0;
}

/// Lets nodes get what they look up. False: this node can't have it.
static bool fetch(const struct gcl_survey_taking *t) {
    struct gcl_demand *demands = calloc(t->lookup_count + 1, sizeof *demands);
    for (size_t i = 0; demands && i < t->lookup_count; i++)
        demands[i] = (struct gcl_demand){.begin = (uint64_t)t->lookups[i].allocation.begin,
                                         .needed = t->lookups[i].needed};
    bool ok = demands && t->reader->fetch(t->reader->context, demands, t->lookup_count);
    free(demands);
    return ok;
}

/// Makes a task of an access that was missed, for which only that has to be looked at of a node's
/// blocks that looks at what has changed.
static struct gcl_inspect_task task_of(const struct gcl_survey_taking *t, uint16_t access,
                                       uint32_t node) {
    const struct gcl_surveyed *s = &t->survey->accesses[access];
    struct gcl_kept *kept = &s->results[s->found].kept[node];
    gcl_kept_drop_changed(kept, t->survey->directory);
    return (struct gcl_inspect_task){
        .access = access, .origins = gcl_survey_origins(s, s->is_steady), .kept = kept};
}

/// Inspects by those that were missed what a node's blocks touch. False: no memory.
static bool inspect_missed(const struct gcl_survey_taking *t, uint32_t node,
                           const struct gcl_contents *contents,
                           struct gcl_survey_finding *findings) {
    const struct gcl_launch_part *part = &t->launch->parts[node];
    const struct gcl_program *program = t->survey->program;
    const struct gcl_inspect_part input = {program, part, contents, t->reader};
    struct gcl_inspect_task *tasks = calloc(program->access_count + 1u, sizeof *tasks);
    size_t count = 0;
    for (uint16_t a = 0; a < program->access_count; a++) {
        bool is_missed = t->survey->accesses[a].stage == GCL_SURVEY_MISSED;
        findings[a] = (struct gcl_survey_finding){.inspected = GCL_INSPECTED_FOUND};
        if (tasks && is_missed && !gcl_split_is_empty(part))
            tasks[count++] = task_of(t, a, node);
    }
    bool ok = tasks && gcl_inspect_all(&input, tasks, count);
    for (size_t i = 0; i < count; i++) {
        findings[tasks[i].access] =
            (struct gcl_survey_finding){tasks[i].inspected, tasks[i].inspection};
        t->survey->shares.looked += tasks[i].looked;
        t->survey->shares.kept += tasks[i].recalled;
    }
    free(tasks);
    return ok;
}

/// Inspects what a node's blocks touch by those that were missed. False: no memory.
static bool inspect_part(const struct gcl_survey_taking *t, uint32_t node,
                         struct gcl_contents *contents, struct gcl_survey_finding *findings) {
    assert(node < t->survey->count);
    contents->is_given = true; // even if nothing is: the others wouldn't ask for the same
    for (size_t i = 0; i < t->lookup_count; i++) {
        const struct gcl_survey_lookup *lookup = &t->lookups[i];
        uint64_t begin = (uint64_t)lookup->allocation.begin;
        if (!gcl_contents_give(contents, &lookup->allocation,
                               t->reader->memory(t->reader->context, begin), &lookup->needed[node]))
            return false;
    }
    return inspect_missed(t, node, contents, findings);
}

/// Adds what a node found to the results.
static void keep(const struct gcl_survey_taking *t, uint32_t node,
                 struct gcl_survey_finding *findings) {
    assert(node < t->survey->count);
    for (uint16_t a = 0; a < t->survey->program->access_count; a++) {
        struct gcl_surveyed *s = &t->survey->accesses[a];
        if (s->stage != GCL_SURVEY_MISSED)
            continue;
        struct gcl_survey_result *result = &s->results[s->found];
        uint64_t blocks = gcl_geometry_blocks(&t->launch->launch->geometry);
        if (findings[a].inspected == GCL_INSPECTED_LONG && blocks < s->long_blocks)
            s->long_blocks = blocks;
        if (findings[a].inspected == GCL_INSPECTED_FOUND && result->parts) {
            result->parts[node] = findings[a].inspection;
        } else {
            gcl_inspection_finish(&findings[a].inspection);
            finish_inspections(result->parts, t->survey->count);
            result->parts = NULL;
        }
    }
}

/// Nothing is found of those that were missed.
static void forget_missed(struct gcl_survey *survey) {
    for (uint16_t a = 0; a < survey->program->access_count; a++) {
        struct gcl_surveyed *s = &survey->accesses[a];
        if (s->stage != GCL_SURVEY_MISSED)
            continue;
        finish_inspections(s->results[s->found].parts, survey->count);
        s->results[s->found].parts = NULL;
    }
}

// Telling.

/// Adds what a node told to the results. False: no memory, or the node is blamed for what it told.
static bool hear(const struct gcl_survey_taking *t, uint32_t node, const struct gcl_words *words) {
    uint16_t count = t->survey->program->access_count;
    struct gcl_survey_finding *findings = calloc(count + 1u, sizeof *findings);
    struct gcl_unpack in = {words->bytes, words->bytes + words->size, false};
    bool ok = findings != NULL;
    for (uint16_t a = 0; a < count && ok; a++) {
        if (t->survey->accesses[a].stage == GCL_SURVEY_MISSED)
            ok = gcl_survey_unpack(t, &in, &findings[a]);
    }
    in.has_failed |= ok && in.at != in.end;
    if (in.has_failed)
        t->reader->blame(t->reader->context, node);
    ok = ok && !in.has_failed;
    if (ok)
        keep(t, node, findings);
    for (uint16_t a = 0; findings && !ok && a < count; a++)
        gcl_inspection_finish(&findings[a].inspection);
    free(findings);
    return ok;
}

/// Tells all nodes what this one found, `findings` NULL: that it can't, and takes over what they
/// found. False: no memory, or somebody is blamed.
static bool tell(const struct gcl_survey_taking *t, const struct gcl_survey_finding *findings) {
    struct gcl_pack out = {.size = 0};
    struct gcl_words *all = calloc(t->survey->count, sizeof *all);
    for (uint16_t a = 0; findings && a < t->survey->program->access_count; a++) {
        if (t->survey->accesses[a].stage == GCL_SURVEY_MISSED)
            gcl_survey_pack(&out, &findings[a]);
    }
    const struct gcl_words own = {out.has_failed ? NULL : out.bytes, out.size};
    bool is_told = all && t->reader->tell(t->reader->context, &own, all), ok = all != NULL;
    for (uint32_t i = 0; all && i < t->survey->count; i++) {
        ok = ok && (!is_told || hear(t, i, &all[i]));
        free(all[i].bytes);
    }
    free(out.bytes);
    free(all);
    if (!is_told)
        forget_missed(t->survey);
    return ok;
}

// Rounds.

/// Lets this node look at its own blocks, and hear of the others'.
static bool share(const struct gcl_survey_taking *t, struct gcl_contents *contents,
                  struct gcl_survey_finding *findings) {
    bool ok = inspect_part(t, t->reader->self, contents, findings) && tell(t, findings);
    for (uint16_t a = 0; a < t->survey->program->access_count; a++)
        gcl_inspection_finish(&findings[a].inspection);
    return ok;
}

/// Looks for those that were missed. False: no memory.
static bool look_for_missed(struct gcl_survey_taking *t) {
    struct gcl_survey *survey = t->survey;
    struct gcl_contents contents;
    struct gcl_survey_finding *findings =
        calloc(survey->program->access_count + 1u, sizeof *findings);
    const struct gcl_survey_launch *launch = t->launch;
    bool is_here = fetch(t);
    bool has_contents =
        findings && gcl_footprint_open_contents(launch->evaluator, launch->launch,
                                                launch->contents->memory, &contents);
    bool ok = has_contents;
    survey->looks++;
    if (t->reader->self == GCL_NOBODY) {
        for (uint32_t i = 0; ok && i < survey->count; i++) {
            ok = inspect_part(t, i, &contents, findings);
            keep(t, i, findings);
        }
    } else if (ok && is_here) {
        ok = share(t, &contents, findings);
    } else {
        ok = tell(t, NULL) && ok;
    }
    if (has_contents)
        gcl_contents_finish(&contents);
    free(findings);
    return ok;
}

/// Looks at those that are chosen. False: no memory.
static bool look(struct gcl_survey_taking *t) {
    struct gcl_survey *survey = t->survey;
    bool ok = true, is_any = false;
    for (uint16_t a = 0; ok && a < survey->program->access_count; a++) {
        if (survey->accesses[a].stage != GCL_SURVEY_CHOSEN)
            continue;
        ok = recall(t, a);
        if (!ok || survey->accesses[a].stage != GCL_SURVEY_MISSED)
            continue;
        is_any = true;
        ok = add_lookups(t, a);
    }
    ok = ok && (!is_any || look_for_missed(t));
    for (uint16_t a = 0; ok && a < survey->program->access_count; a++) {
        if (survey->accesses[a].stage == GCL_SURVEY_MISSED)
            show(t, a, survey->accesses[a].found);
    }
    drop_lookups(t);
    return ok;
}

void gcl_survey_begin_launch(struct gcl_survey *survey, bool is_reused) {
    survey->launches++;
    if (is_reused)
        survey->reused_launch = survey->launches;
}

bool gcl_survey_take(struct gcl_survey *survey, const struct gcl_survey_launch *launch,
                     const struct gcl_reader *reader) {
    const struct gcl_program *program = survey->program;
    struct gcl_survey_taking t = {.survey = survey,
                                  .launch = launch,
                                  .reader = reader,
                                  .reaches = calloc(program->access_count + 1u, sizeof *t.reaches)};
    bool ok = t.reaches != NULL;
    memset(survey->found, 0, (size_t)survey->count * program->access_count * sizeof *survey->found);
    survey->reading_count = 0;
    for (uint16_t a = 0; a < program->access_count; a++) {
        bool is_waiting = ok && reader && launch->contents->may_read && is_wanted(&t, a);
        survey->accesses[a].stage = is_waiting ? GCL_SURVEY_WAITING : GCL_SURVEY_SKIPPED;
    }
    while (ok && choose(&t))
        ok = look(&t);
    for (uint16_t a = 0; t.reaches && a < program->access_count; a++) {
        for (uint32_t i = 0; t.reaches[a].parts && i < survey->count; i++)
            gcl_footprint_finish(&t.reaches[a].parts[i]);
        free(t.reaches[a].parts);
    }
    free(t.reaches);
    return ok;
}

const struct gcl_inspection *const *gcl_survey_found(const struct gcl_survey *survey,
                                                     uint32_t node) {
    assert(node < survey->count);
    return survey->found + (size_t)node * survey->program->access_count;
}

const struct gcl_reading *gcl_survey_readings(const struct gcl_survey *survey, size_t *count) {
    *count = survey->reading_count;
    return survey->readings;
}

uint64_t gcl_survey_looks(const struct gcl_survey *survey) {
    return survey->looks;
}

struct gcl_survey_shares gcl_survey_shares(const struct gcl_survey *survey) {
    return survey->shares;
}
