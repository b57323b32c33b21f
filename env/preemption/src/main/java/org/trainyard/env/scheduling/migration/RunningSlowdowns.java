package org.trainyard.env.scheduling.migration;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.NetworkStretch;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.JournalCursor;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Predicted slowdowns of running jobs where they are, against the fastest GPUs of the cluster inside one server: by the
 * speed of their GPUs, by their neighbours, by the network and by the ring of their GPUs inside a server.
 *
 * <p>Predictions are kept until a job starts or ends on one of the servers: O(predictions of jobs near those that
 * changed) per event.
 */
public final class RunningSlowdowns {
    private final Topology topology;
    private final InterferenceModel belief;
    private final GpuSpeeds speeds;
    private final NetworkStretch stretch;
    private final SetChoice choice;
    private final Colocation row = new Colocation();
    /** By server, the update at which a job was last found to have started or ended there. */
    private final long[] changedAt;

    private @Nullable Placement[] lastPlacement = new Placement[64];
    /** By job, the update of which the slowdown is. */
    private long[] predictedAt = new long[64];
    /** By job, the predicted slowdown. */
    private double[] slowdown = new double[64];

    private final JournalCursor journal = new JournalCursor();
    private long updates;
    /**
     * Result of the last update: whether everything is to be read anew, or the jobs to which something happened and the
     * servers whose jobs changed.
     */
    private boolean isAnew;

    private final IntArrayList jobs = new IntArrayList();
    private final IntArrayList started = new IntArrayList();
    private final IntArrayList servers = new IntArrayList();

    /**
     * @param belief the interference model of the scheduler, not that of the simulator
     * @param choice what rings inside servers do, if the scheduler chooses sets of GPUs by them
     */
    RunningSlowdowns(Topology topology, InterferenceModel belief, SetChoice choice) {
        this.choice = choice;
        this.topology = topology;
        this.belief = belief;
        speeds = new GpuSpeeds(topology);
        stretch = new NetworkStretch(topology);
        changedAt = new long[topology.servers()];
    }

    /** Reads what has happened since the last call. */
    public void update(SimView view) {
        isAnew = journal.advance(view);
        updates++;
        jobs.clear();
        started.clear();
        servers.clear();
        if (isAnew) {
            Arrays.fill(lastPlacement, null);
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                place(view, job);
            }
        }
        for (int entry = journal.first(); entry < journal.end(); entry++) {
            if (view.journalKind(entry).isOfJob()) {
                int job = view.journalJob(entry);
                jobs.add(job);
                if (view.journalKind(entry) == EventKind.START) {
                    started.add(job);
                }
                reserve(job);
                markChanged(lastPlacement[job]);
                lastPlacement[job] = null;
            }
        }
        for (int i = 0; i < jobs.size(); i++) {
            if (view.state(jobs.getInt(i)) == JobState.RUNNING) {
                place(view, jobs.getInt(i));
            }
        }
    }

    /** Notes where a running job is, unless that is known. */
    private void place(SimView view, int job) {
        reserve(job);
        if (lastPlacement[job] == null) {
            lastPlacement[job] = view.placement(job);
            predictedAt[job] = -1;
            markChanged(lastPlacement[job]);
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

    private void markChanged(@Nullable Placement placement) {
        for (int i = 0; placement != null && i < placement.serverCount(); i++) {
            changedAt[placement.server(i)] = updates;
            servers.add(placement.server(i));
        }
    }

    /** Whether the last {@link #update} has found a past that is not as it was, or has been the first. */
    boolean isAnew() {
        return isAnew;
    }

    /**
     * The jobs to which something has happened by the last {@link #update}, in order, some more than once; where it was
     * not {@link #isAnew anew}.
     */
    IntList changedJobs() {
        return jobs;
    }

    /** The jobs that have started by the last {@link #update}, in order; where it was not {@link #isAnew anew}. */
    IntList startedJobs() {
        return started;
    }

    /**
     * The servers whose jobs have changed by the last {@link #update}, some more than once; where it was not
     * {@link #isAnew anew}.
     */
    IntList changedServers() {
        return servers;
    }

    /** Predicted slowdown of a running job, at least 1. */
    public double of(SimView view, int job) {
        Placement placement = view.placement(job);
        long changed = 0;
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
        return slowest
                * choice.ofRunning(view, job)
                * stretch.over(view.job(job), placement.serverCount(), oneRack ? 1 : 2);
    }
}
