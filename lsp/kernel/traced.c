// A launch of the trace is matched to one of the text by line, then by order among the launches of
// its kernel, then by name alone; each answer says by which.
#include "lsp/kernel/traced.h"

#include <assert.h>
#include <string.h>
#include <sys/stat.h>

#include "base/names.h"
#include "lsp/kernel/launches.h"

/// One kernel of the trace, in one view.
struct search {
    const struct gcl_view *view;
    const GPtrArray *macros; ///< const char *: those that launch something
    json_t *kernel;
    GPtrArray *places;   ///< json_t *: those in the view's file, by line
    GPtrArray *launches; ///< const struct gcl_source_launch *: in the text, likewise
};

// What the compiler was given may be relative to any folder. A path that leads nowhere here comes
// from another machine: then the name has to do.
static bool is_file(const char *file, const char *path) {
    g_autofree char *whole = g_canonicalize_filename(file, "/");
    struct stat status, own;
    if (!g_path_is_absolute(file))
        return g_str_has_suffix(path, whole);
    if (stat(whole, &status) == 0)
        return stat(path, &own) == 0 && status.st_dev == own.st_dev && status.st_ino == own.st_ino;
    return strcmp(strrchr(whole, '/'), strrchr(path, '/')) == 0;
}

static uint32_t line_of_place(const json_t *place) {
    json_int_t line = json_integer_value(json_object_get(place, "line"));
    return line > 0 ? (uint32_t)line - 1 : 0;
}

// Whether a launch stands on a line. A launch may take several lines; the run has recorded the one
// on which, to the compiler, the call ends that the launch is rewritten to.
static bool is_at(const struct search *search, const struct gcl_source_launch *launch,
                  uint32_t line) {
    size_t size;
    const char *bytes = gcl_line_table_data(search->view->text, &size);
    assert(launch->chevrons.begin <= launch->arguments.end && launch->arguments.end <= size);
    const char *end = memchr(bytes + launch->arguments.end, ')', size - launch->arguments.end);
    uint32_t first, last, character;
    gcl_line_table_locate(search->view->text, launch->chevrons.begin, &first, &character);
    gcl_line_table_locate(search->view->text, end ? (uint32_t)(end - bytes) : launch->arguments.end,
                          &last, &character);
    return first <= line && line <= last;
}

static gint compare_places(gconstpointer a, gconstpointer b) {
    const json_t *const *first = a, *const *second = b;
    uint32_t line = line_of_place(*first), other = line_of_place(*second);
    return (line > other) - (line < other);
}

static void find_places(struct search *search) {
    json_t *place;
    size_t i;
    json_array_foreach(json_object_get(search->kernel, "places"), i, place) {
        if (is_file(json_string_value(json_object_get(place, "file")), search->view->path))
            g_ptr_array_add(search->places, place);
    }
    g_ptr_array_sort(search->places, compare_places);
}

static void find_launches(struct search *search, const struct gcl_unit_file *source) {
    const char *name = gcl_name_last(json_string_value(json_object_get(search->kernel, "kernel")));
    size_t length = strcspn(name, "<(");
    for (guint i = 0; source && i < source->launches->len; i++) {
        struct gcl_source_launch *launch =
            &g_array_index(source->launches, struct gcl_source_launch, i);
        g_autofree char *own = launch->in_macro ? NULL : gcl_launches_name(search->view, launch);
        if (own && strlen(own) == length && strncmp(own, name, length) == 0)
            g_ptr_array_add(search->launches, launch);
    }
}

// The name of the macro in whose body the byte is.
static char *macro_around(const char *bytes, uint32_t offset) {
    static const char define[] = "define";
    const char *at = bytes + offset;
    while (at > bytes && *at != '#')
        at--;
    at++;
    at += strspn(at, " \t");
    if (strncmp(at, define, sizeof define - 1) != 0)
        return NULL;
    at += sizeof define - 1;
    at += strspn(at, " \t");
    return g_strndup(at, strcspn(at, " \t("));
}

static GPtrArray *find_macros(const struct gcl_source_unit *unit) {
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (guint s = 0; s < unit->sources->len; s++) {
        const struct gcl_unit_file *source = unit->sources->pdata[s];
        const char *bytes = g_bytes_get_data(gcl_unit_file_text(source), NULL);
        for (guint i = 0; i < source->launches->len; i++) {
            const struct gcl_source_launch *launch =
                &g_array_index(source->launches, struct gcl_source_launch, i);
            char *name = launch->in_macro ? macro_around(bytes, launch->chevrons.begin) : NULL;
            if (name)
                g_ptr_array_add(names, name);
        }
    }
    return names;
}

static bool uses_macro(const struct search *search, uint32_t line) {
    const struct gcl_line_table *text = search->view->text;
    uint32_t begin, end;
    if (line >= text->begins->len)
        return false;
    gcl_line_table_line(text, line, &begin, &end);
    g_autofree char *whole = g_strndup(gcl_line_table_data(text, NULL) + begin, end - begin);
    for (guint i = 0; i < search->macros->len; i++) {
        g_autofree char *pattern =
            g_strdup_printf("\\b%s\\b", (const char *)search->macros->pdata[i]);
        if (g_regex_match_simple(pattern, whole, 0, 0))
            return true;
    }
    return false;
}

static guint count_launches(const struct search *search, uint32_t line) {
    guint count = 0;
    for (guint i = 0; i < search->launches->len; i++)
        count += is_at(search, search->launches->pdata[i], line);
    return count;
}

static bool can_launch(const struct search *search, uint32_t line) {
    return count_launches(search, line) > 0 || uses_macro(search, line);
}

static json_t *place_of(const struct search *search, const struct gcl_source_launch *launch) {
    for (guint i = 0; i < search->places->len; i++) {
        if (is_at(search, launch, line_of_place(search->places->pdata[i])))
            return search->places->pdata[i];
    }
    return NULL;
}

// Whether there are launches where nothing ran, and something ran where no launch is.
static bool has_changed(const struct search *search) {
    bool is_new = false, is_gone = false;
    for (guint i = 0; i < search->launches->len; i++)
        is_new |= !place_of(search, search->launches->pdata[i]);
    for (guint i = 0; i < search->places->len; i++)
        is_gone |= !can_launch(search, line_of_place(search->places->pdata[i]));
    return is_new && is_gone;
}

static void add_launch(GArray *found, const struct gcl_source_launch *launch, json_t *sum,
                       enum gcl_traced_by by) {
    const struct gcl_traced traced = {launch->kernel, sum, by};
    g_array_append_val(found, traced);
}

// Adds every launch that ran, by its line.
static void add_placed(const struct search *search, GArray *found) {
    for (guint i = 0; i < search->launches->len; i++) {
        const struct gcl_source_launch *launch = search->launches->pdata[i];
        json_t *place = place_of(search, launch);
        bool is_shared = place && count_launches(search, line_of_place(place)) > 1;
        if (place)
            add_launch(found, launch, place, is_shared ? GCL_TRACED_BY_NAME : GCL_TRACED_BY_LINE);
    }
}

// Adds what macros launch, where they are used.
static void add_others(const struct search *search, GArray *found) {
    const struct gcl_line_table *text = search->view->text;
    for (guint i = 0; i < search->places->len; i++) {
        json_t *place = search->places->pdata[i];
        struct gcl_traced traced = {.sum = place};
        uint32_t line = line_of_place(place);
        if (count_launches(search, line) > 0 || !uses_macro(search, line))
            continue;
        gcl_line_table_line(text, line, &traced.range.begin, &traced.range.end);
        g_array_append_val(found, traced);
    }
}

static void add_kernel(const struct search *search, GArray *found) {
    bool is_placed = json_array_size(json_object_get(search->kernel, "places")) > 0;
    guint count = search->launches->len;
    if (is_placed && !has_changed(search)) {
        add_placed(search, found);
        add_others(search, found);
        return;
    }
    // Launches in macros have a place, too.
    bool is_ordered = is_placed && search->macros->len == 0 && search->places->len == count;
    enum gcl_traced_by by = is_ordered ? GCL_TRACED_BY_ORDER : GCL_TRACED_BY_NAME;
    for (guint i = 0; i < count; i++)
        add_launch(found, search->launches->pdata[i],
                   is_ordered ? search->places->pdata[i] : search->kernel, by);
}

static gint compare(gconstpointer a, gconstpointer b) {
    const struct gcl_traced *first = a, *second = b;
    return (first->range.begin > second->range.begin) - (first->range.begin < second->range.begin);
}

const char *gcl_traced_by_name(enum gcl_traced_by by) {
    static const char *const names[] = {"line", "order", "name"};
    assert((size_t)by < G_N_ELEMENTS(names));
    return names[by];
}

GArray *gcl_traced_find(const struct gcl_view *view, const json_t *kernels) {
    GArray *found = g_array_new(FALSE, FALSE, sizeof(struct gcl_traced));
    assert(view->is_current && view->unit);
    const struct gcl_unit_file *source = gcl_unit_find(view->unit, view->path);
    g_autoptr(GPtrArray) macros = find_macros(view->unit);
    json_t *kernel;
    size_t i;
    json_array_foreach((json_t *)kernels, i, kernel) {
        struct search search = {view, macros, kernel, g_ptr_array_new(), g_ptr_array_new()};
        find_places(&search);
        find_launches(&search, source);
        add_kernel(&search, found);
        g_ptr_array_unref(search.places);
        g_ptr_array_unref(search.launches);
    }
    g_array_sort(found, compare);
    return found;
}
