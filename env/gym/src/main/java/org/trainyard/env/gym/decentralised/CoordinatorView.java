package org.trainyard.env.gym.decentralised;

import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/** View of the coordinator: the whole cluster and all running jobs, but only the waiting jobs that fit in no domain. */
final class CoordinatorView extends DelegatingView {
    CoordinatorView(SimView whole) {
        super(whole);
        for (int job = whole.firstRunning(); job != NONE; job = whole.nextRunning(job)) {
            noteStart(job);
        }
    }

    @Override
    double fastest() {
        return 1;
    }

    /** A job has started, stopped or moved. */
    void changed(EventKind kind, int job, boolean isOwn) {
        if (waiting.contains(job) && whole.state(job) != JobState.WAITING) {
            unqueue(job);
            note(whole.state(job) == JobState.RUNNING ? EventKind.START : EventKind.REJECT, job);
        } else if (isOwn && !waiting.contains(job) && whole.state(job) == JobState.WAITING) {
            queue(kind, job);
        } else if (whole.state(job) == JobState.RUNNING && !isKnown(job)) {
            noteStart(job);
        } else {
            // Readers look at the job again; those of the queue do not mind.
            note(isOwn && kind == EventKind.FINISH ? kind : EventKind.RESIZE, job);
        }
    }

    @Override
    public Topology topology() {
        return whole.topology();
    }

    @Override
    public Cluster cluster() {
        return whole.cluster();
    }

    @Override
    public JobState state(int job) {
        JobState state = whole.state(job);
        return state == JobState.WAITING && !waiting.contains(job) ? JobState.FUTURE : state;
    }

    @Override
    public int runningCount() {
        return whole.runningCount();
    }

    @Override
    public int firstRunning() {
        return whole.firstRunning();
    }

    @Override
    public int nextRunning(int job) {
        return whole.nextRunning(job);
    }

    @Override
    public Placement placement(int job) {
        return whole.placement(job);
    }
}
