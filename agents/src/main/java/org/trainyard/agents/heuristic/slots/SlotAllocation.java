package org.trainyard.agents.heuristic.slots;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.elastic.GpusByServer;

/** The GPUs of some jobs in a slot, in order of submission; waiting jobs that are not named get none. */
public final class SlotAllocation {
    private final IntArrayList jobs = new IntArrayList();
    /** Null for a job that is rejected. */
    private final List<@Nullable GpusByServer> gpus = new ArrayList<>();
    /** Host CPU of a worker, its part of the job's parameter servers included; 0 for what the job asked for. */
    private final LongArrayList cpuMilliPerWorker = new LongArrayList();

    /** Adds a job that comes after all others; it shall hold these GPUs. */
    public void give(int job, GpusByServer theirs) {
        add(job, theirs, 0);
    }

    /** Likewise, with so much host CPU for each of its workers, thousandths of a core. */
    public void give(int job, GpusByServer theirs, long cpuMilli) {
        add(job, theirs, cpuMilli);
    }

    /** Adds a job that comes after all others and has never started; it is rejected. */
    public void reject(int job) {
        add(job, null, 0);
    }

    private void add(int job, @Nullable GpusByServer theirs, long cpuMilli) {
        jobs.add(job);
        gpus.add(theirs);
        cpuMilliPerWorker.add(cpuMilli);
    }

    /** Adds the i-th job of another. */
    void copy(SlotAllocation other, int i) {
        add(other.job(i), other.gpus(i), other.cpuMilliPerWorker(i));
    }

    /** Number of jobs. */
    public int size() {
        return jobs.size();
    }

    /** The i-th job. */
    public int job(int i) {
        return jobs.getInt(i);
    }

    /** Host CPU of each of its workers, thousandths of a core; 0 for what it asked for. */
    public long cpuMilliPerWorker(int i) {
        return cpuMilliPerWorker.getLong(i);
    }

    /** Its GPUs; null when it is rejected. */
    public @Nullable GpusByServer gpus(int i) {
        return gpus.get(i);
    }
}
