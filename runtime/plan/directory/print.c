// Regions that are no plain runs stand in parentheses, since their text has numbers and spaces.
#include "plan/directory/print.h"

#include <inttypes.h>

void gcl_print_name(const struct gcl_names *names, uint64_t begin, FILE *out) {
    if (names->of)
        fputs(names->of(names->context, begin), out);
    else
        fprintf(out, "0x%" PRIx64, begin);
}

void gcl_print_region(const struct gcl_region *region, FILE *out) {
    const struct gcl_strided *boxes = gcl_region_boxes(region);
    char text[512];
    bool has_boxes = false;
    for (size_t i = 0; i < gcl_region_box_count(region); i++)
        has_boxes |= gcl_strided_depth(&boxes[i]) > 0;
    gcl_region_format(region, text, sizeof text);
    fprintf(out, has_boxes ? "(%s)" : "%s", text);
}

void gcl_print_nodes(uint32_t begin, uint32_t end, FILE *out) {
    fprintf(out, "%" PRIu32, begin);
    if (end - begin > 1)
        fprintf(out, " to %" PRIu32, end - 1);
}

/// Prints where the bytes of an allocation are valid.
static void print_layout(const struct gcl_layout *layout, FILE *out) {
    const char *between = "";
    for (uint32_t begin = 0, end; begin < layout->node_count; begin = end) {
        for (end = begin + 1; end < layout->node_count; end++) {
            if (!gcl_region_equal(&layout->held[begin], &layout->held[end]))
                break;
        }
        if (gcl_region_is_empty(&layout->held[begin]))
            continue;
        fputs(between, out);
        gcl_print_region(&layout->held[begin], out);
        fputs(" on ", out);
        gcl_print_nodes(begin, end, out);
        between = ", ";
    }
    if (gcl_region_is_empty(&layout->held[layout->node_count]))
        return;
    fputs(between, out);
    gcl_print_region(&layout->held[layout->node_count], out);
    fprintf(out, " filled with %u", layout->fill);
}

void gcl_directory_print(struct gcl_directory *directory, const struct gcl_names *names,
                         FILE *out) {
    static const char *const uses[] = {
        [GCL_HOST_NEVER] = "", [GCL_HOST_UNSEEN] = " host", [GCL_HOST_GUARDED] = " guarded"};
    size_t count;
    const struct gcl_directory_entry *entries = gcl_directory_entries(directory, &count);
    for (size_t i = 0; i < count; i++) {
        gcl_print_name(names, entries[i].begin, out);
        fprintf(out, " %" PRIu64 " bytes%s: ", entries[i].size, uses[entries[i].use]);
        print_layout(entries[i].layout, out);
        fputc('\n', out);
    }
}
