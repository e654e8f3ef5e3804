// What a reader needs of a build's words, and that nothing else comes through.
#include "unit_test.h"

#include <glib.h>

#include "project/reading.h"

static char *passed(const char *line) {
    g_auto(GStrv) words = NULL;
    assert_true(g_shell_parse_argv(line, NULL, &words, NULL));
    g_autoptr(GPtrArray) needed = gcl_reading_words((const char *const *)words, "/nonexistent");
    g_ptr_array_add(needed, NULL);
    return g_strjoinv("|", (char **)needed->pdata);
}

static void expect(const char *line, const char *words) {
    g_autofree char *found = passed(line);
    assert_string_equal(found, words);
}

static void passes_what_is_needed(void **state) {
    (void)state;
    expect("-DX=1 -D Y --define-macro=Z=2 -UX", "-D|X=1|-D|Y|-D|Z=2|-U|X");
    expect("-Ia -I b --include-path c -isystem d -isysteme",
           "-I|a|-I|b|-I|c|-isystem|d|-isystem|e");
    expect("-Xcompiler -Wall,-DX,-fopenmp", "-Wall|-D|X|-fopenmp");
    expect("-x ' cu' -std=c++17 -arch=sm_80 -O3 -dc",
           "-x| cu|-std|c++17|-arch|sm_80|-O|3|-rdc=true");
    expect("-gencode arch=compute_70,code=sm_70", "-gencode|arch=compute_70,code=sm_70");
    expect("-include a.h -Wno-unused -Werror=format -w",
           "-include|a.h|-Wno-unused|-Werror=format|-w");
}

static void drops_the_rest(void **state) {
    (void)state;
    expect("-c a.cu -o a.o -MD -MF a.d -lm -L. b.o -", "");
    expect("-Wp,-load,./e.so -Wa,-x -Wl,-x -W-x,y -Wall,-load", "");
    expect("-fplugin=e.so -fpass-plugin=e.so -mllvm -load=e.so -Xclang -load -Xclang e.so", "");
    expect("-D -fplugin=e.so -I@e -I=-B -include -Xclang -U 'a b' -O/x", "");
    expect("-march=/x -std=a/b -arch=@x -x objective-c -gencode /x", "");
    expect("@e.rsp --options-file e.rsp -B. --config=e -specs=e -ivfsoverlay e", "");
    expect("-fmodules -fmodule-map-file=e -fmodules-cache-path=e --sysroot=e -ftime-trace=e", "");
    expect("-save-temps -Xpreprocessor -load --serialize-diagnostics e -working-directory e", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_what_is_needed),
        cmocka_unit_test(drops_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
