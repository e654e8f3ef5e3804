// OpenGL's functions come from the library that has made the context current: EGL's or GLX's. Only
// libraries that are in the process already are asked, since another one would know nothing of the
// program's contexts.
#include <dlfcn.h>

#include "api/gl/gl.h"

typedef void *(*ask_function)(void);
typedef void *(*find_function)(const char *name);

/// A library that contexts are made by, and what it calls what is needed of it.
static const struct window_system {
    const char *library, *current, *find;
} systems[] = {
    {"libEGL.so.1", "eglGetCurrentContext", "eglGetProcAddress"},
    {"libGLX.so.0", "glXGetCurrentContext", "glXGetProcAddressARB"},
    {"libGL.so.1", "glXGetCurrentContext", "glXGetProcAddressARB"},
};

/// How functions of the current context are found; NULL: there is none of this system.
static find_function find_by(const struct window_system *system) {
    void *library = dlopen(system->library, RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        return NULL;
    ask_function current = (ask_function)dlsym(library, system->current);
    find_function find = (find_function)dlsym(library, system->find);
    bool has_context = current && current() != NULL;
    dlclose(library); // the program's own reference keeps it
    return has_context ? find : NULL;
}

static bool fill(struct gcl_gl *gl, find_function find) {
#define FIND(type, name, parameters)                                                               \
    gl->name = (type(*) parameters)find("gl" #name);                                               \
    if (!gl->name)                                                                                 \
        return false;
    GCL_GL_FUNCTIONS(FIND)
#undef FIND
    return true;
}

bool gcl_gl_find(struct gcl_gl *gl) {
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        find_function find = find_by(&systems[i]);
        if (find)
            return fill(gl, find);
    }
    return false;
}
