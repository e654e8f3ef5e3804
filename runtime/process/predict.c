// A prediction is a job whose other nodes don't exist: the communicator tells nobody, node 0 rests
// all the time, and the largest cluster asked for gives the number of nodes.
#include "process/predict.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "exec/device/cpu.h"
#include "exec/forecast/predict.h"
#include "process/nodes.h"
#include "process/resources.h"
#include "process/runtime.h"

/// The engine itself says that it gives up, and there is nobody to tell.
static void give_up(void *context, const char *reason) {
    (void)context, (void)reason;
}

static void tell_nobody(void *context, const void *bytes, size_t size) {
    (void)context, (void)bytes, (void)size;
}

static struct gcl_communicator communicator(void *context) {
    (void)context;
    return (struct gcl_communicator){.broadcast = tell_nobody, .give_up = give_up};
}

void gcl_predict_join(struct gcl_runtime *r) {
    assert(r->env.predict.count > 0);
    r->place.count = r->env.predict.counts[r->env.predict.count - 1];
    r->peers = (struct gcl_peers){.communicator = communicator};
    r->device = gcl_device_cpu();
}

bool gcl_predict_begin(struct gcl_runtime *r) {
    struct gcl_forecast_cluster cluster = gcl_resources_predicted(r);
    r->predict = gcl_predict_create(&r->env.predict, &cluster);
    return r->predict != NULL;
}

static void draw(const struct gcl_prediction *prediction, const char *path) {
    FILE *file = fopen(path, "we");
    if (file)
        gcl_prediction_draw(prediction, file);
    bool is_written = file && !ferror(file);
    if (!file || fclose(file) != 0 || !is_written)
        gcl_log(GCL_LOG_ERROR, "%s can't be written: %s", path, strerror(errno));
    else
        fprintf(stderr, "gcluster: see %s\n", path);
}

void gcl_predict_report(struct gcl_runtime *r) {
    const struct gcl_prediction *prediction = gcl_predict_end(r->predict);
    if (!prediction) {
        gcl_log(GCL_LOG_ERROR, "no memory to say what was predicted");
        return;
    }
    gcl_prediction_write(prediction, stderr);
    if (r->env.predict_picture)
        draw(prediction, r->env.predict_picture);
}
