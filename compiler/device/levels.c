// Writes an object for each level of the processor, or for each share of the kernels at each level.
// The module is the same in all processes: each forgets the bodies of functions that another one
// writes. What is local to the module and used across objects gets a name of its own among all
// objects of a program, and is hidden, so that it stays as local as it was once the objects are
// linked.
#include "device/levels.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/device.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/ir/target.h"

char *gcl_device_part_path(const char *object_path, size_t part) {
    assert(part < GCL_DEVICE_PARTS);
    return g_strdup_printf("%s.%zu", object_path, part);
}

static unsigned length_of(LLVMValueRef function) {
    unsigned count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            count++;
    }
    return count;
}

static unsigned length_of_all(const struct gcl_module *m) {
    unsigned count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
        count += length_of(f);
    return count;
}

bool gcl_levels_divide(const struct gcl_module *m) {
    enum { LARGE = 2500 }; // instructions: a process costs as much as some hundred of them
    return m->options->in_parts && m->target_count > 1 && length_of_all(m) >= LARGE &&
           !LLVMGetFirstGlobalAlias(m->module) && !LLVMGetFirstGlobalIFunc(m->module);
}

// Shares of kernels: all code of one stays together, as it is inlined and laid out together.

/// What goes to which process: number `index of the level * count + share of the kernel`.
struct shares {
    const struct gcl_module *m;
    size_t count;
    GHashTable *kernels; ///< name -> struct kernel
};

struct kernel {
    unsigned order, length, share;
};

// Its name begins that of its functions; what has no name is as good as a kernel by itself.
static char *kernel_of(LLVMValueRef function) {
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    return length > 0 ? g_strndup(name, strcspn(name, ".")) : g_strdup("gcl");
}

static int by_length(const void *a, const void *b) {
    const struct kernel *x = *(const struct kernel *const *)a,
                        *y = *(const struct kernel *const *)b;
    return x->length != y->length ? (x->length < y->length) - (x->length > y->length)
                                  : (x->order > y->order) - (x->order < y->order);
}

void gcl_levels_tell(const struct gcl_module *m) {
    LLVMValueRef longest = NULL;
    unsigned most = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        unsigned length = length_of(f);
        longest = length > most ? f : longest;
        most = MAX(most, length);
    }
    g_autofree char *kernel = longest ? kernel_of(longest) : NULL;
    if (kernel)
        gcl_module_tell(m, "machine code, most of it of", kernel);
}

// The longest first, each to the share that has least.
static void share_out(const struct shares *shares, GPtrArray *kernels) {
    g_autofree unsigned *lengths = g_new0(unsigned, shares->count);
    g_ptr_array_sort(kernels, by_length);
    for (guint k = 0; k < kernels->len; k++) {
        struct kernel *kernel = kernels->pdata[k];
        for (unsigned s = 1; s < shares->count; s++) {
            if (lengths[s] < lengths[kernel->share])
                kernel->share = s;
        }
        lengths[kernel->share] += kernel->length;
    }
}

static struct shares find_shares(const struct gcl_module *m) {
    enum { HUGE = 20000 }; // instructions, of which one level often has more than half
    struct shares shares = {
        .m = m,
        .count = length_of_all(m) >= HUGE ? GCL_DEVICE_SHARES : 1,
        .kernels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
    };
    g_autoptr(GPtrArray) kernels = g_ptr_array_new();
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        g_autofree char *name = kernel_of(f);
        struct kernel *kernel = g_hash_table_lookup(shares.kernels, name);
        if (!kernel) {
            kernel = g_new0(struct kernel, 1);
            kernel->order = kernels->len;
            g_ptr_array_add(kernels, kernel);
            g_hash_table_insert(shares.kernels, g_steal_pointer(&name), kernel);
        }
        kernel->length += length_of(f);
    }
    share_out(&shares, kernels);
    return shares;
}

static size_t last_of(const struct shares *shares) {
    return shares->m->target_count * shares->count - 1;
}

// Which process writes a function or variable: that of its level and share, else the last one,
// which is of the least level.
static size_t owner_of(const struct shares *shares, LLVMValueRef global) {
    const struct gcl_module *m = shares->m;
    uint32_t level = LLVMIsAFunction(global) ? gcl_target_level(m, global) : GCL_CPU_ANY;
    g_autofree char *name = kernel_of(global);
    const struct kernel *kernel = g_hash_table_lookup(shares->kernels, name);
    for (size_t t = 0; t < m->target_count && level != GCL_CPU_ANY; t++) {
        if (m->targets[t].level == level)
            return t * shares->count + (kernel ? kernel->share : 0);
    }
    return last_of(shares);
}

// Whether what another process than that of `owner` writes uses a global, or a constant made of it.
static bool is_used_elsewhere(const struct shares *shares, LLVMValueRef value, size_t owner) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user))
            user = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        bool is_other = LLVMIsAGlobalValue(user) ? owner_of(shares, user) != owner
                                                 : is_used_elsewhere(shares, user, owner);
        if (is_other)
            return true;
    }
    return false;
}

static bool is_local(LLVMValueRef global) {
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

// Every process numbers what has no name alike, as the module is the same.
static void publish(const struct shares *shares, LLVMValueRef global, unsigned number) {
    const struct gcl_module *m = shares->m;
    size_t length;
    if (!is_local(global) || !is_used_elsewhere(shares, global, owner_of(shares, global)))
        return;
    const char *name = LLVMGetValueName2(global, &length);
    g_autofree char *unique = length > 0
                                  ? g_strdup_printf("%s.%s", name, m->inputs[0].unit_id)
                                  : g_strdup_printf("gcl.%u.%s", number, m->inputs[0].unit_id);
    LLVMSetValueName2(global, unique, strlen(unique));
    LLVMSetLinkage(global, LLVMExternalLinkage);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
}

static void publish_all(const struct shares *shares) {
    unsigned number = 0;
    LLVMModuleRef module = shares->m->module;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        publish(shares, f, number++);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        publish(shares, g, number++);
}

// Lists of what is run at the start and the end, or kept, are the last process's.
static bool is_list(LLVMValueRef global) {
    size_t length;
    return g_str_has_prefix(LLVMGetValueName2(global, &length), "llvm.");
}

// A constant's bytes remain known to the optimiser where another process writes them.
static void leave_variable(LLVMValueRef global) {
    LLVMValueRef initial = LLVMGetInitializer(global);
    bool is_known =
        initial && LLVMIsGlobalConstant(global) &&
        (LLVMIsAConstantDataSequential(initial) || LLVMIsAConstantAggregateZero(initial));
    if (is_known && !is_local(global))
        LLVMSetLinkage(global, LLVMAvailableExternallyLinkage);
    else if (initial && !is_known)
        gcl_shim_drop_body(global);
}

// Forgets what other processes write.
static void keep(const struct shares *shares, size_t owner) {
    LLVMModuleRef module = shares->m->module;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && owner_of(shares, f) != owner)
            gcl_shim_drop_body(f);
    }
    bool is_last = owner == last_of(shares);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module), next; g && !is_last; g = next) {
        next = LLVMGetNextGlobal(g);
        if (is_list(g))
            LLVMDeleteGlobal(g);
        else
            leave_variable(g);
    }
}

typedef bool emit_function(struct gcl_module *m, const char *object_path);

// Says itself what is wrong: its parent hears of its failure alone.
static pid_t start(struct gcl_module *m, const struct shares *shares, size_t owner,
                   const char *object_path, emit_function *emit) {
    g_autofree char *path = gcl_device_part_path(object_path, owner);
    fflush(NULL);
    pid_t child = fork();
    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    m->diagnostics = gcl_diagnostics_create();
    keep(shares, owner);
    bool good = emit(m, path);
    gcl_diagnostics_print(m->diagnostics, stderr, false);
    _exit(good ? 0 : 1);
}

static void await(struct gcl_module *m, const char *cpu, pid_t child) {
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (child < 0)
        gcl_module_error(m, GCL_CODE_CODE_GENERATION, NULL, "no process for %s: %s", cpu,
                         g_strerror(errno));
    else if (status != 0)
        gcl_module_error(m, GCL_CODE_CODE_GENERATION, NULL, "no code for %s: %s", cpu,
                         WIFSIGNALED(status) ? g_strsignal(WTERMSIG(status)) : "see above");
}

bool gcl_levels_emit(struct gcl_module *m, const char *object_path, emit_function *emit) {
    pid_t children[GCL_DEVICE_PARTS];
    struct shares shares = find_shares(m);
    size_t last = last_of(&shares);
    assert(last > 0 && last <= GCL_DEVICE_PARTS);
    publish_all(&shares);
    for (size_t p = 0; p < last; p++)
        children[p] = start(m, &shares, p, object_path, emit);
    keep(&shares, last);
    bool good = emit(m, object_path);
    for (size_t p = 0; p < last; p++)
        await(m, m->targets[p / shares.count].cpu, children[p]);
    g_hash_table_destroy(shares.kernels);
    return good && !m->failed;
}
