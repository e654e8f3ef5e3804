// Nothing but a change of form: sections in, inputs of the code generator out.
#include "device_link.h"

#include <stdio.h>
#include <string.h>

#include "base/diagnostic.h"
#include "base/pragma.h"
#include "base/shape.h"
#include "device/device.h"
#include "explanations.h"
#include "gpu_options.h"

// The archive that -l<name> means: a shared library in the same folder comes before it.
static char *find_archive(const struct gcl_options *options, const char *name) {
    for (guint i = 0; i < options->link->len; i++) {
        const char *word = options->link->pdata[i];
        if (!g_str_has_prefix(word, "-L"))
            continue;
        g_autofree char *shared = g_strdup_printf("%s/lib%s.so", word + 2, name);
        g_autofree char *archive = g_strdup_printf("%s/lib%s.a", word + 2, name);
        if (g_file_test(shared, G_FILE_TEST_EXISTS))
            return NULL;
        if (g_file_test(archive, G_FILE_TEST_EXISTS))
            return g_steal_pointer(&archive);
    }
    return NULL;
}

bool gcl_device_link_collect(const struct gcl_options *options, const GPtrArray *paths,
                             struct gcl_objects *objects) {
    for (guint i = 0; i < paths->len; i++)
        gcl_objects_read(objects, paths->pdata[i]);
    for (guint i = 0; i < options->link->len; i++) {
        const char *word = options->link->pdata[i];
        g_autofree char *archive =
            g_str_has_prefix(word, "-l") ? find_archive(options, word + 2) : NULL;
        if (archive)
            gcl_objects_read(objects, archive);
    }
    return objects->irs->len > 0 && !objects->linked;
}

static void unref_list(gpointer list) {
    g_ptr_array_unref(list);
}

int gcl_device_link_run(void *context) {
    const struct gcl_device_link *link = context;
    const GPtrArray *irs = link->objects->irs;
    g_autofree struct gcl_device_input *inputs = g_new0(struct gcl_device_input, irs->len);
    g_autoptr(GArray) shapes = gcl_shapes_create();
    g_autoptr(GPtrArray) pragmas = g_ptr_array_new_with_free_func(unref_list);
    for (guint i = 0; i < irs->len; i++) {
        const struct gcl_object_ir *ir = irs->pdata[i];
        GPtrArray *said = gcl_pragmas_create();
        gcl_pragmas_read(said, ir->pragmas);
        g_ptr_array_add(pragmas, said);
        inputs[i] = (struct gcl_device_input){ir->text, ir->size, ir->unit_id, ir->source, said};
        gcl_shapes_parse(shapes, ir->shapes);
    }
    GArray *explanations = gcl_explanations_create(link->options);
    bool only_shows = link->options->phase == GCL_PHASE_DUMP;
    GPtrArray *diagnostics = gcl_diagnostics_create();
    struct gcl_gpu_options gpu;
    struct gcl_device_options options = {
        .gpu = gcl_gpu_options_init(&gpu, link->options, link->output, diagnostics),
        .cpu = link->options->march,
        .shapes = shapes,
        .optimization_level = link->options->device_debug ? 0 : 3,
        .debug = gcl_options_debug_kernels(link->options),
        .lines = gcl_options_describe_lines(link->options),
        .scalar = link->options->scalar,
        .sanitize = link->options->sanitize,
        .remarks = link->options->vector_remarks,
        .dump = only_shows ? link->options->dump : NULL,
        .only_analyses = only_shows && !gcl_options_dump_code(link->options),
        .costs = link->options->explain == GCL_EXPLAIN_JSON,
        .explanations = explanations,
    };
    bool good = gcl_device_compile(&options, inputs, irs->len, link->output, diagnostics);
    gcl_gpu_options_finish(&gpu);
    bool written = gcl_explanations_write(explanations, link->options, link->explain_file);
    g_clear_pointer(&explanations, g_array_unref);
    gcl_diagnostics_print(diagnostics, stderr, link->colour);
    g_ptr_array_unref(diagnostics);
    return good && written ? 0 : 1;
}
