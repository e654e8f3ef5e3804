// Device code inside object files: with -rdc=true an object carries its device IR in a section, to
// be compiled when all objects of a program are known.
#ifndef GCL_DRIVER_OBJECTS_H
#define GCL_DRIVER_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

/// The section with device IR, and the mark of an object that holds code linked from such sections.
/// Both are left out by ld.
#define GCL_SECTION_IR ".gcl.ir"
#define GCL_SECTION_LINKED ".gcl.linked"

/// The device IR of one source file.
struct gcl_object_ir {
    char *unit_id;
    char *source;
    char *text;
    size_t size;
    char *shapes;  ///< block sizes of the launches in it, as gcl_shapes_format writes them
    char *pragmas; ///< as gcl_pragmas_format writes them
};

/// What the objects given to gcl_objects_read hold together.
struct gcl_objects {
    GPtrArray *irs; ///< struct gcl_object_ir *
    bool linked;    ///< one of them holds linked code
};

void gcl_objects_init(struct gcl_objects *objects);
void gcl_objects_finish(struct gcl_objects *objects);

/// Adds what an object or the members of an archive hold. Other files hold nothing.
void gcl_objects_read(struct gcl_objects *objects, const char *path);

/// Device IR in which every use of a static variable has the name of its definition. clang 19 gives
/// a static variable that host code uses a name of its own (`x__static__1a2b`), but functions that
/// it has compiled before it saw that use still call it `x`. To be freed.
char *gcl_object_mend_names(const char *ir);

/// The content of GCL_SECTION_IR for one source; `unit_id` has no spaces. ld may join the sections
/// of several objects.
char *gcl_object_ir_pack(const struct gcl_object_ir *ir, size_t *packed_size);

/// Symbols (char *) that an object or a shared library needs from elsewhere, weak ones apart; none
/// of a file that can't be read.
GPtrArray *gcl_object_list_undefined(const char *path);

#endif
