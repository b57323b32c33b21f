package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.NetworkStretch;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Predicted slowdowns of running jobs where they are, against the fastest GPUs of the cluster inside one server: by the speed of their GPUs,
 * by their neighbours and by the network.
 *
 * <p>Predictions are kept until a job starts or ends on one of the servers: O(predictions of jobs near those that changed) per event.
 */
public final class RunningSlowdowns {
    private final Topology topology;
    private final InterferenceModel belief;
    private final GpuSpeeds speeds;
    private final NetworkStretch stretch;
    private final Colocation row = new Colocation();
    /** By server, the journal entry before which a job last started or ended there. */
    private final int[] changedAt;

    private @Nullable Placement[] lastPlacement = new Placement[64];
    private int[] predictedAt = new int[64];
    private double[] slowdown = new double[64];
    private int seen;
    /** Of the last update: whether everything is to be read anew, or the jobs to which something happened and the servers whose jobs changed. */
    private boolean isAnew;

    private final IntArrayList jobs = new IntArrayList();
    private final IntArrayList started = new IntArrayList();
    private final IntArrayList servers = new IntArrayList();
    /** What {@link SimView#version} counts beside the entries of the journal. */
    private long corrections;

    /** @param belief the interference model of the scheduler, not that of the simulator */
    public RunningSlowdowns(Topology topology, InterferenceModel belief) {
        this.topology = topology;
        this.belief = belief;
        speeds = new GpuSpeeds(topology);
        stretch = new NetworkStretch(topology);
        changedAt = new int[topology.servers()];
    }

    /** Reads what has happened since the last call. */
    public void update(SimView view) {
        int begin = Math.max(seen, view.journalStart());
        int end = view.journalSize();
        isAnew = seen == 0;
        jobs.clear();
        started.clear();
        servers.clear();
        if (seen < begin) {
            Arrays.fill(lastPlacement, null);
            Arrays.fill(changedAt, end);
            isAnew = true;
            seen = begin;
        }
        for (; seen < end; seen++) {
            if (view.journalKind(seen).isOfJob()) {
                reserve(view.journalJob(seen));
                jobs.add(view.journalJob(seen));
                if (view.journalKind(seen) == EventKind.START) {
                    started.add(view.journalJob(seen));
                }
                Placement left = lastPlacement[view.journalJob(seen)];
                markChanged(left, end);
                lastPlacement[view.journalJob(seen)] = null;
            }
        }
        long correctionsNow = view.version() - end;
        if (isAnew || correctionsNow != corrections) {
            corrections = correctionsNow;
            isAnew = true;
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                reserve(job);
                place(view, job, end);
            }
        }
        for (int entry = begin; entry < end; entry++) {
            if (view.journalKind(entry).isOfJob() && view.state(view.journalJob(entry)) == JobState.RUNNING) {
                place(view, view.journalJob(entry), end);
            }
        }
    }

    /** Notes where a running job is, unless that is known. */
    private void place(SimView view, int job, int entry) {
        if (lastPlacement[job] == null) {
            lastPlacement[job] = view.placement(job);
            predictedAt[job] = -1;
            markChanged(lastPlacement[job], entry);
        }
    }

    private void reserve(int job) {
        if (job >= slowdown.length) {
            int size = 2 * job;
            lastPlacement = Arrays.copyOf(lastPlacement, size);
            predictedAt = Arrays.copyOf(predictedAt, size);
            slowdown = Arrays.copyOf(slowdown, size);
        }
    }

    private void markChanged(@Nullable Placement placement, int entry) {
        for (int i = 0; placement != null && i < placement.serverCount(); i++) {
            changedAt[placement.server(i)] = entry;
            servers.add(placement.server(i));
        }
    }

    /** Whether the last {@link #update} has found a past that is not as it was, or has been the first. */
    boolean isAnew() {
        return isAnew;
    }

    /** The jobs to which something has happened by the last {@link #update}, in order, some more than once; where it was not {@link #isAnew anew}. */
    IntList changedJobs() {
        return jobs;
    }

    /** The jobs that have started by the last {@link #update}, in order; where it was not {@link #isAnew anew}. */
    IntList startedJobs() {
        return started;
    }

    /** The servers whose jobs have changed by the last {@link #update}, some more than once; where it was not {@link #isAnew anew}. */
    IntList changedServers() {
        return servers;
    }

    /** Predicted slowdown of a running job, at least 1. */
    public double of(SimView view, int job) {
        Placement placement = view.placement(job);
        int changed = 0;
        for (int i = 0; i < placement.serverCount(); i++) {
            changed = Math.max(changed, changedAt[placement.server(i)]);
        }
        if (predictedAt[job] < changed) {
            predictedAt[job] = changed;
            slowdown[job] = predict(view, job, placement);
        }
        return slowdown[job];
    }

    /** Slowdown on as few servers as possible, with the fastest GPUs and without neighbours. */
    public double least(JobSpec job) {
        return job.gpus() <= topology.widestServer() ? 1 : stretch.overCard(job);
    }

    /** Slowdown by the network of a gang on a set of servers. */
    public double stretch(JobSpec job, int servers, int racks) {
        return stretch.over(job, servers, racks);
    }

    private double predict(SimView view, int job, Placement placement) {
        double slowest = 1;
        boolean oneRack = true;
        boolean spans = placement.serverCount() > 1;
        for (int i = 0; i < placement.serverCount(); i++) {
            int server = placement.server(i);
            oneRack &= topology.rackOf(server) == topology.rackOf(placement.server(0));
            double own = 1 / speeds.of(server, view.job(job).model());
            if (view.cluster().jobsOn(server) > 1) {
                row.reset(topology.gpusOn(server), placement.gpusOn(i), spans);
                row.addAllOn(server, job, view);
                own *= Math.max(1, belief.slowdown(view.job(job).model(), row));
            }
            slowest = Math.max(slowest, own);
        }
        return slowest * stretch.over(view.job(job), placement.serverCount(), oneRack ? 1 : 2);
    }
}
