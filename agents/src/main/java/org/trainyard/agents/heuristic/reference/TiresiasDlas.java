package org.trainyard.agents.heuristic.reference;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.FirstFit;
import org.trainyard.env.scheduling.queue.DecisionPlan;
import org.trainyard.env.scheduling.queue.LiveJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * The {@code dlas-gpu} of the Tiresias simulator and of Muri's, its descendant: three queues by attained GPU time, the cluster dealt
 * out anew along them at every event, passing over who does not fit; GPUs are counted and moving is free.
 *
 * <p>A running job that has attained its queue's limit, 3,250 or 7,200 GPU-seconds, drops one queue per event, and within a queue
 * running jobs go before waiting ones. Events are submissions, completions and the next drop as the simulator foresees it.
 *
 * <p>Source: simulator of J. Gu, M. Chowdhury, K. G. Shin, Y. Zhu, M. Jeon, J. Qian, H. Liu, C. Guo: Tiresias: a GPU cluster manager
 * for distributed deep learning, NSDI 2019; Muri's is that of Y. Zhao et al.: Multi-resource interleaving for deep learning training,
 * SIGCOMM 2022. Needs no predictions. Equal to Tiresias' job by job, in a world of ideal rates without restart cost. Our deviations:
 * (1) a job that goes on running stays where it is, which changes no time; (2) a drop foreseen for this very instant, where the
 * simulator would hang (jobs of 3,250 GPUs and more), is foreseen a second later. O(n) per event.
 */
public final class TiresiasDlas implements Scheduler {
    /** When the simulator looks next whether a running job has to drop. */
    public enum Foresight {
        /** Tiresias': {@code (limit - executed) / gpus} whole seconds from now, which for gangs is too soon or too late. */
        TIRESIAS {
            @Override
            long nanosFromNow(long limitSeconds, int gpus, long executedNanos) {
                return Math.floorDiv(limitSeconds * SECOND - executedNanos, gpus * SECOND) * SECOND;
            }
        },
        /** Muri's: when it has run for {@code limit / gpus} seconds, rounded up. */
        MURI {
            @Override
            long nanosFromNow(long limitSeconds, int gpus, long executedNanos) {
                return (limitSeconds + gpus - 1) / gpus * SECOND - executedNanos;
            }
        };

        abstract long nanosFromNow(long limitSeconds, int gpus, long executedNanos);
    }

    private static final long SECOND = 1_000_000_000L;
    private static final long[] LIMIT_GPU_SECONDS = {3_250, 7_200};

    private final Foresight foresight;
    private final FreeCapacity room = new FreeCapacity.Counted();
    private final DecisionPlan plan = new DecisionPlan(new FirstFit());
    private final LiveJobs live = new LiveJobs();
    private final List<IntArrayList> queues = List.of(new IntArrayList(), new IntArrayList(), new IntArrayList());
    private final IntArrayList waiting = new IntArrayList();
    private int[] queueOf = new int[64];
    private long nextDropNanos;

    public TiresiasDlas(Foresight foresight) {
        this.foresight = foresight;
    }

    @Override
    public Decision decide(SimView view) {
        @Nullable Decision decision = plan.decide(view, this::plan);
        if (decision != null) {
            return decision;
        }
        return nextDropNanos == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(nextDropNanos);
    }

    private void plan(SimView view) {
        if (view.arrived() > queueOf.length) {
            queueOf = Arrays.copyOf(queueOf, 2 * view.arrived());
        }
        live.update(view, job -> {
            queueOf[job] = 0;
            queues.get(0).add(job);
        });
        drop(view);
        nextDropNanos = Long.MAX_VALUE;
        room.clear(view);
        for (int queue = 0; queue < queues.size(); queue++) {
            deal(view, queue);
        }
    }

    /** Lets running jobs sink that have attained their limit, in order of submission. */
    private void drop(SimView view) {
        for (int i = 0; i < live.list.size(); i++) {
            int job = live.list.getInt(i);
            int queue = queueOf[job];
            if (queue < LIMIT_GPU_SECONDS.length && view.state(job) == JobState.RUNNING && attained(view, job, queue)) {
                queueOf[job] = queue + 1;
                queues.get(queue + 1).add(job);
            }
        }
        for (int queue = 0; queue < queues.size(); queue++) {
            int here = queue;
            queues.get(queue).removeIf(job -> queueOf[job] != here || view.state(job) == JobState.DONE);
        }
    }

    private static boolean attained(SimView view, int job, int queue) {
        int gpus = view.job(job).gpus();
        return view.runNanos(job) >= (LIMIT_GPU_SECONDS[queue] * SECOND + gpus - 1) / gpus;
    }

    /** Gives the jobs of a queue what is left, then puts those that run before those that wait. */
    private void deal(SimView view, int queue) {
        IntArrayList jobs = queues.get(queue);
        waiting.clear();
        int kept = 0;
        for (int i = 0; i < jobs.size(); i++) {
            int job = jobs.getInt(i);
            boolean running = view.state(job) == JobState.RUNNING;
            if (room.take(view.job(job).gpus())) {
                jobs.set(kept++, job);
                foresee(view, job);
                if (!running) {
                    plan.start(job);
                }
            } else {
                waiting.add(job);
                if (running) {
                    plan.preempt(job);
                }
            }
        }
        jobs.size(kept);
        jobs.addAll(waiting);
    }

    private void foresee(SimView view, int job) {
        int queue = queueOf[job];
        if (queue < LIMIT_GPU_SECONDS.length) {
            long wait = foresight.nanosFromNow(
                    LIMIT_GPU_SECONDS[queue], view.job(job).gpus(), view.runNanos(job));
            nextDropNanos = Math.min(nextDropNanos, view.nowNanos() + (wait > 0 ? wait : SECOND));
        }
    }
}
