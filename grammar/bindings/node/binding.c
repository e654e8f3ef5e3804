// The grammar as a module of Node's: an object whose `language` is the pointer that the package
// tree-sitter takes.
#include <node_api.h>

typedef struct TSLanguage TSLanguage;
const TSLanguage *tree_sitter_cuda(void);

// By this tag the package tree-sitter knows a pointer to a grammar from any other one.
static const napi_type_tag LANGUAGE_TAG = {0x8AF2E5212AD58ABF, 0xD5006CAD83ABBA16};

static napi_value init(napi_env env, napi_value exports) {
    napi_value language, name;
    void *pointer = (void *)(size_t)tree_sitter_cuda();
    if (napi_create_external(env, pointer, NULL, NULL, &language) != napi_ok ||
        napi_type_tag_object(env, language, &LANGUAGE_TAG) != napi_ok ||
        napi_create_string_utf8(env, "cuda", NAPI_AUTO_LENGTH, &name) != napi_ok ||
        napi_set_named_property(env, exports, "name", name) != napi_ok ||
        napi_set_named_property(env, exports, "language", language) != napi_ok) {
        napi_throw_error(env, NULL, "tree-sitter-cuda: the grammar can't be given to Node");
        return NULL;
    }
    return exports;
}

NAPI_MODULE(tree_sitter_cuda_binding, init)
