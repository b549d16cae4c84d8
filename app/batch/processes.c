/* processes.c: a run that several processes share. The first one makes the report. */
#include "app/batch/batch.h"
#include "app/cluster/cluster.h"
#include "core/base/interrupt.h"

#include <string.h>

/* Takes a message of another process; true if it was its last. */
static bool take_message(void *context, int from, void *data, size_t bytes) {
    Batch *batch = context;
    Message message;
    if (bytes == 0) { /* its supervisor says that the process is lost */
        batch->others.lost++;
        return true;
    }
    if (!message_read(data, bytes, &message))
        return false;
    if (!message.last) {
        report_take(batch, &message);
        return false;
    }
    atomic_fetch_or(&batch->lost, message.lost);
    pthread_mutex_lock(&batch->report);
    for (size_t i = 0; i < MESSAGE_SHARES; i++)
        batch->others.shares[i] += message.shares[i];
    if (message.status != STATUS_OK &&
        message.status != STATUS_USAGE) { /* a usage error is the same in all processes */
        progress_wipe(&batch->progress);
        say(stderr, "glint: process %d: %s", from, message.error);
        batch->others.worst = message.status;
    }
    pthread_mutex_unlock(&batch->report);
    return true;
}

static void list_shares(const Batch *batch, double shares[MESSAGE_SHARES]) {
    const Busy *busy = &batch->busy;
    double devices = 0;
    for (int i = 0; i < batch->busy_count; i++)
        devices += busy->devices[i] / batch->busy_count;
    const double all[MESSAGE_SHARES] = {busy->decode, busy->encode, devices, busy->disk};
    memcpy(shares, all, sizeof all);
}

/* Takes the mean over all processes; the devices of a process count as one. */
static void average_shares(Batch *batch) {
    double mean[MESSAGE_SHARES];
    const Others *others = &batch->others;
    list_shares(batch, mean);
    for (size_t i = 0; i < MESSAGE_SHARES; i++)
        mean[i] = (mean[i] + others->shares[i]) / (others->processes + 1);
    batch->busy.decode = mean[0];
    batch->busy.encode = mean[1];
    batch->busy.devices[0] = mean[2];
    batch->busy.disk = mean[3];
    batch->busy_count = 1;
    snprintf(batch->names[0], sizeof batch->names[0], "devices");
}

Status processes_follow(Batch *batch, int jobs) {
    const Status status = batch->shared ? batch_process(batch, jobs) : STATUS_OK;
    const bool good = status == STATUS_OK && !batch->full[0] && !(interrupted() && batch->shared);
    Message end = {.last = true, .lost = atomic_load(&batch->lost)};
    end.status = good ? STATUS_OK : status != STATUS_OK ? status : batch->full[0] ? STATUS_DEVICE : STATUS_INTERRUPTED;
    end.error = batch->full[0] ? batch->full : status != STATUS_OK ? status_message() : good ? "" : "interrupted";
    list_shares(batch, end.shares);
    (void)message_send(&end);
    return STATUS_OK;
}

/* A failure of the first process alone is said at once: the others go on. */
Status processes_lead(Batch *batch, int jobs) {
    Listener *listener = cluster_listen(take_message, batch);
    if (!listener)
        return fail(STATUS_DEVICE, "no memory for another thread");
    batch->others.processes = cluster_size() - 1;
    const Status status = batch_process(batch, jobs);
    const bool apart = status != STATUS_OK && status != STATUS_USAGE && batch->shared;
    if (apart) {
        say(stderr, "glint: process 0: %s", status_message());
        batch->others.worst = status;
    }
    cluster_listened(&listener);
    average_shares(batch);
    return apart ? STATUS_OK : status;
}
