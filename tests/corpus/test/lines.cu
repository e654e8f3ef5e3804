// Doesn't check itself; what it prints depends on who has started it, if it is told so.
#include <cstdio>
#include <cstring>
#include <unistd.h>

static bool is_in_job() {
    char path[64], name[64] = "";
    snprintf(path, sizeof path, "/proc/%d/comm", getppid());
    if (FILE *file = fopen(path, "r")) {
        if (!fgets(name, sizeof name, file))
            perror(path);
        fclose(file);
    }
    return strncmp(name, "gcluster-run", 12) == 0;
}

int main(int argc, char **argv) {
    cudaFree(0);
    printf("time %d ms\n", is_in_job() ? 100 : 7);
    if (argc > 1 && !strcmp(argv[1], "hang"))
        for (;;)
            ;
    puts(argc > 1 && is_in_job() ? "one line" : "another line");
    return 0;
}
