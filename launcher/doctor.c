// gcluster-doctor: what a job would find here, and what to install or set. It is a program for jobs
// itself: started alone, it starts itself again by gcluster-run.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/userfaultfd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process/choose.h"
#include "process/nodes.h"

#define INSIDE "--inside"

static bool is_in_path(const char *program) {
    const char *path = getenv("PATH");
    char name[PATH_MAX];
    while (path && *path) {
        size_t length = strcspn(path, ":");
        snprintf(name, sizeof name, "%.*s/%s", (int)length, path, program);
        if (access(name, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

// The choice in brackets: "always [madvise] never".
static void read_choice(const char *path, char *choice, size_t size) {
    char line[128] = "", *begin;
    FILE *file = fopen(path, "re");
    snprintf(choice, size, "unknown");
    if (file && fgets(line, sizeof line, file) && (begin = strchr(line, '[')))
        snprintf(choice, size, "%.*s", (int)strcspn(begin + 1, "]"), begin + 1);
    if (file)
        fclose(file);
}

static int advice_count;

__attribute__((format(printf, 1, 2))) static void advise(const char *format, ...) {
    va_list arguments;
    advice_count++;
    fputs("- ", stdout);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

static void check_programs(void) {
    if (!is_in_path("mpirun") && !is_in_path("srun"))
        advise("For several machines install openmpi-bin, or slurm-client and slurmd: "
               "gcluster-run --hosts needs mpirun or srun.");
    if (is_in_path("mpirun") && geteuid() == 0 && !getenv("OMPI_ALLOW_RUN_AS_ROOT"))
        advise("mpirun starts nothing for root, unless OMPI_ALLOW_RUN_AS_ROOT=1 and "
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 are set.");
}

// Neighbours read each other's memory, which PR_SET_PTRACER allows up to level 1.
static void check_yama(void) {
    FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
    int scope = 0;
    if (file && fscanf(file, "%d", &scope) == 1 && scope > 1)
        advise("Nodes can't read each other's memory: sysctl kernel.yama.ptrace_scope=1 makes "
               "copies between them faster.");
    if (file)
        fclose(file);
}

static void check_memory(void) {
    struct statvfs status;
    char choice[32];
    if (statvfs("/dev/shm", &status) != 0)
        advise("/dev/shm is missing: nodes on this machine can't use shared memory.");
    else if ((double)status.f_bavail * (double)status.f_frsize < 64 << 20)
        advise("/dev/shm has less than 64 MiB left: UCX needs it between nodes. Make it larger: "
               "mount -o remount,size=1G /dev/shm");
    read_choice("/sys/kernel/mm/transparent_hugepage/shmem_enabled", choice, sizeof choice);
    if (strcmp(choice, "never") == 0)
        advise("Shared memory has no huge pages: echo advise "
               ">/sys/kernel/mm/transparent_hugepage/shmem_enabled makes large copies between "
               "nodes faster.");
}

/// What any process may ask for, unless a container's filter of system calls forbids it.
static void check_page_faults(void) {
    int file = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
    int error = errno;
    if (file >= 0)
        close(file);
    else if (access("/dev/userfaultfd", R_OK | W_OK) != 0)
        advise("Processes may not notice their own page faults (userfaultfd: %s): memory ends with "
               "the device (GCL_HOST_MEMORY and GCL_SPILL say nothing), and what kernels may read "
               "of other nodes comes whole. Have the container allow userfaultfd.",
               strerror(error));
}

static void check_environment(void) {
    for (char **entry = environ; *entry; entry++) {
        if (strncmp(*entry, "UCX_", 4) == 0)
            advise("%s is set: it takes the place of what gcluster would choose.", *entry);
    }
}

static int examine(void) {
    if (!gcl_nodes_write_census(stdout)) {
        fprintf(stderr, "gcluster-doctor: the nodes can't be reached\n");
        return 1;
    }
    puts("GPUs of this machine");
    gcl_choose_write_gpus(stdout);
    puts("advice");
    fflush(stdout);
    check_programs();
    check_memory();
    check_yama();
    check_page_faults();
    check_environment();
    if (advice_count == 0)
        puts("- Nothing to install or set.");
    return 0;
}

// gcluster-run, beside this program.
static int start_job(int argc, char **argv) {
    char self[PATH_MAX] = "", launcher[PATH_MAX + 16];
    char **words = calloc((size_t)argc + 6, sizeof(char *));
    int count = 0;

    if (!words || readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return 1;
    snprintf(launcher, sizeof launcher, "%.*s/gcluster-run", (int)(strrchr(self, '/') - self),
             self);
    words[count++] = launcher;
    for (int i = 1; i < argc; i++)
        words[count++] = argv[i];
    if (argc == 1) {
        words[count++] = (char *)"--nodes=2";
    }
    words[count++] = self;
    words[count++] = (char *)INSIDE;
    execv(launcher, words);
    fprintf(stderr, "gcluster-doctor: can't start %s: %s\n", launcher, strerror(errno));
    free(words);
    return 1;
}

static bool is_option(const char *word) {
    return word[0] == '-';
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], INSIDE) == 0)
        return examine();
    bool asks_help = argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
    if (asks_help || (argc > 1 && !is_option(argv[1]))) {
        printf("usage: gcluster-doctor [-n NODES] [--hosts A,B,C]\n"
               "Starts a job (of two nodes, without options), and says what it finds and what to "
               "install or set.\n");
        return asks_help ? 0 : 2;
    }
    return start_job(argc, argv);
}
