// Graphs that are made by hand: nodes and edges, what is launched of them and changed in it, their
// memory, and the order in which they are done.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "kernels.h"

enum { LOG = 256 };

static gclGraph_t make_graph(void) {
    gclGraph_t graph;
    check_success(gclGraphCreate(&graph, 0));
    return graph;
}

static gclGraphNode_t add_empty(gclGraph_t graph, const gclGraphNode_t *before, size_t count) {
    gclGraphNode_t node;
    check_success(gclGraphAddEmptyNode(&node, graph, before, count));
    return node;
}

static struct gclKernelNodeParams kernel_of(const char *stub, void **arguments) {
    return (struct gclKernelNodeParams){.func = (void *)(uintptr_t)stub,
                                        .gridDim = {1, 1, 1},
                                        .blockDim = {1, 1, 1},
                                        .kernelParams = arguments};
}

/// A node that appends a value to a log.
static gclGraphNode_t add_append(gclGraph_t graph, const gclGraphNode_t *before, size_t count,
                                 int *log, int value) {
    struct gclKernelNodeParams p = kernel_of(&test_append, (void *[]){&log, &value});
    gclGraphNode_t node;
    check_success(gclGraphAddKernelNode(&node, graph, before, count, &p));
    return node;
}

static int *make_log(void) {
    int *log;
    check_success(gclMallocManaged((void **)&log, LOG * sizeof *log, gclMemAttachGlobal));
    memset(log, 0, LOG * sizeof *log);
    return log;
}

static gclGraphExec_t instantiate(gclGraph_t graph) {
    gclGraphExec_t execution;
    check_success(gclGraphInstantiate(&execution, graph, 0));
    return execution;
}

static void launch(gclGraphExec_t execution) {
    check_success(gclGraphLaunch(execution, NULL));
    check_success(gclDeviceSynchronize());
}

static void nodes_and_edges_are_listed(void **state) {
    gclGraph_t graph = make_graph();
    gclGraphNode_t a = add_empty(graph, NULL, 0), b = add_empty(graph, &a, 1);
    gclGraphNode_t c = add_empty(graph, (gclGraphNode_t[]){a, b}, 2);
    gclGraphNode_t nodes[4], from[4], to[4];
    enum gclGraphNodeType type;
    size_t count = 0;
    (void)state;
    check_success(gclGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, 3);
    count = 4;
    check_success(gclGraphGetNodes(graph, nodes, &count));
    assert_int_equal(count, 3);
    assert_ptr_equal(nodes[0], a);
    assert_null(nodes[3]);
    check_success(gclGraphGetRootNodes(graph, nodes, &count));
    assert_int_equal(count, 1);
    assert_ptr_equal(nodes[0], a);
    count = 4;
    check_success(gclGraphGetEdges(graph, from, to, &count));
    assert_int_equal(count, 3);
    assert_ptr_equal(to[2], c);
    count = 4;
    check_success(gclGraphNodeGetDependentNodes(a, nodes, &count));
    assert_int_equal(count, 2);
    check_success(gclGraphNodeGetType(a, &type));
    assert_int_equal(type, gclGraphNodeTypeEmpty);
    check_error(gclGraphAddDependencies(graph, &a, &b, 1), gclErrorInvalidValue); // it is there
    check_error(gclGraphAddDependencies(graph, &a, &a, 1), gclErrorInvalidValue);
    check_success(gclGraphRemoveDependencies(graph, &a, &b, 1));
    check_error(gclGraphRemoveDependencies(graph, &a, &b, 1), gclErrorInvalidValue);
    check_success(gclGraphDestroyNode(b));
    check_success(gclGraphNodeGetDependencies(c, NULL, &count));
    assert_int_equal(count, 1);
    gclGraph_t other = make_graph();
    check_error(gclGraphAddEmptyNode(&b, other, &a, 1), gclErrorInvalidValue);
    check_error(gclGraphAddEmptyNode(&b, graph, (gclGraphNode_t[]){a, a}, 2), gclErrorInvalidValue);
    check_success(gclGraphDestroy(other));
    check_success(gclGraphDestroy(graph));
}

static void cycles_are_refused(void **state) {
    gclGraph_t graph = make_graph();
    gclGraphNode_t a = add_empty(graph, NULL, 0), b = add_empty(graph, &a, 1);
    gclGraphInstantiateParams p = {.flags = 0};
    gclGraphExec_t execution;
    (void)state;
    check_success(gclGraphAddDependencies(graph, &b, &a, 1));
    check_error(gclGraphInstantiate(&execution, graph, 0), gclErrorInvalidValue);
    check_error(gclGraphInstantiateWithParams(&execution, graph, &p), gclErrorInvalidValue);
    assert_int_equal(p.result_out, gclGraphInstantiateInvalidStructure);
    assert_true(p.errNode_out == a || p.errNode_out == b);
    check_success(gclGraphRemoveDependencies(graph, &a, &b, 1)); // b before a, which came first
    check_error(gclGraphInstantiate(&execution, graph, gclGraphInstantiateFlagDeviceLaunch),
                gclErrorNotSupported);
    execution = instantiate(graph);
    launch(execution);
    check_success(gclGraphExecDestroy(execution));
    check_success(gclGraphDestroy(graph));
}

enum { RANDOM_COUNT = 40 };

/// Random edges that make no cycle, along and against the order in which nodes are added.
struct random_graph {
    int rank[RANDOM_COUNT];
    bool is_before[RANDOM_COUNT][RANDOM_COUNT]; ///< by edges, and by ways of several
    int turns[RANDOM_COUNT];                    ///< when nodes that are host functions were done
};

static atomic_int turn;

static void take_turn(void *data) {
    *(int *)data = atomic_fetch_add(&turn, 1);
}

static void add_random_edges(struct random_graph *r, gclGraph_t graph, gclGraphNode_t *nodes,
                             int count, unsigned *seed) {
    for (int i = 0; i < count; i++) {
        int from = rand_r(seed) % RANDOM_COUNT, to = rand_r(seed) % RANDOM_COUNT;
        if (r->rank[from] >= r->rank[to] || r->is_before[from][to])
            continue;
        r->is_before[from][to] = true;
        check_success(gclGraphAddDependencies(graph, &nodes[from], &nodes[to], 1));
    }
    for (int via = 0; via < RANDOM_COUNT; via++) {
        for (int i = 0; i < RANDOM_COUNT; i++) {
            for (int n = 0; n < RANDOM_COUNT; n++)
                r->is_before[i][n] |= r->is_before[i][via] && r->is_before[via][n];
        }
    }
}

/// Host functions note their turns; between them kernels take a while.
static void check_random_graph(int edges, unsigned *seed) {
    struct random_graph r = {.rank = {0}};
    gclGraphNode_t nodes[RANDOM_COUNT];
    gclGraph_t graph = make_graph();
    int ms = 1;
    for (int i = 0; i < RANDOM_COUNT; i++) {
        struct gclHostNodeParams call = {.fn = take_turn, .userData = &r.turns[i]};
        struct gclKernelNodeParams delay = kernel_of(&test_sleep, (void *[]){&ms});
        r.rank[i] = rand_r(seed) % 1000 * RANDOM_COUNT + i;
        if (i % 8 == 3)
            check_success(gclGraphAddKernelNode(&nodes[i], graph, NULL, 0, &delay));
        else
            check_success(gclGraphAddHostNode(&nodes[i], graph, NULL, 0, &call));
    }
    add_random_edges(&r, graph, nodes, edges, seed);
    gclGraphExec_t execution = instantiate(graph);
    launch(execution);
    for (int i = 0; i < RANDOM_COUNT; i++) {
        for (int n = 0; n < RANDOM_COUNT; n++)
            assert_true(!r.is_before[i][n] || i % 8 == 3 || n % 8 == 3 || r.turns[i] < r.turns[n]);
    }
    check_success(gclGraphExecDestroy(execution));
    check_success(gclGraphDestroy(graph));
}

static void edges_are_kept(void **state) {
    unsigned seed = 1;
    (void)state;
    for (int trial = 0; trial < 30; trial++)
        check_random_graph(trial * 6, &seed);
}

static void branches_run_beside_each_other(void **state) {
    int *flag = make_log(), taken, before = atomic_load(&turn);
    gclGraph_t graph = make_graph();
    gclGraphNode_t waits, calls;
    struct gclKernelNodeParams p = kernel_of(&test_await, (void *[]){&flag});
    struct gclHostNodeParams call = {.fn = take_turn, .userData = &taken};
    (void)state;
    check_success(gclGraphAddKernelNode(&waits, graph, NULL, 0, &p));
    check_success(gclGraphAddHostNode(&calls, graph, NULL, 0, &call));
    gclGraphExec_t execution = instantiate(graph);
    check_success(gclGraphLaunch(execution, NULL));
    for (int i = 0; i < 10000 && atomic_load(&turn) == before; i++)
        pause_ms(1);
    assert_int_equal(atomic_load(&turn), before + 1);
    check_error(gclStreamQuery(NULL), gclErrorNotReady); // both are part of what it was given
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    check_success(gclStreamSynchronize(NULL));
    check_success(gclGraphExecDestroy(execution));
    check_success(gclGraphDestroy(graph));
    check_success(gclFree(flag));
}

static void what_nodes_do_can_be_changed(void **state) {
    int *log = make_log(), value = 2;
    gclGraph_t graph = make_graph();
    gclGraphNode_t a = add_append(graph, NULL, 0, log, 1), b = add_append(graph, &a, 1, log, 5);
    struct gclKernelNodeParams p;
    unsigned is_enabled;
    (void)state;
    check_success(gclGraphKernelNodeGetParams(a, &p));
    assert_int_equal(*(int *)p.kernelParams[1], 1);
    gclGraphExec_t execution = instantiate(graph);
    p.kernelParams = (void *[]){&log, &value};
    check_success(gclGraphKernelNodeSetParams(a, &p));
    launch(execution); // isn't changed by that
    assert_int_equal(log[1], 1);
    check_success(gclGraphExecKernelNodeSetParams(execution, a, &p));
    launch(execution);
    assert_int_equal(log[3], 2);
    check_success(gclGraphNodeSetEnabled(execution, b, 0));
    check_success(gclGraphNodeGetEnabled(execution, b, &is_enabled));
    assert_int_equal(is_enabled, 0);
    launch(execution);
    assert_int_equal(log[0], 5);
    p.gridDim.x = 0;
    check_error(gclGraphExecKernelNodeSetParams(execution, a, &p), gclErrorInvalidConfiguration);
    struct gclHostNodeParams host = {.fn = NULL};
    check_error(gclGraphExecHostNodeSetParams(execution, a, &host), gclErrorInvalidValue);
    check_success(gclGraphExecDestroy(execution));
    check_success(gclGraphDestroy(graph));
    check_success(gclFree(log));
}

static void graphs_that_fit_replace_what_is_launched(void **state) {
    int *log = make_log();
    gclGraph_t one = make_graph(), two = make_graph(), other = make_graph();
    gclGraphNode_t a = add_append(one, NULL, 0, log, 1), b = add_append(two, NULL, 0, log, 3);
    gclGraphExecUpdateResultInfo info;
    (void)state;
    add_append(one, &a, 1, log, 2);
    add_append(two, &b, 1, log, 4);
    gclGraphExec_t execution = instantiate(one);
    check_success(gclGraphExecUpdate(execution, two, &info));
    assert_int_equal(info.result, gclGraphExecUpdateSuccess);
    launch(execution);
    assert_int_equal(log[1], 3);
    assert_int_equal(log[2], 4);
    add_append(other, NULL, 0, log, 5);
    gclGraphNode_t apart = add_append(other, NULL, 0, log, 6);
    check_error(gclGraphExecUpdate(execution, other, &info), gclErrorGraphExecUpdateFailure);
    assert_int_equal(info.result, gclGraphExecUpdateErrorTopologyChanged);
    assert_ptr_equal(info.errorNode, apart);
    check_success(gclGraphDestroyNode(apart));
    gclGraphNode_t first;
    size_t count = 1;
    check_success(gclGraphGetNodes(other, &first, &count));
    apart = add_empty(other, &first, 1);
    check_error(gclGraphExecUpdate(execution, other, &info), gclErrorGraphExecUpdateFailure);
    assert_int_equal(info.result, gclGraphExecUpdateErrorNodeTypeChanged);
    check_success(gclGraphExecDestroy(execution));
    for (gclGraph_t *graph = (gclGraph_t[]){one, two, other, NULL}; *graph; graph++)
        check_success(gclGraphDestroy(*graph));
    check_success(gclFree(log));
}

static void copies_are_graphs_of_their_own(void **state) {
    int *log = make_log(), value = 9;
    gclGraph_t graph = make_graph(), clone, child;
    gclGraphNode_t a = add_append(graph, NULL, 0, log, 1), copy, within, last;
    struct gclKernelNodeParams p = kernel_of(&test_append, (void *[]){&log, &value});
    (void)state;
    check_success(gclGraphClone(&clone, graph));
    check_success(gclGraphNodeFindInClone(&copy, a, clone));
    check_error(gclGraphNodeFindInClone(&copy, a, graph), gclErrorInvalidValue);
    check_success(gclGraphKernelNodeSetParams(copy, &p));
    gclGraph_t outer = make_graph();
    check_success(gclGraphAddChildGraphNode(&within, outer, NULL, 0, clone));
    check_success(gclGraphDestroy(clone));
    last = add_append(outer, &within, 1, log, 3);
    check_success(gclGraphChildGraphNodeGetGraph(within, &child));
    check_error(gclGraphDestroy(child), gclErrorInvalidValue);
    gclGraphExec_t execution = instantiate(outer);
    launch(execution);
    assert_int_equal(log[1], 9);
    assert_int_equal(log[2], 3);
    size_t count = 1;
    check_success(gclGraphGetNodes(child, &copy, &count));
    value = 10;
    check_success(gclGraphExecKernelNodeSetParams(execution, copy, &p)); // a node within
    check_success(gclGraphNodeSetEnabled(execution, last, 0));
    launch(execution);
    assert_int_equal(log[3], 10);
    check_success(gclGraphExecChildGraphNodeSetParams(execution, within, graph));
    launch(execution);
    assert_int_equal(log[4], 1);
    check_error(gclGraphExecChildGraphNodeSetParams(execution, within, outer),
                gclErrorInvalidValue);
    check_success(gclGraphExecDestroy(execution));
    check_success(gclGraphDestroy(outer));
    check_success(gclGraphDestroy(graph));
    check_success(gclFree(log));
}

static struct gclMemAllocNodeParams memory_of(size_t size) {
    return (struct gclMemAllocNodeParams){
        .poolProps = {.allocType = gclMemAllocationTypePinned,
                      .location = {.type = gclMemLocationTypeDevice, .id = 0}},
        .bytesize = size};
}

static uint64_t used(enum gclGraphMemAttributeType attribute) {
    uint64_t value;
    check_success(gclDeviceGetGraphMemAttribute(0, attribute, &value));
    return value;
}

static void memory_lives_from_launch_to_free(void **state) {
    gclGraph_t graph = make_graph(), clone;
    struct gclMemAllocNodeParams p = memory_of(1 << 20), got;
    gclGraphNode_t node, other;
    gclGraphExec_t execution, second;
    size_t before, after, total;
    (void)state;
    check_success(gclMemGetInfo(&before, &total));
    check_success(gclGraphAddMemAllocNode(&node, graph, NULL, 0, &p));
    assert_non_null(p.dptr);
    check_success(gclGraphMemAllocNodeGetParams(node, &got));
    assert_ptr_equal(got.dptr, p.dptr);
    check_error(gclGraphClone(&clone, graph), gclErrorNotSupported);
    check_error(gclGraphAddChildGraphNode(&other, graph, NULL, 0, graph), gclErrorNotSupported);
    execution = instantiate(graph);
    check_error(gclGraphInstantiate(&second, graph, 0), gclErrorNotSupported);
    assert_int_equal(used(gclGraphMemAttrUsedMemCurrent), 0);
    launch(execution);
    assert_int_equal(used(gclGraphMemAttrUsedMemCurrent), 1 << 20);
    check_error(gclGraphLaunch(execution, NULL), gclErrorInvalidValue); // it isn't free
    check_success(gclMemset(p.dptr, 1, 1 << 20));
    check_success(gclFree(p.dptr));
    check_error(gclFree(p.dptr), gclErrorInvalidValue);
    launch(execution);
    check_success(gclFreeAsync(p.dptr, NULL));
    check_success(gclGraphExecDestroy(execution));
    check_success(gclGraphInstantiate(&execution, graph, gclGraphInstantiateFlagAutoFreeOnLaunch));
    launch(execution);
    launch(execution);
    check_success(gclGraphExecDestroy(execution));
    check_success(gclGraphDestroy(graph));
    check_success(gclMemset(p.dptr, 2, 1 << 20)); // it is the program's
    check_success(gclFree(p.dptr));
    check_success(gclMemGetInfo(&after, &total));
    assert_int_equal(before, after);
    assert_int_equal(used(gclGraphMemAttrReservedMemCurrent), 0);
    assert_int_equal(used(gclGraphMemAttrUsedMemHigh), 1 << 20);
}

static void memory_is_freed_by_one_node(void **state) {
    gclGraph_t graph = make_graph(), other = make_graph();
    struct gclMemAllocNodeParams p = memory_of(4096);
    gclGraphNode_t node, freeing, again;
    void *memory;
    (void)state;
    check_success(gclMalloc(&memory, 16));
    check_error(gclGraphAddMemFreeNode(&freeing, graph, NULL, 0, memory), gclErrorInvalidValue);
    check_success(gclFree(memory));
    check_success(gclGraphAddMemAllocNode(&node, graph, NULL, 0, &p));
    check_success(gclGraphAddMemFreeNode(&freeing, other, NULL, 0, p.dptr));
    check_error(gclGraphAddMemFreeNode(&again, graph, &node, 1, p.dptr), gclErrorInvalidValue);
    gclGraphExec_t first = instantiate(graph), second = instantiate(other);
    for (int i = 0; i < 2; i++) {
        launch(first);
        launch(second);
    }
    check_success(gclGraphExecDestroy(first));
    check_success(gclGraphExecDestroy(second));
    check_success(gclGraphDestroy(graph));
    check_success(gclGraphDestroy(other));
    assert_int_equal(used(gclGraphMemAttrReservedMemCurrent), 0);
}

static void streams_allocate_in_graphs(void **state) {
    gclStream_t stream;
    gclGraph_t graph;
    int *memory, value = 6, result = 0;
    (void)state;
    check_success(gclStreamCreateWithFlags(&stream, gclStreamNonBlocking));
    check_success(gclStreamBeginCapture(stream, gclStreamCaptureModeGlobal));
    check_success(gclMallocAsync((void **)&memory, sizeof *memory, stream));
    check_success(TEST_LAUNCH(test_store, 1, 1, stream, &memory, &value));
    check_success(gclMemcpyAsync(&result, memory, sizeof result, gclMemcpyDeviceToHost, stream));
    check_success(gclFreeAsync(memory, stream));
    check_success(gclStreamEndCapture(stream, &graph));
    gclGraphExec_t execution = instantiate(graph);
    check_success(gclGraphDestroy(graph));
    for (int i = 0; i < 3; i++) {
        result = 0;
        check_success(gclGraphLaunch(execution, stream));
        check_success(gclStreamSynchronize(stream));
        assert_int_equal(result, 6);
    }
    check_success(gclGraphExecDestroy(execution));
    check_success(gclStreamDestroy(stream));
    assert_int_equal(used(gclGraphMemAttrReservedMemCurrent), 0);
}

static void launches_can_be_captured(void **state) {
    int *log = make_log();
    gclGraph_t graph = make_graph(), outer;
    gclStream_t stream;
    (void)state;
    add_append(graph, NULL, 0, log, 7);
    gclGraphExec_t execution = instantiate(graph);
    check_success(gclStreamCreate(&stream));
    check_success(gclStreamBeginCapture(stream, gclStreamCaptureModeRelaxed));
    check_success(gclGraphLaunch(execution, stream));
    check_success(gclGraphLaunch(execution, stream));
    check_success(gclStreamEndCapture(stream, &outer));
    check_success(gclGraphExecDestroy(execution));
    execution = instantiate(outer);
    launch(execution);
    assert_int_equal(log[0], 2);
    check_success(gclGraphExecDestroy(execution));
    check_success(gclGraphDestroy(outer));
    check_success(gclGraphDestroy(graph));
    check_success(gclStreamDestroy(stream));
    check_success(gclFree(log));
}

static void count_destroyed(void *object) {
    ++*(int *)object;
}

static void objects_live_as_long_as_graphs(void **state) {
    int destroyed = 0;
    gclUserObject_t object;
    gclGraph_t graph = make_graph();
    (void)state;
    check_error(gclUserObjectCreate(&object, &destroyed, count_destroyed, 1, 0),
                gclErrorInvalidValue);
    check_success(gclUserObjectCreate(&object, &destroyed, count_destroyed, 1,
                                      gclUserObjectNoDestructorSync));
    check_success(gclGraphRetainUserObject(graph, object, 1, 0));
    check_success(gclUserObjectRelease(object, 1));
    gclGraphExec_t execution = instantiate(graph);
    check_success(gclGraphDestroy(graph));
    assert_int_equal(destroyed, 0);
    check_success(gclGraphExecDestroy(execution));
    assert_int_equal(destroyed, 1);
    graph = make_graph();
    check_success(gclUserObjectCreate(&object, &destroyed, count_destroyed, 2,
                                      gclUserObjectNoDestructorSync));
    check_success(gclGraphRetainUserObject(graph, object, 2, gclGraphUserObjectMove));
    check_error(gclGraphReleaseUserObject(graph, object, 3), gclErrorInvalidValue);
    check_success(gclGraphReleaseUserObject(graph, object, 1));
    check_success(gclGraphDestroy(graph));
    assert_int_equal(destroyed, 2);
}

static void graphs_are_drawn(void **state) {
    char path[] = "/tmp/gcl_graph_XXXXXX", text[4096];
    int *log = make_log();
    gclGraph_t graph = make_graph();
    gclGraphNode_t a = add_append(graph, NULL, 0, log, 1);
    (void)state;
    add_empty(graph, &a, 1);
    int file = mkstemp(path);
    assert_true(file >= 0);
    check_success(gclGraphDebugDotPrint(graph, path, gclGraphDebugDotFlagsVerbose));
    ssize_t size = read(file, text, sizeof text - 1);
    assert_true(size > 0);
    text[size] = 0;
    assert_non_null(strstr(text, "digraph"));
    assert_non_null(strstr(text, "kernel\\n"));
    assert_non_null(strstr(text, "<<<1 1 1, 1 1 1, 0>>>"));
    assert_non_null(strstr(text, " -> "));
    close(file);
    unlink(path);
    check_success(gclGraphDestroy(graph));
    check_success(gclFree(log));
}

static void any_node_is_added_by_its_type(void **state) {
    int *log = make_log(), value = 4;
    gclGraph_t graph = make_graph();
    struct gclGraphNodeParams p = {.type = gclGraphNodeTypeKernel};
    gclGraphNode_t node;
    (void)state;
    p.kernel = kernel_of(&test_append, (void *[]){&log, &value});
    check_success(gclGraphAddNode(&node, graph, NULL, 0, &p));
    const gclGraphEdgeData edge = {.type = gclGraphDependencyTypeProgrammatic};
    check_error(gclGraphAddNode_v2(&node, graph, &node, &edge, 1, &p), gclErrorNotSupported);
    p.type = gclGraphNodeTypeConditional;
    check_error(gclGraphAddNode(&node, graph, NULL, 0, &p), gclErrorNotSupported);
    gclGraphExec_t execution = instantiate(graph);
    launch(execution);
    assert_int_equal(log[1], 4);
    p.type = gclGraphNodeTypeKernel;
    value = 5;
    check_success(gclGraphExecNodeSetParams(execution, node, &p));
    launch(execution);
    assert_int_equal(log[2], 5);
    check_success(gclGraphExecDestroy(execution));
    check_success(gclGraphDestroy(graph));
    check_success(gclFree(log));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_and_edges_are_listed),
        cmocka_unit_test(cycles_are_refused),
        cmocka_unit_test(edges_are_kept),
        cmocka_unit_test(branches_run_beside_each_other),
        cmocka_unit_test(what_nodes_do_can_be_changed),
        cmocka_unit_test(graphs_that_fit_replace_what_is_launched),
        cmocka_unit_test(copies_are_graphs_of_their_own),
        cmocka_unit_test(memory_lives_from_launch_to_free),
        cmocka_unit_test(memory_is_freed_by_one_node),
        cmocka_unit_test(streams_allocate_in_graphs),
        cmocka_unit_test(launches_can_be_captured),
        cmocka_unit_test(objects_live_as_long_as_graphs),
        cmocka_unit_test(graphs_are_drawn),
        cmocka_unit_test(any_node_is_added_by_its_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
