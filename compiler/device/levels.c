// Writes an object for each level of the processor. The module is the same in all processes: each
// forgets the bodies of functions that another one writes. What is local to the module and used
// across levels gets a name of its own among all objects of a program, and is hidden, so that it
// stays as local as it was once the objects are linked.
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

bool gcl_levels_divide(const struct gcl_module *m) {
    enum { LARGE = 2500 }; // instructions: a process costs as much as some hundred of them
    unsigned count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f);
        for (; b && count < LARGE; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef i = LLVMGetFirstInstruction(b);
            for (; i; i = LLVMGetNextInstruction(i))
                count++;
        }
    }
    return m->options->in_parts && m->target_count > 1 && count >= LARGE &&
           !LLVMGetFirstGlobalAlias(m->module) && !LLVMGetFirstGlobalIFunc(m->module);
}

// Which process writes a function or variable: that of its level, else that of the least one.
static uint32_t owner_of(const struct gcl_module *m, LLVMValueRef global) {
    uint32_t level = LLVMIsAFunction(global) ? gcl_target_level(m, global) : GCL_CPU_ANY;
    return level == GCL_CPU_ANY ? gcl_target_least(m)->level : level;
}

// Whether what another process than that of `owner` writes uses a global, or a constant made of it.
static bool is_used_elsewhere(const struct gcl_module *m, LLVMValueRef value, uint32_t owner) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user))
            user = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        bool is_other = LLVMIsAGlobalValue(user) ? owner_of(m, user) != owner
                                                 : is_used_elsewhere(m, user, owner);
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
static void publish(const struct gcl_module *m, LLVMValueRef global, unsigned number) {
    size_t length;
    if (!is_local(global) || !is_used_elsewhere(m, global, owner_of(m, global)))
        return;
    const char *name = LLVMGetValueName2(global, &length);
    g_autofree char *unique = length > 0
                                  ? g_strdup_printf("%s.%s", name, m->inputs[0].unit_id)
                                  : g_strdup_printf("gcl.%u.%s", number, m->inputs[0].unit_id);
    LLVMSetValueName2(global, unique, strlen(unique));
    LLVMSetLinkage(global, LLVMExternalLinkage);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
}

static void publish_all(const struct gcl_module *m) {
    unsigned number = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
        publish(m, f, number++);
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g))
        publish(m, g, number++);
}

// Lists of what is run at the start and the end, or kept, are the least level's.
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
static void keep(const struct gcl_module *m, uint32_t level) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && owner_of(m, f) != level)
            gcl_shim_drop_body(f);
    }
    bool is_least = level == gcl_target_least(m)->level;
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module), next; g && !is_least; g = next) {
        next = LLVMGetNextGlobal(g);
        if (is_list(g))
            LLVMDeleteGlobal(g);
        else
            leave_variable(g);
    }
}

typedef bool emit_function(struct gcl_module *m, const char *object_path);

static bool emit_level(struct gcl_module *m, uint32_t level, const char *path,
                       emit_function *emit) {
    keep(m, level);
    return emit(m, path);
}

// Says itself what is wrong: its parent hears of its failure alone.
static pid_t start(struct gcl_module *m, size_t target, const char *object_path,
                   emit_function *emit) {
    g_autofree char *path = gcl_device_part_path(object_path, target);
    fflush(NULL);
    pid_t child = fork();
    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    m->diagnostics = gcl_diagnostics_create();
    bool good = emit_level(m, m->targets[target].level, path, emit);
    gcl_diagnostics_print(m->diagnostics, stderr, false);
    _exit(good ? 0 : 1);
}

static void await(struct gcl_module *m, size_t target, pid_t child) {
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (child < 0)
        gcl_module_error(m, GCL_CODE_CODE_GENERATION, NULL, "no process for %s: %s",
                         m->targets[target].cpu, g_strerror(errno));
    else if (status != 0)
        gcl_module_error(m, GCL_CODE_CODE_GENERATION, NULL, "no code for %s: %s",
                         m->targets[target].cpu,
                         WIFSIGNALED(status) ? g_strsignal(WTERMSIG(status)) : "see above");
}

bool gcl_levels_emit(struct gcl_module *m, const char *object_path, emit_function *emit) {
    pid_t children[G_N_ELEMENTS(m->targets)];
    size_t last = m->target_count - 1;
    assert(last > 0 && last < GCL_DEVICE_PARTS);
    publish_all(m);
    for (size_t t = 0; t < last; t++)
        children[t] = start(m, t, object_path, emit);
    bool good = emit_level(m, m->targets[last].level, object_path, emit);
    for (size_t t = 0; t < last; t++)
        await(m, t, children[t]);
    return good && !m->failed;
}
