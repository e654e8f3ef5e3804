// A rule is a pattern for clang's text, with `*` for what varies, and what one of its notes or the
// line of the source has to contain beside. The first rule that fits decides. What stands for the
// first `*` is the name that the rule's message speaks of.
//
// clang says in notes which side a function is for, on the candidates of a call that it refuses: a
// candidate of the other side is one only if nothing else is amiss with it.
#include "frontend/mistakes.h"

#include <string.h>

#include "support/support.h"

struct rule {
    const char *text;
    const char *note; // NULL: any
    const char *line; // NULL: any
    enum gcl_diagnostic_code code;
    const char *message; // NULL: nothing is to be said
    const char *help;
};

#define TO_DEVICE "call to __device__ function from __host__ "
#define TO_HOST "call to __host__ function from __"

#define IN_HOST "'%s' is for device code, and this function runs on the host"
#define IN_BOTH "'%s' is for device code, and the host may call this function"
#define IN_DEVICE "'%s' is a function of the host, which device code can't call"
#define OF_CLASS "'%s' is a class of the host: device code can't call its functions"
#define STREAMS "streams of C++ belong to the host: device code can't write to them"
#define IN_BRACKETS "use extern __shared__ and give the bytes as the third argument of <<<>>>"

static const struct rule rules[] = {
    {"cannot find suitable getter for property '*'", NULL, NULL, 0, NULL, NULL},
    {"reference to __device__ function '__get_*' in __host__ function", NULL, NULL,
     GCL_CODE_DEVICE_IN_HOST, IN_HOST, NULL},
    {"reference to __device__ function '__get_*' in __host__ __device__ function", NULL, NULL,
     GCL_CODE_DEVICE_IN_HOST, IN_BOTH,
     "make the function __device__ alone, or put this within #ifdef __CUDA_ARCH__"},
    {"no matching function for call to '*'", TO_DEVICE, NULL, GCL_CODE_DEVICE_IN_HOST, IN_HOST,
     NULL},
    {"reference to __device__ function '*' in __host__ function", NULL, NULL,
     GCL_CODE_DEVICE_IN_HOST, IN_HOST, NULL},
    {"reference to __device__ function '*' in __host__ __device__ function", NULL, NULL,
     GCL_CODE_DEVICE_IN_HOST, IN_BOTH, NULL},
    {"invalid operands to binary expression ('*ostream*'*", TO_HOST, NULL, GCL_CODE_HOST_IN_DEVICE,
     STREAMS, "printf() works in kernels"},
    {"reference to __host__ variable 'cout' in *", NULL, NULL, GCL_CODE_HOST_IN_DEVICE, STREAMS,
     "printf() works in kernels"},
    {"reference to __host__ variable 'cerr' in *", NULL, NULL, GCL_CODE_HOST_IN_DEVICE, STREAMS,
     "printf() works in kernels"},
    {"no matching function for call to '*'", TO_HOST, NULL, GCL_CODE_HOST_IN_DEVICE, IN_DEVICE,
     NULL},
    {"reference to __host__ function '*' in *", NULL, NULL, GCL_CODE_HOST_IN_DEVICE, IN_DEVICE,
     NULL},
    {"no matching constructor for initialization of '*'", TO_HOST, NULL, GCL_CODE_HOST_IN_DEVICE,
     OF_CLASS, NULL},
    {"no matching member function for call to '*'", TO_HOST, NULL, GCL_CODE_HOST_IN_DEVICE,
     IN_DEVICE, NULL},
    {"no viable overloaded operator[] for type '*'", TO_HOST, NULL, GCL_CODE_HOST_IN_DEVICE,
     OF_CLASS, NULL},
    {"reference to __host__ variable '*' in *", NULL, NULL, GCL_CODE_HOST_VARIABLE,
     GCL_HOST_VARIABLE, GCL_HOST_VARIABLE_HELP},
    {"call to global function '*' not configured", NULL, NULL, GCL_CODE_NOT_LAUNCHED,
     "'%s' is a kernel, and is called without a launch configuration",
     "write <<<blocks, threads>>> before the arguments"},
    {"kernel function type '*' must have void return type", NULL, NULL, GCL_CODE_NOT_A_KERNEL,
     "kernel returns a value: its type is '%s'",
     "let it return void, and write the result to where an argument points"},
    {"kernel call to non-global function '*'", NULL, NULL, GCL_CODE_NOT_A_KERNEL,
     "'%s' is launched and is no kernel", "write __global__ before its declaration"},
    {"kernel function '*' must be a free function or static member function", NULL, NULL,
     GCL_CODE_NOT_A_KERNEL, "kernel '%s' is a member of objects",
     "declare it outside of the class, and pass what it needs of the object as arguments"},
    {"initialization is not supported for __shared__ variables", NULL, NULL,
     GCL_CODE_SHARED_VARIABLE, "shared variable with an initial value",
     "let one thread assign the value, and call __syncthreads() before others read it"},
    {"variable length array declaration cannot have 'static' storage duration", NULL, "__shared__",
     GCL_CODE_SHARED_VARIABLE, "shared array of a size that isn't constant", IN_BRACKETS},
    {"cannot use variable-length arrays in *", NULL, "__shared__", 0, NULL, NULL},
    {"cannot use variable-length arrays in *", NULL, NULL, GCL_CODE_VARIABLE_LENGTH,
     GCL_VARIABLE_LENGTH, GCL_VARIABLE_LENGTH_HELP},
    {"redeclaration of '*' with a different type: *", NULL, "extern __shared__",
     GCL_CODE_SHARED_VARIABLE, "'%s' is the one dynamic shared array, and has another type before",
     "give each type an array of its own name; in a template, declare one of bytes and cast its "
     "address"},
    {"no matching function for call to 'cudaMalloc*'", "to 'void **' for 1st argument", NULL,
     GCL_CODE_POINTER_ITSELF, "'cudaMalloc%s' sets a pointer, and is given its value",
     "give its address: &pointer"},
};

/// What does on one side what a name does on the other.
struct counterpart {
    const char *name; // `*` as in rules
    const char *help;
};

static const struct counterpart in_host[] = {
    {"threadIdx*", "use it in a kernel; on the host a loop counts"},
    {"blockIdx*", "use it in a kernel; on the host a loop counts"},
    {"blockDim*", "the host knows it from the launch: the second argument of <<<>>>"},
    {"gridDim*", "the host knows it from the launch: the first argument of <<<>>>"},
    {"__syncthreads*", "the host waits for kernels with cudaDeviceSynchronize()"},
    {"__syncwarp", "the host waits for kernels with cudaDeviceSynchronize()"},
    {"atomic*", "the host has std::atomic"},
    {"__threadfence*", "the host has std::atomic_thread_fence()"},
};

static const struct counterpart in_device[] = {
    {"std::vector<*", "pass a pointer to memory of cudaMalloc(), and the number of elements"},
    {"std::basic_string<*", "pass a pointer to characters in memory of cudaMalloc()"},
    {"std::string", "pass a pointer to characters in memory of cudaMalloc()"},
    {"std::*", "pass what it holds as arrays in memory of cudaMalloc()"},
    {"*printf", "printf() works in kernels"},
    {"puts", "printf() works in kernels"},
    {"exit", "return ends a thread, __trap() the kernel"},
    {"abort", "return ends a thread, __trap() the kernel"},
    {"rand", "curand_kernel.h has random numbers for kernels"},
    {"srand", "curand_kernel.h has random numbers for kernels"},
    {"clock_gettime", "clock64() counts in kernels"},
};

/// Stars match any text, as little as can be. Sets `first`, to be freed, to the text of the first.
static bool matches(const char *pattern, const char *text, char **first) {
    const char *star = strchr(pattern, '*');
    if (!star)
        return strcmp(pattern, text) == 0;
    if (strncmp(pattern, text, (size_t)(star - pattern)) != 0)
        return false;
    const char *begin = text + (star - pattern);
    for (const char *end = begin;; end++) {
        if (matches(star + 1, end, NULL)) {
            if (first)
                *first = g_strndup(begin, (gsize)(end - begin));
            return true;
        }
        if (!*end)
            return false;
    }
}

static const char *find_counterpart(const struct counterpart *table, size_t count,
                                    const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (matches(table[i].name, name, NULL))
            return table[i].help;
    }
    return NULL;
}

// Whether a candidate of the caller's own side is refused for another reason: then that is the
// mistake.
static bool is_for_side(const struct rule *rule, const char *notes) {
    bool of_sides = rule->note && strstr(rule->note, "call to __") == rule->note;
    return !of_sides || strcmp(rule->message, STREAMS) == 0 ||
           !strstr(notes, "no known conversion");
}

static const struct rule *find_rule(const struct gcl_mistake_said *said, char **name) {
    for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
        const struct rule *rule = &rules[i];
        if ((!rule->note || strstr(said->notes, rule->note)) &&
            (!rule->line || strstr(said->line, rule->line)) && is_for_side(rule, said->notes) &&
            matches(rule->text, said->text, name))
            return rule;
    }
    return NULL;
}

static bool is_word(char c) {
    return g_ascii_isalnum(c) || c == '_';
}

// `threadIdx.x` of which clang means the `x`, or only asks for its getter: the whole, with its
// place.
static void take_index(const struct gcl_mistake_said *said, struct gcl_mistake *mistake,
                       char **name) {
    size_t size = strlen(said->line), end = MIN(said->column, size), begin = end;
    while (begin > 0 && (is_word(said->line[begin - 1]) || strchr(" .", said->line[begin - 1])))
        begin--;
    while (begin < end && said->line[begin] == ' ')
        begin++;
    g_autofree char *found = g_strndup(said->line + begin, end - begin);
    const char *word = strrchr(found, ' ');
    word = word && !strchr(word, '.') ? found : word ? word + 1 : found;
    if (!find_counterpart(in_host, G_N_ELEMENTS(in_host), word))
        return;
    g_free(*name);
    *name = g_strdup(word);
    mistake->column = (uint32_t)(begin + (size_t)(word - found)) + 1;
    mistake->length = (uint32_t)strlen(word);
}

// The name that the message speaks of, if it stands at clang's place, is what is underlined.
static void underline(const struct gcl_mistake_said *said, const char *name,
                      struct gcl_mistake *mistake) {
    size_t size = strlen(said->line), begin = said->column ? said->column - 1 : 0;
    if (begin < size && *name && g_str_has_prefix(said->line + begin, name))
        mistake->length = (uint32_t)strlen(name);
}

// CUDA's name for a function of our headers that has another there.
static void rename_ours(char **name) {
    if (g_strcmp0(*name, "__gcl_syncthreads") == 0) {
        g_free(*name);
        *name = g_strdup("__syncthreads");
    }
}

// Whether the function that a note means stands in a header of the system's.
static bool is_foreign(const char *notes) {
    const char *side = strstr(notes, "call to __host__ function");
    const char *begin = side ? g_strrstr_len(notes, side - notes, "\n") : NULL;
    begin = begin ? begin + 1 : notes;
    return strncmp(begin, "/usr/", 5) == 0 || strstr(begin, "/include/c++/") ||
           strstr(begin, "/lib/gcc/");
}

static const char *help_of(const struct rule *rule, const char *name, const char *notes) {
    const char *help = NULL;
    if (rule->help)
        return rule->help;
    if (rule->code == GCL_CODE_DEVICE_IN_HOST) {
        help = find_counterpart(in_host, G_N_ELEMENTS(in_host), name);
        return help ? help
               : gcl_support_find(name).level != GCL_SUPPORT_UNKNOWN
                   ? "call it in a kernel"
                   : "declare it __host__ __device__ if both sides are to call it";
    }
    help = find_counterpart(in_device, G_N_ELEMENTS(in_device), name);
    return help                ? help
           : is_foreign(notes) ? "do it on the host, and pass the result to the kernel"
                               : "declare it __host__ __device__ if both sides are to call it";
}

static bool is_of_runtime(const char *name) {
    return g_str_has_prefix(name, "cuda") && g_ascii_isupper(name[4]);
}

enum gcl_mistake_kind gcl_mistake_find(const struct gcl_mistake_said *said,
                                       struct gcl_mistake *mistake) {
    g_autofree char *name = NULL;
    const struct rule *rule = find_rule(said, &name);
    if (!rule)
        return GCL_MISTAKE_OTHER;
    if (!rule->message)
        return GCL_MISTAKE_FOLLOWS;
    *mistake = (struct gcl_mistake){.code = rule->code, .column = said->column, .length = 1};
    rename_ours(&name);
    underline(said, name ? name : "", mistake);
    if (rule->code == GCL_CODE_HOST_IN_DEVICE && is_of_runtime(name)) {
        mistake->code = GCL_CODE_HOST_CALL_IN_KERNEL;
        mistake->message = g_strdup_printf("'%s' called from device code", name);
        mistake->help = "call it from the host; device code has no runtime to call";
        return GCL_MISTAKE_KNOWN;
    }
    if (strstr(rule->text, "'__get_*'"))
        take_index(said, mistake, &name);
    mistake->message = g_strdup_printf(rule->message, name);
    mistake->help = help_of(rule, name, said->notes);
    return GCL_MISTAKE_KNOWN;
}

char *gcl_mistake_in_instance(const char *text, const char *note, const char *path, uint32_t line) {
    const char *name = g_str_has_suffix(note, "' requested here") ? strchr(note, '\'') : NULL;
    g_autofree char *file = g_path_get_basename(path);
    if (!name || !g_str_has_prefix(note, "in instantiation of "))
        return NULL;
    size_t size = strlen(name) - strlen("' requested here");
    return g_strdup_printf("%s, in %.*s (%s:%u)", text, (int)(size - 1), name + 1, file, line);
}
