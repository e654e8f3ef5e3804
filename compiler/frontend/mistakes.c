// A rule is a pattern for clang's text, with `*` and `?` for what varies, and what one of its notes
// or the line of the source has to contain beside. The first rule that fits decides. What stands
// for the first `*` is the name that the rule's message speaks of.
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
#define TO_KERNEL "call to __global__ function from __"
#define TO_HOST "call to __host__ function from __"

#define IN_HOST "'%s' is for device code, and this function runs on the host"
#define IN_BOTH "'%s' is for device code, and the host may call this function"
#define IN_DEVICE "'%s' is a function of the host, which device code can't call"
#define OF_CLASS "'%s' is a class of the host: device code can't call its functions"
#define OF_INDEX "write which: .x, .y or .z"
#define NO_NUMBER "'%s' is no number: it has x, y and z"
#define NO_OBJECT "'%s' can't be called in device code: its operator() is a function of the host"
#define ON_BOTH_SIDES "declare it __host__ __device__ if both sides are to call it"
#define STREAMS "streams of C++ belong to the host: device code can't write to them"
#define IN_BRACKETS "use extern __shared__ and give the bytes as the third argument of <<<>>>"

#define OF_DIMENSIONS "give it a dim3, or a number"
#define OF_SAMPLES(name) "'" name "' isn't part of CUDA: helper_cuda.h of its samples declares it"
#define SAMPLES "add their folder Common with -I, and include the header"

static const struct rule rules[] = {
    {"cannot find suitable getter for property '*'", NULL, NULL, 0, NULL, NULL},
    {"reference to __device__ function '__get_*' in __host__ function", NULL, NULL,
     GCL_CODE_DEVICE_IN_HOST, IN_HOST, NULL},
    {"reference to __device__ function '__get_*' in __host__ __device__ function", NULL, NULL,
     GCL_CODE_DEVICE_IN_HOST, IN_BOTH,
     "make the function __device__ alone, or put this within #ifdef __CUDA_ARCH__"},
    {"no member named '*' in '__gcl_*_t'", NULL, NULL, GCL_CODE_BUILT_IN,
     "there is no '%s': threadIdx, blockIdx, blockDim and gridDim have x, y and z", OF_INDEX},
    {"no viable overloaded operator[] for type '*'", NULL, "threadIdx]", GCL_CODE_BUILT_IN,
     NO_NUMBER, OF_INDEX},
    {"no viable overloaded operator[] for type '*'", NULL, "blockIdx]", GCL_CODE_BUILT_IN,
     NO_NUMBER, OF_INDEX},
    {"address of property expression requested", NULL, NULL, GCL_CODE_BUILT_IN,
     "threadIdx and its like lie in no memory: there is no address of them",
     "copy the value to a variable, and take the address of that"},
    {"no viable conversion from 'const __gcl_*_t' to *", NULL, NULL, GCL_CODE_BUILT_IN, NO_NUMBER,
     OF_INDEX},
    {"invalid operands to binary expression ('const __gcl_*_t'*", NULL, NULL, GCL_CODE_BUILT_IN,
     NO_NUMBER, OF_INDEX},
    {"invalid operands to binary expression (*'const __gcl_*_t')", NULL, NULL, GCL_CODE_BUILT_IN,
     NO_NUMBER, OF_INDEX},
    {"no setter defined for property '*'", NULL, NULL, GCL_CODE_BUILT_IN,
     "'%s' can't be assigned to: the launch gives it its value",
     "use a variable of your own, to which its value is assigned"},
    {"no matching function for call to '*'", TO_KERNEL, NULL, GCL_CODE_NOT_LAUNCHED,
     "'%s' is a kernel, and is called without a launch configuration",
     "write <<<blocks, threads>>> before the arguments"},
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
    {"no matching constructor for initialization of 'dim3'", "/include/gcluster/dim3.h", NULL,
     GCL_CODE_ARGUMENTS, "'dim3' is given what it doesn't take", "it takes up to three numbers"},
    {"no matching constructor for initialization of '*'", "/cuda/vector_types.h", NULL,
     GCL_CODE_ARGUMENTS, "'%s' has no constructor that takes arguments",
     "a function makes it: make_float4(x, y, z, w), and so on"},
    {"no matching constructor for initialization of '*'?", TO_HOST, NULL, GCL_CODE_HOST_IN_DEVICE,
     OF_CLASS, NULL},
    {"no matching member function for call to '*'", TO_HOST, NULL, GCL_CODE_HOST_IN_DEVICE,
     IN_DEVICE, NULL},
    {"no matching function for call to object of type '*'?", TO_HOST, NULL, GCL_CODE_HOST_IN_DEVICE,
     NO_OBJECT, NULL},
    {"no viable conversion from ? to '*'?", TO_HOST, NULL, GCL_CODE_HOST_IN_DEVICE, OF_CLASS, NULL},
    {"no matching conversion for functional-style cast from ? to '*'?", TO_HOST, NULL,
     GCL_CODE_HOST_IN_DEVICE, OF_CLASS, NULL},
    {"invalid operands to binary expression ('*'*", TO_HOST, NULL, GCL_CODE_HOST_IN_DEVICE,
     "this operator of '%s' is a function of the host, which device code can't call", NULL},
    {"no viable overloaded '*'", TO_HOST, NULL, GCL_CODE_HOST_IN_DEVICE,
     "this operator '%s' is a function of the host, which device code can't call", ON_BOTH_SIDES},
    {"cannot use '*' in __*", NULL, NULL, GCL_CODE_HOST_IN_DEVICE,
     "'%s' belongs to the host: device code has no exceptions",
     "let the kernel write what is wrong to memory that the host looks at; __trap() ends it"},
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
    {"__shared__ local variables not allowed in __host__ functions", NULL, NULL,
     GCL_CODE_SHARED_VARIABLE, "shared variable in a function of the host",
     "declare it in a kernel: its blocks have it"},
    {"dynamic initialization is not supported for __device__, *", NULL, NULL,
     GCL_CODE_DEVICE_DECLARATION, "variable of the device whose initial value isn't constant",
     "let the host assign the value with cudaMemcpyToSymbol(), or a kernel"},
    {"__constant__, __device__, and __managed__ are not allowed on non-static local variables",
     NULL, NULL, GCL_CODE_DEVICE_DECLARATION, "variable of the device inside a function",
     "declare it outside of functions"},
    {"capture host variable '*' by reference in device or host device lambda function", NULL, NULL,
     GCL_CODE_CAPTURE, "the lambda captures '%s' by reference, which is memory of the host",
     "capture it by value: [=]"},
    {"capture host side class data member by this pointer *", NULL, NULL, GCL_CODE_CAPTURED_THIS,
     "the lambda captures 'this', which leads to memory of the host",
     "copy what it needs of the object to local variables, or capture *this"},
    {"no viable conversion from '*' to 'dim3'", "'__grid' here", NULL, GCL_CODE_CONFIGURATION,
     "the grid of this launch is a '%s'", OF_DIMENSIONS},
    {"no viable conversion from '*' to 'dim3'", "'__block' here", NULL, GCL_CODE_CONFIGURATION,
     "the block of this launch is a '%s'", OF_DIMENSIONS},
    {"cannot initialize a parameter of type 'size_t'?", "'__shared_size' here", NULL,
     GCL_CODE_CONFIGURATION,
     "the third argument of <<<>>> is bytes of shared memory, and is of another type here",
     "the stream is the fourth: <<<grid, block, 0, stream>>>"},
    {"cannot initialize a parameter of type ?", "'__stream' here", NULL, GCL_CODE_CONFIGURATION,
     "the fourth argument of <<<>>> is a stream, and is of another type here",
     "give it a cudaStream_t, or 0"},
    {"'__gcl_origin' is unavailable: *", NULL, NULL, GCL_CODE_CONFIGURATION,
     "launch configuration of more than four arguments",
     "write <<<grid, block, bytes of shared memory, stream>>>"},
    {"too few execution configuration arguments to kernel function call, *", NULL, NULL,
     GCL_CODE_CONFIGURATION, "launch configuration without the threads of a block",
     "write <<<blocks, threads>>>"},
    {"use of overloaded operator '*' is ambiguous (*half*", "/share/gcluster/cuda/", NULL,
     GCL_CODE_OPERATOR, "'%s' of a half and another type: it isn't said in which it is computed",
     "convert one of the two, with __half2float() or __float2half()"},
    {"use of undeclared identifier 'checkCudaErrors'*", NULL, NULL, GCL_CODE_HEADER_NOT_INCLUDED,
     OF_SAMPLES("checkCudaErrors"), SAMPLES},
    {"use of undeclared identifier 'getLastCudaError'*", NULL, NULL, GCL_CODE_HEADER_NOT_INCLUDED,
     OF_SAMPLES("getLastCudaError"), SAMPLES},
    {"'helper_*.h' file not found*", NULL, NULL, GCL_CODE_HEADER_NOT_INCLUDED,
     "helper_%s.h isn't part of CUDA: it comes with CUDA's samples", SAMPLES},
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
    {"std::function<*", "pass the kernel, as a template, a functor or a lambda marked __device__"},
    {"std::m*19937*", "curand_kernel.h has random numbers for kernels"},
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

/// Stars and question marks match any text, as little as can be. Sets `first`, to be freed, to the
/// text of the first star.
static bool matches(const char *pattern, const char *text, char **first) {
    size_t same = strcspn(pattern, "*?");
    if (strncmp(pattern, text, same) != 0)
        return false;
    if (!pattern[same])
        return !text[same];
    char **later = pattern[same] == '*' ? NULL : first;
    for (const char *end = text + same;; end++) {
        if (matches(pattern + same + 1, end, later)) {
            if (first && !later)
                *first = g_strndup(text + same, (gsize)(end - text) - same);
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

// What is no reason why a candidate of the caller's own side would have been meant.
static bool is_beside(const char *candidate) {
    static const char *const reasons[] = {"(the implicit ", "requires ", "template ignored",
                                          "explicit constructor", "built-in candidate"};
    for (size_t i = 0; i < G_N_ELEMENTS(reasons); i++) {
        if (strstr(candidate, reasons[i]))
            return true;
    }
    return false;
}

// Whether no candidate of the caller's own side is refused for a reason of its own: then that would
// be the mistake. Classes of the library have no side but the host's.
static bool is_for_side(const struct rule *rule, const struct gcl_mistake_said *said) {
    bool of_sides = rule->note && g_str_has_prefix(rule->note, "call to __");
    if (!of_sides || strcmp(rule->message, STREAMS) == 0 ||
        (strcmp(rule->note, TO_HOST) == 0 && strstr(said->text, "'std::")))
        return true;
    g_auto(GStrv) lines = g_strsplit(said->notes, "\n", -1);
    for (char **line = lines; *line; line++) {
        const char *candidate = strstr(*line, ": note: ");
        // Of operators our headers have some that nobody meant.
        if (g_str_has_prefix(said->text, "invalid operands") && gcl_mistake_is_internal(*line))
            continue;
        if (candidate && strstr(candidate, "candidate ") && !strstr(candidate, rule->note) &&
            !is_beside(candidate))
            return false;
    }
    return true;
}

static const struct rule *find_rule(const struct gcl_mistake_said *said, char **name) {
    for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
        const struct rule *rule = &rules[i];
        if ((!rule->note || strstr(said->notes, rule->note)) &&
            (!rule->line || strstr(said->line, rule->line)) && is_for_side(rule, said) &&
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
    while (end < size && is_word(said->line[end]))
        end++;
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

// CUDA's name for what has another in our headers.
static void rename_ours(const struct gcl_mistake_said *said, const struct rule *rule, char **name) {
    static const struct {
        const char *ours, *name;
    } names[] = {{"__gcl_tid_t", "threadIdx"},
                 {"__gcl_ctaid_t", "blockIdx"},
                 {"__gcl_ntid_t", "blockDim"},
                 {"__gcl_nctaid_t", "gridDim"}};
    const char *found = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(names) && rule->code == GCL_CODE_BUILT_IN; i++) {
        g_autofree char *as_index = g_strconcat(names[i].name, "]", NULL);
        if (strcmp(rule->message, NO_NUMBER) == 0 &&
            (strstr(said->text, names[i].ours) || (rule->line && strstr(said->line, as_index))))
            found = names[i].name;
    }
    if (g_strcmp0(*name, "__gcl_syncthreads") == 0)
        found = "__syncthreads";
    if (found) {
        g_free(*name);
        *name = g_strdup(found);
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
        return help                                                  ? help
               : gcl_support_find(name).level != GCL_SUPPORT_UNKNOWN ? "call it in a kernel"
                                                                     : ON_BOTH_SIDES;
    }
    help = find_counterpart(in_device, G_N_ELEMENTS(in_device), name);
    if (help || is_foreign(notes))
        return help ? help : "do it on the host, and pass the result to the kernel";
    return strcmp(rule->message, NO_OBJECT) == 0
               ? "declare operator() __device__, or __host__ __device__"
           : strcmp(rule->message, OF_CLASS) == 0
               ? "declare what device code calls of it __host__ __device__"
               : ON_BOTH_SIDES;
}

static bool is_of_runtime(const char *name) {
    return g_str_has_prefix(name, "cuda") && g_ascii_isupper(name[4]);
}

static void say(const struct rule *rule, const struct gcl_mistake_said *said, char **name,
                struct gcl_mistake *mistake) {
    mistake->code = rule->code;
    rename_ours(said, rule, name);
    underline(said, *name ? *name : "", mistake);
    if (rule->code == GCL_CODE_HOST_IN_DEVICE && is_of_runtime(*name)) {
        mistake->code = GCL_CODE_HOST_CALL_IN_KERNEL;
        mistake->message = g_strdup_printf("'%s' called from device code", *name);
        mistake->help = g_strdup("call it from the host; device code has no runtime to call");
        return;
    }
    if (strstr(rule->text, "'__get_*'") ||
        (rule->code == GCL_CODE_BUILT_IN && strcmp(rule->message, NO_NUMBER) != 0 && *name))
        take_index(said, mistake, name);
    mistake->message = g_strdup_printf(rule->message, *name);
    mistake->help = g_strdup(help_of(rule, *name, said->notes));
}

void gcl_mistake_clear(struct gcl_mistake *mistake) {
    g_clear_pointer(&mistake->message, g_free);
    g_clear_pointer(&mistake->help, g_free);
}

enum gcl_mistake_kind gcl_mistake_find(const struct gcl_mistake_said *said,
                                       struct gcl_mistake *mistake) {
    g_autofree char *name = NULL;
    const struct rule *rule = find_rule(said, &name);
    *mistake = (struct gcl_mistake){.column = said->column, .length = 1};
    if (rule && !rule->message)
        return GCL_MISTAKE_FOLLOWS;
    if (rule) {
        say(rule, said, &name, mistake);
        return GCL_MISTAKE_KNOWN;
    }
    return gcl_mistake_find_operator(said, mistake) || gcl_mistake_find_arguments(said, mistake)
               ? GCL_MISTAKE_KNOWN
               : GCL_MISTAKE_OTHER;
}

char *gcl_mistake_in_instance(const char *text, const char *note, const char *path, uint32_t line) {
    const char *name = g_str_has_suffix(note, "' requested here") ? strchr(note, '\'') : NULL;
    g_autofree char *file = g_path_get_basename(path);
    if (!name || !g_str_has_prefix(note, "in instantiation of "))
        return NULL;
    size_t size = strlen(name) - strlen("' requested here");
    return g_strdup_printf("%s, in %.*s (%s:%u)", text, (int)(size - 1), name + 1, file, line);
}
