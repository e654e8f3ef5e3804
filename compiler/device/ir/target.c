// Kinds of processors. Without a processor named, x86-64 code is generated once a level, best
// first; what several variants share is compiled for the least demanding one.
#include "device/ir/target.h"

#include <assert.h>
#include <llvm-c/Support.h>
#include <pthread.h>
#include <string.h>

#include "device/ir/module.h"
#include "device/ir/shim.h"

static const struct level {
    uint32_t level;
    const char *cpu;
    const char *features; ///< by which a processor shows that it has the level
} levels[] = {
    {GCL_CPU_V4, "x86-64-v4", "+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl"},
    {GCL_CPU_V3, "x86-64-v3", "+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe"},
    {GCL_CPU_V2, "x86-64-v2", "+cx16,+popcnt,+sse4.2"},
};

// LLVM 19 takes s[i * 7 % 128] for a group of accesses side by side, though it wraps around.
static void set_options(void) {
    static const char *const words[] = {"gcluster-cc", "-enable-interleaved-mem-accesses=false"};
    LLVMParseCommandLineOptions(2, words, NULL);
}

// All of LLVM's targets are a few milliseconds of work, so they come only if asked for.
static char *find_target(const struct gcl_module *m, LLVMTargetRef *target) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *wanted = m->options->triple;
    pthread_once(&once, set_options);
    char *triple = wanted ? LLVMNormalizeTargetTriple(wanted) : LLVMGetDefaultTargetTriple();
    if (wanted) {
        LLVMInitializeAllTargetInfos();
        LLVMInitializeAllTargets();
        LLVMInitializeAllTargetMCs();
        LLVMInitializeAllAsmPrinters();
    } else {
        LLVMInitializeNativeTarget();
        LLVMInitializeNativeAsmPrinter();
    }
    char *message = NULL;
    if (LLVMGetTargetFromTriple(triple, target, &message)) {
        LLVMDisposeMessage(message);
        *target = NULL;
    }
    return triple;
}

static LLVMTargetMachineRef create_machine(const struct gcl_module *m, const char *cpu) {
    static const LLVMCodeGenOptLevel optimization[] = {
        LLVMCodeGenLevelLess,
        LLVMCodeGenLevelLess,
        LLVMCodeGenLevelDefault,
        LLVMCodeGenLevelAggressive,
    };
    LLVMTargetRef target;
    LLVMTargetMachineRef machine = NULL;
    char *triple = find_target(m, &target);
    if (target && LLVMTargetHasTargetMachine(target))
        machine = LLVMCreateTargetMachine(target, triple, cpu, m->features ? m->features : "",
                                          optimization[CLAMP(m->options->optimization_level, 0, 3)],
                                          LLVMRelocPIC, LLVMCodeModelDefault);
    LLVMDisposeMessage(triple);
    return machine;
}

// The tables are laid out as this machine's compiler lays out gcluster/kernel.h.
static bool is_like_host(LLVMTargetDataRef layout) {
    return LLVMPointerSize(layout) == sizeof(void *) && LLVMByteOrder(layout) == LLVMLittleEndian;
}

static bool is_x86(LLVMTargetMachineRef machine) {
    char *triple = LLVMGetTargetMachineTriple(machine);
    bool is = g_str_has_prefix(triple, "x86_64");
    LLVMDisposeMessage(triple);
    return is;
}

static uint32_t level_of(LLVMTargetMachineRef machine) {
    for (size_t i = 0; is_x86(machine) && i < G_N_ELEMENTS(levels); i++) {
        if (gcl_shim_has_features(machine, levels[i].features))
            return levels[i].level;
    }
    return GCL_CPU_ANY;
}

static void add(struct gcl_module *m, uint32_t level, const char *cpu) {
    assert(m->target_count < G_N_ELEMENTS(m->targets));
    m->targets[m->target_count++] = (struct gcl_device_target){level, g_strdup(cpu)};
}

static char *take(char *text) {
    char *copy = g_strdup(text);
    LLVMDisposeMessage(text);
    return copy;
}

// Where numbers of 64 bits turn out to fit in 32, LLVM would divide those: a quotient by 0 would
// depend on its decision then (exec/block/quotient.h).
#define WHOLE_QUOTIENTS "-idivq-to-divl"

// LLVM would lay out a branch for each lane of a load under a mask where a gather isn't as fast as
// several loads on every processor of the level.
#define GATHERS "+fast-gather"

// The features of this machine's processor, as LLVM lists them.
static char *find_native_features(void) {
    g_autofree char *features = take(LLVMGetHostCPUFeatures());
    return g_strconcat(features, "," WHOLE_QUOTIENTS, NULL);
}

// Debuggers need one copy of a function: that of the least level that rounds as vectors do.
static bool suits_debuggers(uint32_t level) {
    return level == GCL_CPU_V3;
}

bool gcl_target_init(struct gcl_module *m) {
    const char *wanted = m->options->cpu;
    bool is_native = g_strcmp0(wanted, "native") == 0;
    g_autofree char *cpu =
        is_native ? take(LLVMGetHostCPUName()) : g_strdup(wanted ? wanted : "generic");
    m->features = is_native ? find_native_features() : NULL;
    m->machine = create_machine(m, cpu);
    if (m->machine) {
        gcl_shim_use_init_array(m->machine);
        m->layout = LLVMCreateTargetDataLayout(m->machine);
    }
    if (!m->machine || !is_like_host(m->layout)) {
        gcl_module_error(m, GCL_CODE_CODE_GENERATION, NULL, "no code can be generated for %s",
                         m->options->triple ? m->options->triple : "this machine");
        return false;
    }
    for (size_t i = 0; !wanted && is_x86(m->machine) && i < G_N_ELEMENTS(levels); i++) {
        if (suits_debuggers(levels[i].level) || !m->options->debug)
            add(m, levels[i].level, levels[i].cpu);
    }
    if (m->target_count == 0)
        add(m, level_of(m->machine), cpu);
    return true;
}

void gcl_target_finish(struct gcl_module *m) {
    for (size_t i = 0; i < m->target_count; i++)
        g_free(m->targets[i].cpu);
    g_free(m->features);
    if (m->layout)
        LLVMDisposeTargetData(m->layout);
    if (m->machine)
        LLVMDisposeTargetMachine(m->machine);
}

const struct gcl_device_target *gcl_target_least(const struct gcl_module *m) {
    assert(m->target_count > 0);
    return &m->targets[m->target_count - 1];
}

void gcl_target_raise(struct gcl_module *m) {
    if (m->target_count < 2)
        return;
    g_free(m->targets[m->target_count - 1].cpu);
    m->targets[--m->target_count] = (struct gcl_device_target){0};
}

static void set_attribute(struct gcl_module *m, LLVMValueRef function, const char *key,
                          const char *value) {
    LLVMRemoveStringAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex, key,
                                     (unsigned)strlen(key));
    if (value)
        LLVMAddAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex,
                                LLVMCreateStringAttribute(m->context, key, (unsigned)strlen(key),
                                                          value, (unsigned)strlen(value)));
}

// LLVM decides how to align the stack before it knows what it spills, so without being told it
// leaves vectors at any multiple of 16, across cache lines.
static void align_stack(struct gcl_module *m, LLVMValueRef function, unsigned bytes) {
    static const char name[] = "alignstack";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    LLVMAddAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(m->context, kind, bytes));
}

void gcl_target_set(struct gcl_module *m, LLVMValueRef function,
                    const struct gcl_device_target *target) {
    bool is_wide = target->level == GCL_CPU_V4; // LLVM would keep to 256 bits
    set_attribute(m, function, "target-cpu", target->cpu);
    set_attribute(m, function, "target-features",
                  m->features                    ? m->features
                  : target->level == GCL_CPU_V3  ? WHOLE_QUOTIENTS "," GATHERS
                  : target->level != GCL_CPU_ANY ? WHOLE_QUOTIENTS
                                                 : NULL);
    set_attribute(m, function, "prefer-vector-width", is_wide ? "512" : NULL);
    set_attribute(m, function, "min-legal-vector-width", is_wide ? "512" : NULL);
    if (gcl_target_register(target->level) > 16)
        align_stack(m, function, gcl_target_register(target->level));
}

uint32_t gcl_target_level(const struct gcl_module *m, LLVMValueRef function) {
    unsigned length = 0;
    LLVMAttributeRef cpu = LLVMGetStringAttributeAtIndex(
        function, (unsigned)LLVMAttributeFunctionIndex, "target-cpu", strlen("target-cpu"));
    const char *name = cpu ? LLVMGetStringAttributeValue(cpu, &length) : "";
    for (size_t i = 0; i < m->target_count; i++) {
        const struct gcl_device_target *target = &m->targets[i];
        if (strlen(target->cpu) == length && memcmp(target->cpu, name, length) == 0)
            return target->level;
    }
    return GCL_CPU_ANY;
}

unsigned gcl_target_register(uint32_t level) {
    return level == GCL_CPU_V4 ? 64 : level == GCL_CPU_V3 ? 32 : 16;
}
