// The generators' numbers for known seeds, subsequences and offsets.
#include <cstdio>
#include <cstring>
#include <curand_kernel.h>

struct known {
    unsigned long long seed, subsequence, offset;
    unsigned numbers[6];
    float uniform;
    double uniform_double[2];
    float normal[3];
    unsigned between;
    double normal_double[2];
    unsigned last;
};

__device__ bool near(double actual, double expected, double error) {
    double difference = actual > expected ? actual - expected : expected - actual;
    return difference <= error * (expected > 0 ? expected : -expected);
}

template <typename S> __global__ void check(const known *all, int *wrong) {
    const known &k = all[threadIdx.x];
    S state;
    int bad = 0;
    curand_init(k.seed, k.subsequence, k.offset, &state);
    for (unsigned number : k.numbers)
        bad += curand(&state) != number;
    bad += curand_uniform(&state) != k.uniform;
    for (double number : k.uniform_double)
        bad += curand_uniform_double(&state) != number;
    for (float number : k.normal)
        bad += !near(curand_normal(&state), number, 2e-6);
    bad += curand(&state) != k.between;
    for (double number : k.normal_double)
        bad += !near(curand_normal_double(&state), number, 1e-13);
    curand_normal2(&state);
    curand_log_normal(&state, 0.5f, 0.25f);
    curand_log_normal_double(&state, 0.5, 0.25);
    curand_normal2_double(&state);
    bad += curand(&state) != k.last;
    wrong[threadIdx.x] = bad;
}

// A jump is as long as the drawing that it replaces.
template <typename S> __device__ int check_jump() {
    S walker, jumper;
    curand_init(99, 3, 0, &walker);
    curand_init(99, 3, 1000, &jumper);
    for (int i = 0; i < 1000; i++)
        curand(&walker);
    int wrong = curand(&walker) != curand(&jumper);
    for (int i = 0; i < 129; i++)
        curand(&walker);
    skipahead(129ull, &jumper);
    return wrong + (curand(&walker) != curand(&jumper));
}

__global__ void check_jumps(int *wrong) {
    *wrong = check_jump<curandState>() + 10 * check_jump<curandStatePhilox4_32_10_t>() +
             100 * check_jump<curandStateMRG32k3a_t>();
}

template <typename S> int run(const char *name, const known *answers, int count) {
    known *all;
    int *wrong, total = 0;
    cudaMallocManaged(&all, count * sizeof(known));
    cudaMallocManaged(&wrong, count * sizeof(int));
    memcpy(all, answers, count * sizeof(known));
    check<S><<<1, count>>>(all, wrong);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int i = 0; i < count; i++) {
        if (wrong[i])
            printf("%s, seed %llu, subsequence %llu, offset %llu: %d wrong\n", name, all[i].seed,
                   all[i].subsequence, all[i].offset, wrong[i]);
        total += wrong[i];
    }
    return total;
}

const known xorwow[] = {
    {0x0ull,
     0x0ull,
     0x0ull,
     {0xbd7f03b6u, 0x703e556du, 0x845af0c5u, 0x283067fdu, 0x1245241fu, 0x7666f33fu},
     0.227643266f,
     {0.14406516578192247, 0.91538356654639008},
     {-0.175963923f, 1.09587717f, -0.900676131f},
     0x3af0dd85u,
     {-0.13700821499879015, 0.7255692709741699},
     0x81ab990cu},
    {0x4d2ull,
     0x0ull,
     0x0ull,
     {0x253d5e15u, 0x6f558604u, 0xdee6daf2u, 0x7485b394u, 0xdb6a6a85u, 0x95195c6bu},
     0.201403871f,
     {0.30077175010334462, 0.57685927422247207},
     {-0.017826112f, -0.863845706f, -0.779643714f},
     0x95269734u,
     {-1.1400423286895986, -0.73798139283697717},
     0xe0fa1bf5u},
    {0x4d2ull,
     0x1ull,
     0x0ull,
     {0xd1f7605au, 0xed29ae49u, 0x83030ed9u, 0x899fbaf4u, 0xcf2ac63bu, 0x047c6db7u},
     0.449337572f,
     {0.13630766399847177, 0.10368333802649504},
     {-0.189703569f, -0.715442419f, -0.544933915f},
     0xf5a85e2du,
     {0.39351803389289169, -0.38391169983213314},
     0x1a58a566u},
    {0x4d2ull,
     0x5ull,
     0x7ull,
     {0xc7c04273u, 0xd8577152u, 0x18c2f892u, 0x45ebfbe1u, 0x291c2b37u, 0x84bfaa09u},
     0.126060918f,
     {0.1904287413044618, 0.56366408276384328},
     {0.254393876f, -0.0866594389f, 0.628266215f},
     0xdb24e3f0u,
     {0.15508582611065838, 0.87561208504727484},
     0xc315dce8u},
    {0xdeadbeefcafef00dull,
     0x1cbe991a14ull,
     0x16fee0e525ull,
     {0x81c06e10u, 0xa2b5a286u, 0x9681db49u, 0x10b6eefau, 0xff57b38au, 0xe49df3a3u},
     0.686706424f,
     {0.19886789820881018, 0.71918551091058269},
     {-2.19562554f, -1.65716076f, -0.504815102f},
     0xd451b9eau,
     {-0.91875537407904928, -0.80638306400372239},
     0xfbad7e9eu},
    {0x2aull,
     0x0ull,
     0x3ull,
     {0x8a2920e0u, 0x449de27fu, 0xd7e062ffu, 0xb4ad5c88u, 0xe7d88bf9u, 0xc76a661eu},
     0.904594898f,
     {0.79479147575353659, 0.53212682608657569},
     {0.587923467f, -0.654624879f, 2.19200182f},
     0x2220ee4fu,
     {-1.3562308888017285, 1.337616102427799},
     0xf9446d7cu},
    {0x2aull,
     0x7fffffffffffffffull,
     0x1ull,
     {0x06ee86ccu, 0xc0caf870u, 0x6abb08b2u, 0x1d8321d7u, 0x405f0b4du, 0x99cb0acdu},
     0.580928504f,
     {0.15576571055855898, 0.41989835175149176},
     {-0.0645139143f, -0.363608032f, 2.48516297f},
     0x0bd9f3c6u,
     {0.58347057155858895, 0.062705306105486247},
     0x6df93693u},
    {0x2aull,
     0x1ull,
     0xfffffffffffffffull,
     {0x2ebca40bu, 0xaf21a4dfu, 0x26f7abc0u, 0x46d5030fu, 0x3b2abad2u, 0xf6c4c934u},
     0.13363111f,
     {0.94516595818386984, 0.21574825201243214},
     {-0.078682594f, -0.673089206f, -0.873082817f},
     0xe69462ceu,
     {-1.5756307834590935, 0.99601089052843639},
     0x092df89eu},
};

const known philox[] = {
    {0x0ull,
     0x0ull,
     0x0ull,
     {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u, 0xf8e4cca4u, 0x5cb200dbu},
     0.693930924f,
     {0.037094080820679665, 0.019449422601610422},
     {1.16975224f, 0.956041455f, -1.56994998f},
     0x6a4474a6u,
     {-1.2240824964382686, -0.45233983193182509},
     0xb856e2f8u},
    {0x4d2ull,
     0x0ull,
     0x0ull,
     {0x2090b348u, 0xda7cf0abu, 0x4401906fu, 0xcbca470eu, 0x9eeede35u, 0x1cbe137cu},
     0.977164328f,
     {0.080060798907652497, 0.24917273805476725},
     {-0.169133276f, 0.0517143905f, -1.08497286f},
     0x23b73d6bu,
     {-0.2162716565683597, 0.38200588207008529},
     0x925f4117u},
    {0x4d2ull,
     0x1ull,
     0x0ull,
     {0xd115a128u, 0x52fc7c75u, 0xc7f33f17u, 0x0f1539dbu, 0x07129e5fu, 0x653d7a73u},
     0.115283117f,
     {0.52732888981699944, 0.17193037923425436},
     {0.910589576f, -1.27467072f, 0.840233922f},
     0xe39fc1a5u,
     {-1.7157558831392012, -1.365696225823962},
     0x0452a65eu},
    {0x4d2ull,
     0x5ull,
     0x7ull,
     {0x72c26332u, 0x26a9bd1bu, 0xd88ecb0du, 0x088f2111u, 0xd1e85602u, 0xc19c9fa2u},
     0.219480887f,
     {0.32289216038770974, 0.39658901444636285},
     {-0.0699389204f, -0.0768617764f, 1.63046217f},
     0x30a90bebu,
     {-0.47231780965683601, -0.72306174051975025},
     0x51a5916bu},
    {0xdeadbeefcafef00dull,
     0x1cbe991a14ull,
     0x16fee0e525ull,
     {0xa96a51cau, 0x24a6bb4cu, 0x3b3d5636u, 0xaa2ef857u, 0x4ac80109u, 0xac420ae6u},
     0.674122632f,
     {0.70618945988826454, 0.78763332380913198},
     {-0.154933184f, 0.31302619f, 0.60114485f},
     0x2937c05fu,
     {0.85999126588120622, 0.55208642125499274},
     0xdbf867a7u},
    {0x2aull,
     0x0ull,
     0x3ull,
     {0x5742b3d7u, 0xfcdb2127u, 0x53ba6cfdu, 0x838f5a6eu, 0x744e06fbu, 0xd36c0225u},
     0.658315539f,
     {0.60274395952001214, 0.77358468482270837},
     {-0.697366059f, -0.379737139f, 0.711399913f},
     0x539023bcu,
     {1.380806996219184, -0.59595922683675462},
     0x22658bcbu},
    {0x2aull,
     0x7fffffffffffffffull,
     0x1ull,
     {0xcd361dd0u, 0x01c7e075u, 0x2ae1afc4u, 0xe4b38071u, 0xef34a45au, 0x93fa3af4u},
     0.246371925f,
     {0.75495159835554659, 0.24539659800939262},
     {0.974814534f, -1.4834162f, -0.0321910568f},
     0xcdda62e4u,
     {2.0348055611084725, 1.2498548788245463},
     0x8e01a4c2u},
    {0x2aull,
     0x1ull,
     0xfffffffffffffffull,
     {0x3aa6c305u, 0xf5ddc668u, 0x792db868u, 0xd1b3defbu, 0x7e834be4u, 0x9cfd7f20u},
     0.0855700821f,
     {0.26542452396824956, 0.77780434698797762},
     {1.63563681f, 1.19411123f, -1.58843863f},
     0x5fa17c43u,
     {-0.44766766475119429, -1.8129323733030236},
     0x31a418aau},
};

const known mrg32k3a[] = {
    {0x0ull,
     0x0ull,
     0x0ull,
     {0x2083cd07u, 0x518b05c4u, 0x4f26d091u, 0xd36ab334u, 0x38bcbcf8u, 0x888c99a3u},
     0.480774194f,
     {0.35555987952091145, 0.13598841042760243},
     {-0.342004538f, -0.665471077f, 1.18460739f},
     0x3d896a8bu,
     {-0.56303418315795295, 0.81937699672297548},
     0xadc82a0bu},
    {0x4d2ull,
     0x0ull,
     0x0ull,
     {0xc96891f0u, 0x9650c684u, 0x0cbc7881u, 0x5fa111cdu, 0x864a3897u, 0xfa61def9u},
     0.399929374f,
     {0.80102633694524517, 0.32358865594259212},
     {0.350855649f, -1.0831244f, 0.620479584f},
     0x327966e5u,
     {-1.1641718988979646, 0.36739220363653741},
     0x8688296au},
    {0x4d2ull,
     0x1ull,
     0x0ull,
     {0x26f0d612u, 0xac5068d7u, 0xa3dbc910u, 0x8fa62437u, 0x76c19809u, 0x815d3185u},
     0.38535285f,
     {0.097930522278761298, 0.11438919857780974},
     {2.56636691f, 0.014800258f, -0.562113702f},
     0xcbb5e30au,
     {1.2354987138835503, -0.54336100121521069},
     0x204962d6u},
    {0x4d2ull,
     0x5ull,
     0x7ull,
     {0x7b4fe4e9u, 0x1bfc281du, 0x28a56de6u, 0x3765d63cu, 0xda9da40eu, 0x8b8998e1u},
     0.912206352f,
     {0.25469013332162005, 0.22010134346810656},
     {-0.549496174f, -1.19485295f, -1.06467533f},
     0x9a9dfcf0u,
     {-3.0876024794306018, -1.5306148976480922},
     0xd35e14e5u},
    {0xdeadbeefcafef00dull,
     0x1cbe991a14ull,
     0x16fee0e525ull,
     {0x7dbb1465u, 0x6235c828u, 0x4496703fu, 0x62b8406du, 0xb1de7bfbu, 0x4f2e922eu},
     0.580801427f,
     {0.47850490594457962, 0.38916625323140691},
     {0.800188601f, -1.97458959f, 1.19698942f},
     0xf6b28e80u,
     {-1.1829598487663786, 1.5986493647320212},
     0xd8cdbfc2u},
    {0x2aull,
     0x0ull,
     0x3ull,
     {0x4c8581b9u, 0x27a2af84u, 0xd94920aau, 0x5d11cff7u, 0xef3b6bc4u, 0xd84e64f1u},
     0.235282376f,
     {0.92744307379135926, 0.41146855894404671},
     {-0.971666038f, 0.118707664f, 1.94536483f},
     0x981b743au,
     {0.61634586084576426, -0.42271222525728697},
     0xa3c75fb3u},
    {0x2aull,
     0x1ull,
     0xfffffffffffffffull,
     {0xd287099fu, 0x8bb73351u, 0x1e0fa00fu, 0x5bf2de10u, 0x405deffdu, 0x1bad8c26u},
     0.204917699f,
     {0.15292515418523858, 0.27961197249565795},
     {-1.77656877f, 0.996201396f, 1.11289477f},
     0x5dd7baaau,
     {-0.65709508453458809, -1.9304076413888294},
     0x01043e77u},
};

int main() {
    int total = run<curandState>("xorwow", xorwow, sizeof xorwow / sizeof *xorwow);
    total += run<curandStatePhilox4_32_10_t>("philox", philox, sizeof philox / sizeof *philox);
    total += run<curandStateMRG32k3a_t>("mrg32k3a", mrg32k3a, sizeof mrg32k3a / sizeof *mrg32k3a);
    int *jumps;
    cudaMallocManaged(&jumps, sizeof(int));
    check_jumps<<<1, 1>>>(jumps);
    if (cudaDeviceSynchronize() != cudaSuccess || *jumps)
        total++;
    printf("wrong: %d, jumps: %d\n", total, *jumps);
    return total != 0;
}
