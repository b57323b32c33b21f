package org.trainyard.agents.heuristic.lease;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Set;
import org.trainyard.env.scheduling.order.ServiceGittinsIndex;
import org.trainyard.env.scheduling.order.ServiceQueues;
import org.trainyard.env.scheduling.placement.BestFit;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Locality;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;

/**
 * Tiresias in our own world: jobs sink through queues as they attain GPU time, and rise to the first again when they have waited too
 * long for what they were given; models dominated by one tensor insist on being close together.
 *
 * <p>Lower queues are preempted for higher ones, and only when that lets a job start. Within a queue jobs go by submission, or by their
 * {@link ServiceGittinsIndex} up to the queue's limit, highest first. A model is skewed when its largest tensor is half of its gradients and
 * 16 MB or more; by the published layers that is alexnet (62 %), vgg11, vgg16, vgg19 (77 to 72 %) and ncf (56 %) of the catalogue. A
 * skewed job waits for one server when it fits on one, else for one rack; the others take what there is, tightest part first.
 *
 * <p>Source: J. Gu, M. Chowdhury, K. G. Shin, Y. Zhu, M. Jeon, J. Qian, H. Liu, C. Guo: Tiresias: a GPU cluster manager for distributed
 * deep learning, NSDI 2019. Needs no predictions. Our deviations: (1) skew is known by the model's name, where Tiresias profiles the
 * sizes of messages; (2) one running job is preempted only when that lets another start; (3) a job that has risen starts with nothing
 * attained, and rises after waiting {@code promotion} times the time it ran since it last rose; (4) a waiting job's index is that of when
 * it entered the queue, and no index preempts within a queue; (5) time on GPUs counts as service even when spent on a restart; (6) demands
 * for other than whole GPUs insist on nothing and preempt nobody. O(kinds of demands x (servers + running jobs)).
 */
public final class Tiresias implements Scheduler {
    /** The order within a queue. */
    public enum Within {
        SUBMISSION,
        GITTINS
    }

    /** GPU-seconds at which a job leaves a queue; as in the public simulator. */
    private static final long[] LIMIT_GPU_SECONDS = {3_250, 7_200};
    /** Of waiting time over run time, at which a job rises; ours, for the paper leaves it to the operator. */
    private static final double PROMOTION = 8;

    private static final Set<String> SKEWED = Set.of("alexnet", "vgg11", "vgg16", "vgg19", "ncf");
    /** Stretches indices over 0..1; GPU-seconds. */
    private static final double TYPICAL_GPU_SECONDS = 1e5;

    /** A job that waits to rise, since a time. */
    private record Rise(long atNanos, long sinceNanos, int job) {}

    private final Within within;
    private final ServiceQueues queues = new ServiceQueues(this::attainedNanos, LIMIT_GPU_SECONDS);
    private final LeaseScheduler rule;
    private final ServiceGittinsIndex index = new ServiceGittinsIndex();
    private final PriorityQueue<Rise> rises =
            new PriorityQueue<>(Comparator.comparingLong(Rise::atNanos).thenComparingInt(Rise::job));
    /** Time on GPUs when the job last rose. */
    private long[] runAtRiseNanos = new long[0];

    private int journalRead;

    public Tiresias(Topology topology, Within within) {
        this.within = within;
        rule = new LeaseScheduler(
                new InQueues(), new BestFit(), closeness(topology), new LeaseScheduler.Terms(0, true));
    }

    private static DelayPolicy closeness(Topology topology) {
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

    /** The most GPUs of any one rack. */
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

    public static boolean isSkewed(ModelProfile model) {
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
            double worth = index.of(attainedGpuSeconds(view, job), limit);
            return queue + 0.999 / (1 + TYPICAL_GPU_SECONDS * worth);
        }

        @Override
        public double holderRank(SimView view, int job) {
            return queues.of(view, job);
        }

        @Override
        public double tie(SimView view, int job) {
            return job;
        }

        @Override
        public boolean displaces(double newcomer, double holder) {
            return (int) newcomer < (int) holder;
        }
    }

    private long attainedNanos(SimView view, int job) {
        return view.runNanos(job) - (job < runAtRiseNanos.length ? runAtRiseNanos[job] : 0);
    }

    private double attainedGpuSeconds(SimView view, int job) {
        return attainedNanos(view, job) / 1e9 * Math.max(1, view.job(job).gpus());
    }

    @Override
    public Decision decide(SimView view) {
        if (runAtRiseNanos.length < view.arrived()) {
            runAtRiseNanos = Arrays.copyOf(runAtRiseNanos, 2 * view.arrived());
        }
        follow(view);
        rule.waiting().update(view);
        rise(view);
        Decision decision = rule.decide(view);
        if (!(decision instanceof Decision.Wait wait)) {
            return decision;
        }
        long until = Math.min(wait.untilNanos(), nextSinkNanos(view));
        until = rises.isEmpty() ? until : Math.min(until, rises.peek().atNanos());
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
                long patience = (long) (PROMOTION * attainedNanos(view, job));
                if (patience > 0) {
                    rises.add(new Rise(since + patience, since, job));
                }
            }
        }
    }

    /** Lifts jobs that have waited too long to the first queue. */
    private void rise(SimView view) {
        while (!rises.isEmpty() && (isStale(view, rises.peek()) || rises.peek().atNanos() <= view.nowNanos())) {
            Rise rise = rises.remove();
            if (!isStale(view, rise)) {
                runAtRiseNanos[rise.job()] = view.runNanos(rise.job());
                rule.waiting().rerank(view, rise.job());
            }
        }
    }

    private static boolean isStale(SimView view, Rise rise) {
        return view.state(rise.job()) != JobState.WAITING || view.queuedSinceNanos(rise.job()) != rise.sinceNanos();
    }

    /** When a running job next sinks below one that waits. */
    private long nextSinkNanos(SimView view) {
        int first = rule.waiting().lowest();
        return first == SimView.NONE
                ? Long.MAX_VALUE
                : queues.nextSinkingNanos(view, (int) rule.waiting().rank(first));
    }
}
