package org.trainyard.agents.heuristic.reference;

import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntComparator;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.order.OracleRunTime;
import org.trainyard.agents.heuristic.placing.FirstFit;
import org.trainyard.agents.heuristic.queue.DecisionPlan;
import org.trainyard.agents.heuristic.queue.LiveJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * The persistent sorted list of the Tiresias simulator and of Muri's, its descendant: at every event the list of live
 * jobs is stably sorted and the cluster reallocated along it, skipping jobs that do not fit; moves are free.
 *
 * <p>Sources: simulators of J. Gu, M. Chowdhury, K. G. Shin, Y. Zhu, M. Jeon, J. Qian, H. Liu, C. Guo: Tiresias: a GPU
 * cluster manager for distributed deep learning, NSDI 2019, and of Y. Zhao, Y. Liu, Y. Peng, Y. Zhu, X. Liu, X. Jin:
 * Multi-resource interleaving for deep learning training, SIGCOMM 2022. Equal to them job by job with predictions of an
 * oracle, at ideal rates without restart cost. Our deviation: (1) the set of running jobs is the same, but a job that
 * continues to run stays on its GPUs, so that a move is not counted as a preemption; no time depends on it. O(n log n)
 * per event, O(n) when the order hardly changes.
 */
public final class SortedReallocation implements Scheduler {
    /** The sort key, smallest first. */
    public enum Key {
        /** SRTF; {@code shortest}. */
        REMAINING_TIME,
        /** SRSF; {@code shortest-gpu}. */
        REMAINING_GPU_TIME,
        /** Tiresias' {@code sjf}: smallest, not shortest. */
        GPUS
    }

    private final Key key;
    private final FreeCapacity room;
    private final DecisionPlan plan = new DecisionPlan(new FirstFit());
    private final LiveJobs live = new LiveJobs();
    private final IntComparator order = this::compare;
    private long[] remainingNanos = new long[64];
    private int[] gpus = new int[64];

    public SortedReallocation(Key key, FreeCapacity room) {
        this.key = key;
        this.room = room;
    }

    private int compare(int a, int b) {
        return switch (key) {
            case REMAINING_TIME -> Long.compare(remainingNanos[a], remainingNanos[b]);
            case REMAINING_GPU_TIME -> compareGpuTime(a, b);
            case GPUS -> Integer.compare(gpus[a], gpus[b]);
        };
    }

    /** Exact: the products need more than 64 bits. */
    private int compareGpuTime(int a, int b) {
        int high = Long.compare(
                Math.multiplyHigh(remainingNanos[a], gpus[a]), Math.multiplyHigh(remainingNanos[b], gpus[b]));
        return high != 0 ? high : Long.compareUnsigned(remainingNanos[a] * gpus[a], remainingNanos[b] * gpus[b]);
    }

    @Override
    public Decision decide(SimView view) {
        @Nullable Decision decision = plan.decide(view, this::plan);
        return decision != null ? decision : Decision.WAIT;
    }

    private void plan(SimView view) {
        reserve(view.arrived());
        live.update(view, job -> {
            gpus[job] = view.job(job).gpus();
            remainingNanos[job] = OracleRunTime.remainingNanos(view, job);
        });
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            remainingNanos[job] = OracleRunTime.remainingNanos(view, job);
        }
        IntArrays.mergeSort(live.list.elements(), 0, live.list.size(), order);
        room.clear(view);
        for (int i = 0; i < live.list.size(); i++) {
            int job = live.list.getInt(i);
            boolean chosen = room.take(gpus[job]);
            boolean running = view.state(job) == JobState.RUNNING;
            if (running && !chosen) {
                plan.preempt(job);
            } else if (chosen && !running) {
                plan.start(job);
            }
        }
    }

    private void reserve(int jobs) {
        if (jobs > gpus.length) {
            gpus = Arrays.copyOf(gpus, 2 * jobs);
            remainingNanos = Arrays.copyOf(remainingNanos, 2 * jobs);
        }
    }
}
