#include "lsp/tidy/yaml.h"

#include <stddef.h>
#include <string.h>

#include <yaml.h>

#include "lsp/base/json.h"

struct reader {
    yaml_document_t document;
    ptrdiff_t left; // nodes: there are more only if aliases name some again and again
};

static json_t *read_node(struct reader *reader, int index);

static json_t *read_sequence(struct reader *reader, const yaml_node_t *node) {
    json_t *list = json_array();
    for (const int *item = node->data.sequence.items.start; item < node->data.sequence.items.top;
         item++)
        json_array_append_new(list, read_node(reader, *item));
    return list;
}

static json_t *read_mapping(struct reader *reader, const yaml_node_t *node) {
    json_t *object = json_object();
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        json_t *key = read_node(reader, pair->key), *value = read_node(reader, pair->value);
        if (json_is_string(key))
            json_object_set(object, json_string_value(key), value);
        json_decref(key);
        json_decref(value);
    }
    return object;
}

static json_t *read_node(struct reader *reader, int index) {
    const yaml_node_t *node = yaml_document_get_node(&reader->document, index);
    if (!node || reader->left-- <= 0)
        return json_null();
    if (node->type == YAML_SEQUENCE_NODE)
        return read_sequence(reader, node);
    return node->type == YAML_MAPPING_NODE ? read_mapping(reader, node)
                                           : gcl_json_text((char *)node->data.scalar.value);
}

json_t *gcl_yaml_parse(const char *text) {
    yaml_parser_t parser;
    struct reader reader;
    json_t *value = NULL;
    if (!yaml_parser_initialize(&parser))
        return NULL;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
    if (yaml_parser_load(&parser, &reader.document)) {
        reader.left = reader.document.nodes.top - reader.document.nodes.start;
        if (reader.left > 0)
            value = read_node(&reader, 1); // the root
        yaml_document_delete(&reader.document);
    }
    yaml_parser_delete(&parser);
    return value;
}
