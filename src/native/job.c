// job: see job.h.

#include "native/job.h"

#include "base/mem.h"

#include <pthread.h>
#include <time.h>

struct NativeJob {
    pthread_t thread;
    NativeWork work;
    atomic_bool cancel;
    atomic_bool over; // set last: everything below is then final
    void *made;
    Text why;
    bool joined;
};

static void *run(void *argument) {
    NativeJob *job = argument;
    job->made = job->work.make(&job->work, &job->cancel, &job->why);
    job->work.publish(job->work.place, job->made);
    atomic_store(&job->over, true);
    return NULL;
}

NativeJob *job_start(const NativeWork *work) {
    NativeJob *job = mem_alloc(sizeof *job);
    if (!job)
        return NULL;
    job->work = *work;
    if (pthread_create(&job->thread, NULL, run, job) != 0) {
        mem_free(job);
        return NULL;
    }
    return job;
}

bool native_job_over(const NativeJob *job) {
    return atomic_load(&job->over);
}

void native_job_wait(NativeJob *job) {
    if (!job->joined)
        pthread_join(job->thread, NULL);
    job->joined = true;
}

void native_job_wait_unless(NativeJob *job, const atomic_bool *stop) {
    while (!native_job_over(job) && !atomic_load(stop))
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

const char *native_job_why(const NativeJob *job) {
    return text_c(&job->why);
}

void native_job_end(NativeJob *job) {
    if (!job)
        return;
    atomic_store(&job->cancel, true);
    native_job_wait(job);
    job->work.publish(job->work.place, NULL);
    if (job->made)
        job->work.free(job->made);
    text_free(&job->why);
    mem_free(job);
}
