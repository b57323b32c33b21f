package org.trainyard.agents.heuristic.lease;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Set;
import org.trainyard.agents.heuristic.order.ServiceGittinsIndex;
import org.trainyard.agents.heuristic.order.ServiceQueues;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.agents.heuristic.queue.RunningQueues;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Locality;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;

/**
 * Tiresias: jobs are demoted through queues as they attain GPU time; models dominated by one tensor are consolidated.
 * By choice jobs are promoted to the first queue again when they have waited too long relative to their run time.
 *
 * <p>Jobs of lower queues are preempted for jobs of higher queues, and only when that lets a job start. Within a queue
 * jobs are ordered by submission, or by their {@link ServiceGittinsIndex} up to the queue's limit, highest first. A
 * model is skewed when its largest tensor is half of its gradients and 16 MB or more; by the published layers that is
 * alexnet (62 %), vgg11, vgg16, vgg19 (77 to 72 %) and ncf (56 %) of the model catalogue. A skewed job waits for one
 * server when it fits on one, else for one rack; the others accept any placement, tightest part first.
 *
 * <p>Source: J. Gu, M. Chowdhury, K. G. Shin, Y. Zhu, M. Jeon, J. Qian, H. Liu, C. Guo: Tiresias: a GPU cluster manager
 * for distributed deep learning, NSDI 2019. Needs no predictions. Our deviations: (1) skew is known by the model's
 * name, where Tiresias profiles message sizes; (2) a running job is preempted only when that lets another start; (3) a
 * promoted job restarts with no attained service, and the run time that its wait is measured by is that since its last
 * promotion; (4) a pending job's index is that of when it entered the queue, and no index preempts within a queue; (5)
 * time on GPUs counts as service even when it is spent on a restart; (6) demands for other than whole GPUs are not
 * delayed and preempt no job. O(different demands x servers).
 */
public final class Tiresias implements Scheduler {
    /** The order within a queue. */
    public enum Within {
        SUBMISSION,
        GITTINS
    }

    /** GPU-seconds at which a job leaves a queue, as in the public simulator. */
    private static final long[] LIMIT_GPU_SECONDS = {3_250, 7_200};
    /** No job is promoted, as in the authors' simulator by default; the paper leaves the ratio to the operator. */
    public static final double NO_PROMOTION = Double.POSITIVE_INFINITY;

    private static final Set<String> SKEWED = Set.of("alexnet", "vgg11", "vgg16", "vgg19", "ncf");
    /** Scale that maps indices to 0..1; GPU-seconds. */
    private static final double TYPICAL_GPU_SECONDS = 1e5;

    /** A pending job's promotion, due at a time unless it starts before. */
    private record Promotion(long atNanos, long sinceNanos, int job) {}

    private final Within within;
    private final double promotionRatio;
    private final ServiceQueues queues = new ServiceQueues(this::attainedNanos, LIMIT_GPU_SECONDS);
    private final RunningQueues running = new RunningQueues(queues);
    private final LeaseScheduler rule;
    private final ServiceGittinsIndex index = new ServiceGittinsIndex();
    private final PriorityQueue<Promotion> promotions =
            new PriorityQueue<>(Comparator.comparingLong(Promotion::atNanos).thenComparingInt(Promotion::job));
    /** Time on GPUs when the job was last promoted. */
    private long[] runAtPromotionNanos = new long[0];

    private int journalRead;

    /** @param promotionRatio of waiting time to run time at which a job is promoted */
    public Tiresias(Topology topology, Within within, double promotionRatio) {
        this.within = within;
        this.promotionRatio = promotionRatio;
        rule = new LeaseScheduler(
                topology, new InQueues(), new BestFit(), consolidation(topology), new LeaseScheduler.Terms(0, true));
    }

    private static DelayPolicy consolidation(Topology topology) {
        int serverGpus = topology.widestServer();
        int rackGpus = widestRack(topology);
        return (view, job, span) -> {
            int gpus = view.job(job).gpus();
            if (!isSkewed(view.job(job).model()) || gpus > rackGpus) {
                return Long.MIN_VALUE;
            }
            Locality widest = gpus <= serverGpus ? Locality.SERVER : Locality.RACK;
            return span.compareTo(widest) <= 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        };
    }

    /** The GPUs of the largest rack. */
    static int widestRack(Topology topology) {
        int widest = 0;
        for (int rack = 0; rack < topology.racks(); rack++) {
            int gpus = 0;
            for (int i = 0; i < topology.serversIn(rack); i++) {
                gpus += topology.gpusOn(topology.firstServer(rack) + i);
            }
            widest = Math.max(widest, gpus);
        }
        return widest;
    }

    static boolean isSkewed(ModelProfile model) {
        return SKEWED.contains(model.name());
    }

    private final class InQueues implements LeaseScheduler.Order {
        @Override
        public double rank(SimView view, int job) {
            int queue = queues.of(view, job);
            if (within == Within.SUBMISSION) {
                return queue;
            }
            double limit = queue < LIMIT_GPU_SECONDS.length ? LIMIT_GPU_SECONDS[queue] : Double.POSITIVE_INFINITY;
            double gittins = index.of(attainedGpuSeconds(view, job), limit);
            return queue + 0.999 / (1 + TYPICAL_GPU_SECONDS * gittins);
        }

        @Override
        public double holderRank(SimView view, int job) {
            return 0;
        }

        @Override
        public boolean isHolderRankSteady() {
            return true;
        }

        @Override
        public double tie(SimView view, int job) {
            return job;
        }

        @Override
        public int levels() {
            return queues.count();
        }

        @Override
        public int level(SimView view, int job) {
            return queues.of(view, job);
        }

        @Override
        public int preemptsFrom(double pendingRank) {
            return (int) pendingRank + 1;
        }
    }

    private long attainedNanos(SimView view, int job) {
        return view.runNanos(job) - (job < runAtPromotionNanos.length ? runAtPromotionNanos[job] : 0);
    }

    private double attainedGpuSeconds(SimView view, int job) {
        return attainedNanos(view, job) / 1e9 * Math.max(1, view.job(job).gpus());
    }

    @Override
    public Decision decide(SimView view) {
        if (runAtPromotionNanos.length < view.arrived()) {
            runAtPromotionNanos = Arrays.copyOf(runAtPromotionNanos, 2 * view.arrived());
        }
        follow(view);
        running.update(view, job -> rule.relevel(view, job));
        rule.waiting().update(view);
        promote(view);
        Decision decision = rule.decide(view);
        if (!(decision instanceof Decision.Wait wait)) {
            return decision;
        }
        long until = Math.min(wait.untilNanos(), nextDemotionNanos());
        until = promotions.isEmpty() ? until : Math.min(until, promotions.peek().atNanos());
        return new Decision.Wait(until);
    }

    private void follow(SimView view) {
        for (; journalRead < view.journalSize(); journalRead++) {
            int job = view.journalJob(journalRead);
            EventKind kind = view.journalKind(journalRead);
            if (kind == EventKind.FINISH) {
                index.learn(view.runNanos(job) / 1e9 * Math.max(1, view.job(job).gpus()));
            } else if (kind == EventKind.PREEMPT || kind == EventKind.KILL) {
                long since = view.queuedSinceNanos(job);
                double delay = promotionRatio * attainedNanos(view, job);
                if (delay > 0 && delay < Long.MAX_VALUE - since) {
                    promotions.add(new Promotion(since + (long) delay, since, job));
                }
            }
        }
    }

    /** Promotes jobs that have waited too long to the first queue. */
    private void promote(SimView view) {
        while (!promotions.isEmpty()
                && (isStale(view, promotions.peek()) || promotions.peek().atNanos() <= view.nowNanos())) {
            Promotion due = promotions.remove();
            if (!isStale(view, due)) {
                runAtPromotionNanos[due.job()] = view.runNanos(due.job());
                rule.waiting().rerank(view, due.job());
            }
        }
    }

    private static boolean isStale(SimView view, Promotion due) {
        return view.state(due.job()) != JobState.WAITING || view.queuedSinceNanos(due.job()) != due.sinceNanos();
    }

    /** When a running job is next demoted below a pending job. */
    private long nextDemotionNanos() {
        int first = rule.waiting().lowest();
        return first == SimView.NONE
                ? Long.MAX_VALUE
                : running.nextSinkingNanos((int) rule.waiting().rank(first));
    }
}
