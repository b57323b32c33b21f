package org.trainyard.env.gym.reward;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.JournalCursor;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * Speeds of running jobs by a believed model. A speed is kept until a job comes to a server of its placement or leaves
 * one, or to the rings with which it shares links, so an event costs what it touches and not O(running jobs).
 */
final class BelievedSpeeds implements JobSpeeds {
    private final PerformanceModel belief;
    private final InterferenceModel interference;
    private final JournalCursor journal = new JournalCursor();
    private final IntConsumer forget = this::forget;
    private int revision;
    /** By job, its speed. */
    private double[] known = new double[0];
    /** The placement for which it was computed; null for a job whose speed was not asked for. */
    private @Nullable Placement[] placements = new Placement[0];

    private boolean[] isKnown = new boolean[0];

    /** @param interference that the model reads, whose revisions change all speeds */
    BelievedSpeeds(PerformanceModel belief, InterferenceModel interference) {
        this.belief = belief;
        this.interference = interference;
    }

    @Override
    public double of(SimView view, int job) {
        if (!journal.isAtEnd(view) || interference.revision() != revision) {
            read(view);
        }
        if (!isKnown[job]) {
            JobSpec spec = view.job(job);
            Placement placement = view.placement(job);
            double alone = belief.aloneRate(spec, placement) / spec.idealIterationsPerSecond();
            known[job] = alone / belief.slowdown(spec, placement, view);
            placements[job] = placement;
            isKnown[job] = true;
        }
        return known[job];
    }

    private void read(SimView view) {
        if (known.length < view.arrived()) {
            int room = Math.max(64, 2 * view.arrived());
            known = Arrays.copyOf(known, room);
            placements = Arrays.copyOf(placements, room);
            isKnown = Arrays.copyOf(isKnown, room);
        }
        boolean isAnew = journal.advance(view);
        if (isAnew || interference.revision() != revision) {
            revision = interference.revision();
            Arrays.fill(isKnown, false);
            if (isAnew) {
                Arrays.fill(placements, null);
            }
        }
        for (int entry = journal.first(); entry < journal.end(); entry++) {
            int job = view.journalJob(entry);
            if (job != SimView.NONE) {
                touch(view, job);
            }
        }
    }

    /**
     * Forgets what an event of the job touches. The jobs that it has left behind are found by the placement it had when
     * its speed was asked for: a placement that it had only in between left no trace in any speed.
     */
    private void touch(SimView view, int job) {
        Placement before = placements[job];
        if (before != null) {
            touch(view, before);
            placements[job] = null;
            isKnown[job] = false;
        }
        if (view.state(job) == JobState.RUNNING) {
            touch(view, view.placement(job));
        }
    }

    private void touch(SimView view, Placement placement) {
        for (int i = 0; i < placement.serverCount(); i++) {
            int server = placement.server(i);
            for (int n = 0; n < view.jobsOn(server); n++) {
                forget(view.jobOn(server, n));
            }
        }
        belief.touch(placement, view, forget);
    }

    private void forget(int job) {
        isKnown[job] = false;
    }
}
