// Each capability is a field that others ask for by name; how LSP spells it is known here only.
#include "lsp/server/capabilities.h"

#include <string.h>

#include "config.h"
#include "lsp/base/colours.h"

// Follows names down, "a/b/c".
static const json_t *follow(const json_t *object, const char *path) {
    g_auto(GStrv) names = g_strsplit(path, "/", -1);
    for (char **name = names; *name; name++)
        object = json_object_get(object, *name);
    return object;
}

// The first that we know of those that the editor offers, in its order; without, UTF-16.
static enum gcl_encoding choose_encoding(const json_t *capabilities) {
    enum gcl_encoding encoding = GCL_ENCODING_UTF16;
    json_t *name;
    size_t i;
    json_array_foreach((json_t *)follow(capabilities, "general/positionEncodings"), i, name) {
        if (gcl_encoding_parse(json_string_value(name), &encoding))
            break;
    }
    return encoding;
}

struct gcl_abilities gcl_capabilities_read(const json_t *capabilities) {
    return (struct gcl_abilities){
        .encoding = choose_encoding(capabilities),
        .confirms = json_is_true(follow(capabilities, "workspace/workspaceEdit/documentChanges")) &&
                    follow(capabilities, "workspace/workspaceEdit/changeAnnotationSupport"),
        .explains_refusals =
            json_is_true(follow(capabilities, "textDocument/codeAction/disabledSupport")),
        .inserts_snippets = json_is_true(
            follow(capabilities, "textDocument/completion/completionItem/snippetSupport")),
        .refreshes_colours =
            json_is_true(follow(capabilities, "workspace/semanticTokens/refreshSupport")),
        .refreshes_lenses = json_is_true(follow(capabilities, "workspace/codeLens/refreshSupport")),
        .registers_settings = json_is_true(
            follow(capabilities, "workspace/didChangeConfiguration/dynamicRegistration")),
        .shows_progress = json_is_true(follow(capabilities, "window/workDoneProgress")),
        .tells_settings = json_is_true(follow(capabilities, "workspace/configuration")),
        .watches_files = json_is_true(
            follow(capabilities, "workspace/didChangeWatchedFiles/dynamicRegistration")),
    };
}

static json_t *folders(void) {
    return json_pack("{s:{s:b, s:b}}", "workspaceFolders", "supported", 1, "changeNotifications",
                     1);
}

// What needs no more than a yes.
static void add_providers(json_t *ours) {
    static const char *const names[] = {"callHierarchyProvider",
                                        "declarationProvider",
                                        "definitionProvider",
                                        "documentFormattingProvider",
                                        "documentHighlightProvider",
                                        "documentRangeFormattingProvider",
                                        "documentSymbolProvider",
                                        "foldingRangeProvider",
                                        "hoverProvider",
                                        "implementationProvider",
                                        "inlayHintProvider",
                                        "referencesProvider",
                                        "selectionRangeProvider",
                                        "typeDefinitionProvider",
                                        "typeHierarchyProvider",
                                        "workspaceSymbolProvider"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        json_object_set_new(ours, names[i], json_true());
    json_object_set_new(ours, "codeActionProvider",
                        json_pack("{s:[s, s, s, s]}", "codeActionKinds", "quickfix",
                                  "refactor.extract", "refactor.rewrite", "source"));
    json_object_set_new(ours, "codeLensProvider", json_object());
    json_object_set_new(ours, "completionProvider",
                        json_pack("{s:[s, s, s, s, s, s], s:b}", "triggerCharacters", ".", ">", ":",
                                  "<", "\"", "/", "resolveProvider", 1));
    json_object_set_new(ours, "documentLinkProvider", json_object());
    json_object_set_new(
        ours, "documentOnTypeFormattingProvider",
        json_pack("{s:s, s:[s]}", "firstTriggerCharacter", "}", "moreTriggerCharacter", ";"));
    json_object_set_new(ours, "executeCommandProvider",
                        json_pack("{s:[s, s, s, s]}", "commands", "gcluster.explain",
                                  "gcluster.includer", "gcluster.trace",
                                  "gcluster.translatedLine"));
    json_object_set_new(ours, "renameProvider", json_pack("{s:b}", "prepareProvider", 1));
    json_object_set_new(ours, "semanticTokensProvider",
                        json_pack("{s:o, s:{s:b}, s:b}", "legend", gcl_colours_legend(), "full",
                                  "delta", 1, "range", 1));
    json_object_set_new(ours, "signatureHelpProvider",
                        json_pack("{s:[s, s, s]}", "triggerCharacters", "(", ",", "<"));
}

json_t *gcl_capabilities_answer(const struct gcl_abilities *can) {
    json_t *ours = json_pack("{s:s, s:{s:b, s:i, s:b}, s:o}", "positionEncoding",
                             gcl_encoding_name(can->encoding), "textDocumentSync", "openClose", 1,
                             "change", 2, "save", 1, "workspace", folders());
    add_providers(ours);
    return json_pack("{s:o, s:{s:s, s:s}}", "capabilities", ours, "serverInfo", "name",
                     "gcluster-lsp", "version", GCL_VERSION);
}

static json_t *watch_files(void) {
    static const char *const patterns[] = {
        "**/*.{cu,cuh,h,hh,hpp,hxx,inl,c,cc,cpp,cxx}", "**/.clang-tidy", "**/compile_commands.json",
        "**/compile_flags.txt", "**/{GNUmakefile,makefile,Makefile}"};
    json_t *watchers = json_array();
    for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++)
        json_array_append_new(watchers, json_pack("{s:s}", "globPattern", patterns[i]));
    return json_pack("{s:s, s:s, s:{s:o}}", "id", "files", "method",
                     "workspace/didChangeWatchedFiles", "registerOptions", "watchers", watchers);
}

json_t *gcl_capabilities_registrations(const struct gcl_abilities *can) {
    json_t *list = json_array();
    if (can->watches_files)
        json_array_append_new(list, watch_files());
    if (can->registers_settings)
        json_array_append_new(list, json_pack("{s:s, s:s, s:{s:s}}", "id", "settings", "method",
                                              "workspace/didChangeConfiguration", "registerOptions",
                                              "section", "gcluster"));
    return list;
}
