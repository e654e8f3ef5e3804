// The grammar as a module of Python's, whose `language()` gives the capsule that the package
// tree_sitter takes.
#include <Python.h>

typedef struct TSLanguage TSLanguage;
const TSLanguage *tree_sitter_cuda(void);

static PyObject *language(PyObject *self, PyObject *arguments) {
    (void)self, (void)arguments;
    return PyCapsule_New((void *)(size_t)tree_sitter_cuda(), "tree_sitter.Language", NULL);
}

static PyMethodDef methods[] = {
    {"language", language, METH_NOARGS, "The grammar, for tree_sitter.Language."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "_binding", .m_size = 0,
                                    .m_methods = methods};

PyMODINIT_FUNC PyInit__binding(void);

PyMODINIT_FUNC PyInit__binding(void) {
    return PyModule_Create(&module);
}
