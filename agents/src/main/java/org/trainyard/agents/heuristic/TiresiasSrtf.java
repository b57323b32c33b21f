package org.trainyard.agents.heuristic;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntComparator;
import java.util.Arrays;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * The {@code shortest} of the Tiresias simulator: at every event the one list of live jobs is stably sorted by
 * remaining time and the
 * cluster is dealt out anew along it, passing over who does not fit; preemption is free.
 *
 * <p>Source: simulator of J. Gu, M. Chowdhury, K. G. Shin, Y. Zhu, M. Jeon, J. Qian, H. Liu, C. Guo: Tiresias: a GPU
 * cluster manager
 * for distributed deep learning, NSDI 2019. Equal to it job by job with predictions of an oracle, in a world of ideal rates without
 * restart cost. Our deviation: a job that goes on running stays where it is, which changes no time. O(n log n) per event.
 */
public final class TiresiasSrtf implements Scheduler {
    private final Placer placer;
    private final IntComparator shortestFirst = this::compare;
    private final IntArrayList live = new IntArrayList();
    private final IntArrayList toPreempt = new IntArrayList();
    private final IntArrayList toStart = new IntArrayList();
    private long[] remainingNanos = new long[64];
    private int journalRead;
    private boolean planned;

    public TiresiasSrtf(Placer placer) {
        this.placer = placer;
    }

    private int compare(int a, int b) {
        return Long.compare(remainingNanos[a], remainingNanos[b]);
    }

    @Override
    public Decision decide(SimView view) {
        if (!planned) {
            plan(view);
            planned = true;
        }
        if (!toPreempt.isEmpty()) {
            return new Decision.Preempt(toPreempt.popInt());
        }
        if (!toStart.isEmpty()) {
            int job = toStart.popInt();
            Placement where = placer.place(view, view.job(job));
            if (where == null) {
                throw new IllegalStateException("job (%d) was counted in but does not fit".formatted(job));
            }
            return new Decision.Start(job, where);
        }
        planned = false;
        return Decision.WAIT;
    }

    private void plan(SimView view) {
        readJournal(view);
        live.removeIf(job -> view.state(job) == JobState.DONE);
        for (int i = 0; i < live.size(); i++) {
            int job = live.getInt(i);
            // Whole seconds in truth; rounding to microseconds keeps ties that division has torn apart.
            remainingNanos[job] = Math.round(view.predictedSeconds(job) * 1e6) * 1000 - view.runNanos(job);
        }
        IntArrays.mergeSort(live.elements(), 0, live.size(), shortestFirst);
        int left = view.topology().gpus();
        for (int i = 0; i < live.size(); i++) {
            int job = live.getInt(i);
            boolean chosen = view.job(job).gpus() <= left;
            left -= chosen ? view.job(job).gpus() : 0;
            boolean running = view.state(job) == JobState.RUNNING;
            if (running && !chosen) {
                toPreempt.add(job);
            } else if (chosen && !running) {
                toStart.add(0, job);
            }
        }
    }

    private void readJournal(SimView view) {
        for (; journalRead < view.journalSize(); journalRead++) {
            if (view.journalKind(journalRead) == EventKind.ARRIVE) {
                live.add(view.journalJob(journalRead));
            }
        }
        if (view.arrived() > remainingNanos.length) {
            remainingNanos = Arrays.copyOf(remainingNanos, 2 * view.arrived());
        }
    }
}
