package org.trainyard.agents.heuristic.slots;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.elastic.GpusByServer;
import org.trainyard.env.workload.HostShare;

/** The GPUs of some jobs in a slot, in order of submission; waiting jobs that are not named get none. */
public final class SlotAllocation {
    private final IntArrayList jobs = new IntArrayList();
    /** Null for a job that is rejected. */
    private final List<@Nullable GpusByServer> gpus = new ArrayList<>();
    /** Share of the hosts of a worker, with its part of the parameter servers; nothing for what the job asked for. */
    private final List<HostShare> perWorker = new ArrayList<>();

    /** Adds a job that comes after all others; it shall hold these GPUs. */
    public void give(int job, GpusByServer theirs) {
        add(job, theirs, HostShare.NONE);
    }

    /** Adds a job that comes after all others, with its GPUs and such a share of the hosts for each of its workers. */
    public void give(int job, GpusByServer theirs, HostShare share) {
        add(job, theirs, share);
    }

    /** Adds a job that comes after all others and has never started; it is rejected. */
    public void reject(int job) {
        add(job, null, HostShare.NONE);
    }

    private void add(int job, @Nullable GpusByServer theirs, HostShare share) {
        jobs.add(job);
        gpus.add(theirs);
        perWorker.add(share);
    }

    /** Adds the i-th job of another. */
    void copy(SlotAllocation other, int i) {
        add(other.job(i), other.gpus(i), other.perWorker(i));
    }

    /** Number of jobs. */
    public int size() {
        return jobs.size();
    }

    /** The i-th job. */
    public int job(int i) {
        return jobs.getInt(i);
    }

    /** Share of the hosts of each worker of the i-th job; nothing for what it asked for. */
    public HostShare perWorker(int i) {
        return perWorker.get(i);
    }

    /** GPUs of the i-th job; null when it is rejected. */
    public @Nullable GpusByServer gpus(int i) {
        return gpus.get(i);
    }
}
