// Mending what clang doesn't read keeps every byte where it was.
#include "unit_test.h"

#include <string.h>

#include "frontend/parse/parse.h"

static void expect(const char *text, const char *want) {
    GBytes *bytes = g_bytes_new(text, strlen(text));
    GBytes *mended = gcl_prepare(bytes);
    if (!want) {
        assert_null(mended);
    } else {
        gsize size;
        assert_non_null(mended);
        const char *data = g_bytes_get_data(mended, &size);
        assert_int_equal(size, strlen(text));
        assert_memory_equal(data, want, size);
        g_bytes_unref(mended);
    }
    g_bytes_unref(bytes);
}

static void mends_spaced_brackets(void **state) {
    (void)state;
    expect("k << <1, 2 >> >(a)", "k <<< 1, 2 >>> (a)");
    expect("k<<  <1, 2>>  > (a)", "k<<<  1, 2>>>   (a)");
    expect("k << <1, 2>>>(a)", "k <<< 1, 2>>>(a)");
    expect("k << <1, 2 >> >(a); m << <3, 4 >> >(b)", "k <<< 1, 2 >>> (a); m <<< 3, 4 >>> (b)");
}

static void names_registers_as_clang_does(void **state) {
    (void)state;
    expect("asm(\"mov.u64 %0, %globaltimer;\" : \"=l\"(t));",
           "asm(\"mov.u64 %0,%%globaltimer;\" : \"=l\"(t));");
    expect("asm volatile(\"a %0, %1;\" \"mov.u32 %0, %lanemask_lt;\" : \"=r\"(m) : \"r\"(n));",
           "asm volatile(\"a %0, %1;\" \"mov.u32 %0,%%lanemask_lt;\" : \"=r\"(m) : \"r\"(n));");
    expect("asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane));", NULL);
    expect("asm(\"shl $32, %rdx; mov %eax, %ecx\");", NULL);
    expect("asm(\"mov %a0, %c1\" : : \"m\"(a), \"i\"(b));", NULL);
    expect("asm(\"lea %rdx\" : : );", NULL);
    expect("printf(\"%s, %laneid\", s);", NULL);
    expect("asm(\"a, %laneid", NULL);
    expect("asm volatile", NULL);
}

static void puts_commas_between_operands(void **state) {
    (void)state;
    expect("asm(\"st.u8 [%1], %0;\" ::\"r\"(f(v)) \"l\"(p) : \"memory\");",
           "asm(\"st.u8 [%1], %0;\" ::\"r\"(f(v)),\"l\"(p) : \"memory\");");
    expect("asm volatile(\"x\" : \"+r\"(a)\n\t\"+r\"(b) : \"r\"(c), \"r\"(d)  \"r\"(e));",
           "asm volatile(\"x\" : \"+r\"(a)\n,\"+r\"(b) : \"r\"(c), \"r\"(d) ,\"r\"(e));");
    expect("asm(\"x\" : \"+r\"(a)\"+r\"(b)); puts(f(1) \"a\");", NULL);
    expect("asm(\"x\" : \"+r\"(a); puts(f(1) \"a\");", NULL);
    expect("g(f(1) \"a\");", NULL);
}

static void defines_shared_arrays_of_known_size(void **state) {
    (void)state;
    expect("extern __shared__ int a[4];", "       __shared__ int a[4];");
    expect("__shared__ extern T<2> a[N][3], b;", "__shared__        T<2> a[N][3], b;");
    expect("#define A extern volatile __shared__ int a[4];\n",
           "#define A        volatile __shared__ int a[4];\n");
    expect("extern __shared__ int a[];", NULL);
    expect("extern __shared__ int a[][4];", NULL);
    expect("extern __shared__ tile a;", NULL);
    expect("extern int a[4]; __shared__ int b[4];", NULL);
    expect("#define A extern __shared__ int a[4]\nA;", NULL);
    expect("extern \"C\" { __shared__ int a[4]; }", NULL);
    expect("extern __shared__ int a[", NULL);
}

static void calls_a_macro_for_a_pragma_in_one(void **state) {
    (void)state;
    expect("#define U #pragma unroll\nU for (;;)", "#define U __gclp(unroll)\nU for (;;)");
    expect("#define U\t  #pragma unroll 4 // x\n", "#define U\t  __gclp(unroll 4) // x\n");
    expect("  # define U #pragma  unroll  \\\n\n", "  # define U __gclp( unroll)  \\\n\n");
    expect("#define U #pragma unroll \\\n 4", NULL);
    expect("#define U #pragma", NULL);
    expect("#define U #pragma\nunroll", NULL);
    expect("#define U(pragma) #pragma", NULL);
    expect("#define U(x) x #pragma unroll", NULL);
    expect("a #pragma unroll", NULL);
    expect(" #pragma unroll", NULL);
}

static void leaves_the_rest(void **state) {
    (void)state;
    expect("k<<<1, 2>>>(a)", NULL);
    expect("A<B<C<int>> > x(1);", NULL);
    expect("// k << <1, 2 >> >(a)", NULL);
    expect("\"k << <1, 2 >> >(a)\"", NULL);
    expect("k << <1, 2; >> >(a)", NULL);
    expect("k <<\n<1, 2 >> >(a)", NULL);
    expect("", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mends_spaced_brackets),
        cmocka_unit_test(names_registers_as_clang_does),
        cmocka_unit_test(puts_commas_between_operands),
        cmocka_unit_test(defines_shared_arrays_of_known_size),
        cmocka_unit_test(calls_a_macro_for_a_pragma_in_one),
        cmocka_unit_test(leaves_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
