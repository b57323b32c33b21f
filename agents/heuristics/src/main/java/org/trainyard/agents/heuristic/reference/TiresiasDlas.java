package org.trainyard.agents.heuristic.reference;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.FirstFit;
import org.trainyard.agents.heuristic.queue.DecisionPlan;
import org.trainyard.agents.heuristic.queue.LiveJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * The {@code dlas-gpu} of the Tiresias simulator and of Muri's, its descendant: three queues by attained GPU time; at
 * every event the cluster is reallocated along them, skipping jobs that do not fit; GPUs are counted and moves are
 * free.
 *
 * <p>A running job that has attained its queue's limit, 3,250 or 7,200 GPU-seconds, is demoted by one queue per event,
 * and within a queue running jobs precede pending ones. Events are submissions, completions and the next demotion as
 * the simulator predicts it.
 *
 * <p>Source: simulator of J. Gu, M. Chowdhury, K. G. Shin, Y. Zhu, M. Jeon, J. Qian, H. Liu, C. Guo: Tiresias: a GPU
 * cluster manager for distributed deep learning, NSDI 2019; Muri's is that of Y. Zhao et al.: Multi-resource
 * interleaving for deep learning training, SIGCOMM 2022. Needs no predictions. Equal to Tiresias' job by job, at ideal
 * rates without restart cost. Our deviations: (1) a job that continues to run stays on its GPUs, on which no time
 * depends; (2) a demotion predicted for this very instant, where the simulator would hang (jobs of 3,250 GPUs and
 * more), is predicted a second later. O(n) per event.
 */
public final class TiresiasDlas implements Scheduler {
    /** When the simulator next checks whether a running job is demoted. */
    public enum DemotionCheck {
        /**
         * Tiresias': {@code (limit - executed) / gpus} whole seconds from now, which for gangs is too soon or too late.
         */
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

    private final DemotionCheck check;
    private final FreeCapacity room = new FreeCapacity.Counted();
    private final DecisionPlan plan = new DecisionPlan(new FirstFit());
    private final LiveJobs live = new LiveJobs();
    private final List<IntArrayList> queues = List.of(new IntArrayList(), new IntArrayList(), new IntArrayList());
    private final IntArrayList waiting = new IntArrayList();
    private int[] queueOf = new int[64];
    private long nextDemotionNanos;

    public TiresiasDlas(DemotionCheck check) {
        this.check = check;
    }

    @Override
    public Decision decide(SimView view) {
        @Nullable Decision decision = plan.decide(view, this::plan);
        if (decision != null) {
            return decision;
        }
        return nextDemotionNanos == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(nextDemotionNanos);
    }

    private void plan(SimView view) {
        if (view.arrived() > queueOf.length) {
            queueOf = Arrays.copyOf(queueOf, 2 * view.arrived());
        }
        live.update(view, job -> {
            queueOf[job] = 0;
            queues.get(0).add(job);
        });
        demote(view);
        nextDemotionNanos = Long.MAX_VALUE;
        room.clear(view);
        for (int queue = 0; queue < queues.size(); queue++) {
            allocate(view, queue);
        }
    }

    /** Demotes running jobs that have attained their limit, in order of submission. */
    private void demote(SimView view) {
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

    /** Allocates free GPUs to the jobs of a queue, then moves running jobs before pending ones. */
    private void allocate(SimView view, int queue) {
        IntArrayList jobs = queues.get(queue);
        waiting.clear();
        int kept = 0;
        for (int i = 0; i < jobs.size(); i++) {
            int job = jobs.getInt(i);
            boolean running = view.state(job) == JobState.RUNNING;
            if (room.take(view.job(job).gpus())) {
                jobs.set(kept++, job);
                scheduleDemotion(view, job);
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

    private void scheduleDemotion(SimView view, int job) {
        int queue = queueOf[job];
        if (queue < LIMIT_GPU_SECONDS.length) {
            long wait =
                    check.nanosFromNow(LIMIT_GPU_SECONDS[queue], view.job(job).gpus(), view.runNanos(job));
            nextDemotionNanos = Math.min(nextDemotionNanos, view.nowNanos() + (wait > 0 ? wait : SECOND));
        }
    }
}
