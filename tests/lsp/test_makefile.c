// nvcc's words in Makefiles.
#include "unit_test.h"

#include <glib.h>

#include "project/makefile.h"

static void expect(const char *text, const char *words) {
    g_auto(GStrv) found = gcl_makefile_nvcc(text);
    g_autofree char *joined = found ? g_strjoinv("|", found) : NULL;
    if (words)
        assert_string_equal(joined, words);
    else
        assert_null(joined);
}

static void expands_variables(void **state) {
    (void)state;
    expect("NVCC ?= nvcc\n"
           "FLAGS := -O2 $(WARN)\n"
           "FLAGS += -Iinclude # ours\n"
           "WARN = -Xcompiler -Wall\n"
           "%.o: %.cu\n"
           "\t@$(NVCC) ${FLAGS} -DN=\"1 2\" -c $< -o $@\n",
           "-O2|-Xcompiler|-Wall|-Iinclude|-DN=1 2|-c|-o");
}

static void prefers_what_compiles(void **state) {
    (void)state;
    expect("a: a.o\n\tnvcc a.o -o a\na.o: a.cu\n\tnvcc -c \\\n  -DX a.cu\n", "-c|-DX|a.cu");
    expect("a: a.cu\n\t/usr/local/cuda/bin/nvcc -arch=sm_70 a.cu\n", "-arch=sm_70|a.cu");
}

static void runs_nothing_and_ends(void **state) {
    (void)state;
    expect("X = $(X)\nY = $(shell rm -rf /)\na:\n\tnvcc $(X) $(Y) $(Z -c\n", "");
    expect("X = $(X)\na:\n\tnvcc $(X) -g\n", "-g");
    expect("a:\n\tg++ a.cpp\n", NULL);
    expect("", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expands_variables),
        cmocka_unit_test(prefers_what_compiles),
        cmocka_unit_test(runs_nothing_and_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
