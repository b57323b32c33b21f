package org.trainyard.agents.heuristic.gadget;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.elastic.GpusByServer;
import org.trainyard.agents.heuristic.slots.SlotNetwork;

/**
 * The embedding of all jobs' rings into the network of a slot (G-VNE): workers go, a few at a time, to the job with the
 * largest gain of utility for its cost.
 *
 * <p>A cost is the dominant share of the new workers in the cluster, plus the bandwidth that their ring reserves over
 * the mean of a link. A job may get 1, 2, 4 ... workers more at once, whichever gains most per worker, because two
 * workers over a network can be slower than one. At the end, a job without workers replaces the one of least gain for
 * its cost where that gains.
 *
 * <p>Source: GADGET (2202.01158): the decomposition into slots; the greedy order, the embedding and the replacement are
 * our reading. With one resource, no network and concave gains the greedy is exact, and the total utility over all
 * slots at least half the optimum. O(workers x (servers log servers + log jobs)).
 */
public final class GreedyEmbedding {
    /** The utility that a job gains in this slot. */
    @FunctionalInterface
    public interface Gain {
        /** The gain by so many workers, 0 for none. */
        double of(int workers, boolean isOnOneServer);
    }

    /**
     * A job of the slot.
     *
     * @param demand of one worker, by resource
     * @param fewest workers that it can run on
     * @param bandwidth reserved on every link that its ring crosses, bytes per second
     */
    @SuppressWarnings("ArrayRecordComponent") // numbers of a solver, never compared
    public record RingJob(double[] demand, int fewest, int most, double bandwidth, Gain gain) {}

    private record Step(int job, int workers, double score) {}

    /** The gain of a job with workers for its cost; the poorest comes first. */
    private record Worth(int job, double perCost) implements Comparable<Worth> {
        @Override
        public int compareTo(Worth other) {
            int byWorth = Double.compare(perCost, other.perCost);
            return byWorth != 0 ? byWorth : Integer.compare(job, other.job);
        }
    }

    private static final class Held {
        GpusByServer embedding = GpusByServer.NONE;
        int workers;
        double gain;
        double cost;
    }

    private final SlotNetwork network;
    private final List<RingJob> jobs;
    private final Held[] held;
    private final double[] totals;
    private final double meanLink;

    private GreedyEmbedding(SlotNetwork network, List<RingJob> jobs) {
        this.network = network;
        this.jobs = jobs;
        held = new Held[jobs.size()];
        Arrays.setAll(held, job -> new Held());
        totals = new double[network.resources()];
        Arrays.setAll(totals, network::total);
        meanLink = network.meanLink();
    }

    /** Workers of each job; the network keeps what they take. */
    public static List<GpusByServer> of(SlotNetwork network, List<RingJob> jobs) {
        GreedyEmbedding greedy = new GreedyEmbedding(network, jobs);
        greedy.grow();
        greedy.replace();
        return Arrays.stream(greedy.held).map(held -> held.embedding).toList();
    }

    private void grow() {
        PriorityQueue<Step> steps = new PriorityQueue<>((a, b) -> {
            int byScore = Double.compare(b.score(), a.score());
            return byScore != 0 ? byScore : Integer.compare(a.job(), b.job());
        });
        for (int job = 0; job < held.length; job++) {
            offer(steps, job);
        }
        while (!steps.isEmpty()) {
            Step step = steps.remove();
            // One that no longer fits gives way to a smaller one.
            take(step.job(), step.workers());
            offer(steps, step.job());
        }
    }

    private void offer(PriorityQueue<Step> steps, int job) {
        Step step = best(job);
        if (step != null) {
            steps.add(step);
        }
    }

    /** The step of a job that gains most per worker, or null when none gains. */
    private @Nullable Step best(int job) {
        RingJob ring = jobs.get(job);
        int has = held[job].workers;
        int chosen = 0;
        double most = 0;
        release(job);
        int first = has == 0 ? ring.fewest() : 1;
        for (int more = first; has + more <= ring.most(); more = has == 0 && more == first ? first + 1 : 2 * more) {
            GpusByServer embedding = network.embed(ring.demand(), has + more, ring.bandwidth());
            if (embedding == null) {
                break;
            }
            double rate = (ring.gain().of(has + more, network.links(embedding) == 0) - held[job].gain) / more;
            if (rate > most) {
                most = rate;
                chosen = more;
            }
        }
        Step step = null;
        if (chosen > 0) {
            GpusByServer embedding = network.embed(ring.demand(), has + chosen, ring.bandwidth());
            double extra = cost(ring, has + chosen, embedding) - held[job].cost;
            step = new Step(job, has + chosen, most * chosen / Math.max(extra, Double.MIN_NORMAL));
        }
        restore(job);
        return step;
    }

    private double cost(RingJob ring, int workers, @Nullable GpusByServer embedding) {
        double share = 0;
        for (int r = 0; r < totals.length; r++) {
            share = Math.max(share, totals[r] > 0 ? workers * ring.demand()[r] / totals[r] : 0);
        }
        int links = embedding == null ? 0 : network.links(embedding);
        return share + (links == 0 ? 0 : links * ring.bandwidth() / meanLink);
    }

    private void release(int job) {
        if (held[job].workers > 0) {
            network.give(
                    jobs.get(job).demand(), held[job].embedding, jobs.get(job).bandwidth());
        }
    }

    private void restore(int job) {
        if (held[job].workers > 0) {
            network.take(
                    jobs.get(job).demand(), held[job].embedding, jobs.get(job).bandwidth());
        }
    }

    /** Gives a job so many workers, when they fit now and gain. */
    private boolean take(int job, int workers) {
        RingJob ring = jobs.get(job);
        release(job);
        GpusByServer embedding = network.embed(ring.demand(), workers, ring.bandwidth());
        double gain = embedding == null ? 0 : ring.gain().of(workers, network.links(embedding) == 0);
        boolean isTaken = gain > held[job].gain;
        if (embedding != null && isTaken) {
            held[job].embedding = embedding;
            held[job].workers = workers;
            held[job].gain = gain;
            held[job].cost = cost(ring, workers, embedding);
        }
        restore(job);
        return isTaken;
    }

    private void drop(int job) {
        release(job);
        held[job] = new Held();
    }

    /** Lets jobs without workers replace the job of least gain for its cost. */
    private void replace() {
        TreeSet<Worth> poorestFirst = new TreeSet<>();
        for (int job = 0; job < held.length; job++) {
            if (held[job].workers > 0) {
                poorestFirst.add(worth(job));
            }
        }
        for (int job = 0; job < held.length && !poorestFirst.isEmpty(); job++) {
            if (held[job].workers > 0) {
                continue;
            }
            Worth victim = Objects.requireNonNull(poorestFirst.pollFirst());
            Held before = held[victim.job()];
            drop(victim.job());
            for (Step step = best(job); step != null && take(job, step.workers()); step = best(job)) {
                // It grows as far as it gains.
            }
            if (held[job].gain > before.gain) {
                poorestFirst.add(worth(job));
            } else {
                drop(job);
                held[victim.job()] = before;
                restore(victim.job());
                poorestFirst.add(victim);
            }
        }
    }

    private Worth worth(int job) {
        return new Worth(job, held[job].gain / held[job].cost);
    }
}
