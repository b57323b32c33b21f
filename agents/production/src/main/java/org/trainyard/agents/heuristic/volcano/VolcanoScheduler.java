package org.trainyard.agents.heuristic.volcano;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntComparator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.agents.heuristic.placing.ScoredFit;
import org.trainyard.agents.heuristic.volcano.QueueShares.Share;
import org.trainyard.agents.heuristic.volcano.VolcanoObjects.PriorityClass;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.SubmissionTerms;

/**
 * The scheduler of Volcano 1.12: again and again the queue that has the least of what it deserves starts its first job
 * that fits; then jobs that still wait make others give way, within their queue by priority, and between queues where
 * one has more than it deserves.
 *
 * <p>A job belongs to the queue that its partition names, else its account, its virtual cluster or its group; else to
 * the queue {@code default}, or the first. Its QOS names a priority class, else its priority counts.
 *
 * <p>Simplified: (1) a job is a gang of which all pods start and give way together, so drf orders nothing; (2) where
 * jobs are packed {@code binpack} decides alone, else the emptiest server does, and other scores of nodeorder are left
 * out; (3) only jobs of whole GPUs without other needs make others give way, on the first server where that suffices,
 * wider ones anywhere; (4) sessions take no time, and who gives way is gone at once; (5) {@code enqueue} lets every job
 * in, and a job that its queue may never hold is rejected; (6) queues have no parents, and hyperNodes, task topology
 * and time-based plugins do not exist.
 */
public final class VolcanoScheduler implements Scheduler {
    private final VolcanoObjects objects;
    private final QueueShares shares;
    private final Map<String, Integer> names = new HashMap<>();
    private final List<WaitingJobs> waiting = new ArrayList<>();
    private final Placer placer;
    private final IntArrayList victims = new IntArrayList();
    private int beneficiary = SimView.NONE;
    private int journalRead;
    private byte[] counted = new byte[64];

    public VolcanoScheduler(VolcanoObjects objects, Topology topology) {
        this.objects = objects;
        shares = new QueueShares(objects, total(topology));
        for (Share share : shares.all()) {
            names.putIfAbsent(share.queue.name(), share.index);
            waiting.add(WaitingJobs.of((view, job) -> queue(view, job) == share, this::rank));
        }
        placer = objects.rules().packs()
                ? new BestFit()
                : new ScoredFit((view, demand, server) -> view.cluster().freeOn(server), topology, 0);
    }

    private static Amounts total(Topology topology) {
        double cpu = 0;
        double memory = 0;
        for (int server = 0; server < topology.servers(); server++) {
            ServerSpec spec = topology.server(server);
            cpu += spec.cpuMilli() >= ServerSpec.UNLIMITED ? Double.POSITIVE_INFINITY : spec.cpuMilli();
            memory += spec.memoryMib() >= ServerSpec.UNLIMITED ? Double.POSITIVE_INFINITY : spec.memoryMib();
        }
        return new Amounts(topology.gpus(), cpu, memory);
    }

    private Share queue(SimView view, int job) {
        JobSpec spec = view.submitted(job);
        SubmissionTerms terms = spec.terms();
        for (String name : Arrays.asList(
                terms.partition(), terms.account(), spec.virtualCluster(), terms.unixGroup(), "default")) {
            Integer index = name == null ? null : names.get(name);
            if (index != null) {
                return shares.all().get(index);
            }
        }
        return shares.all().get(0);
    }

    private PriorityClass priority(SimView view, int job) {
        return objects.priority(view.submitted(job).terms());
    }

    private double rank(SimView view, int job) {
        return objects.rules().byPriority() ? -priority(view, job).value() : 0;
    }

    private static Amounts asked(SimView view, int job) {
        Demand demand = view.submitted(job).demand();
        int workers = Math.max(1, demand.gpus());
        return new Amounts(demand.gpuAmount(), demand.cpuMilliOf(workers), demand.memoryMibOf(workers));
    }

    /** Counts what the jobs of queues hold and wait for. */
    private void follow(SimView view) {
        for (; journalRead < view.journalSize(); journalRead++) {
            if (view.journalKind(journalRead).isOfJob()) {
                count(view, view.journalJob(journalRead));
            }
        }
        waiting.forEach(jobs -> jobs.update(view));
        shares.divide();
    }

    private void count(SimView view, int job) {
        counted = job < counted.length ? counted : Arrays.copyOf(counted, Math.max(job + 1, 2 * counted.length));
        JobState state = view.state(job);
        byte now = (byte) (state == JobState.RUNNING ? 2 : state == JobState.WAITING ? 1 : 0);
        Share share = queue(view, job);
        Amounts asked = asked(view, job);
        share.allocated = share.allocated.plus(asked, now / 2 - counted[job] / 2);
        share.request = share.request.plus(asked, Math.min(1, now) - Math.min(1, counted[job]));
        counted[job] = now;
    }

    @Override
    public Decision decide(SimView view) {
        follow(view);
        Decision decision = planned(view);
        decision = decision == null ? allocate(view) : decision;
        if (decision == null && objects.rules().preempts()) {
            decision = makeRoom(view, false);
        }
        if (decision == null && objects.rules().reclaims()) {
            decision = makeRoom(view, true);
        }
        return decision == null ? Decision.WAIT : decision;
    }

    /** The rest of a plan that lets a job start in place of others. */
    private @Nullable Decision planned(SimView view) {
        while (!victims.isEmpty()) {
            int victim = victims.removeInt(victims.size() - 1);
            if (view.state(victim) == JobState.RUNNING && view.mayPreempt(victim)) {
                return new Decision.Preempt(victim);
            }
        }
        int job = beneficiary;
        beneficiary = SimView.NONE;
        return job != SimView.NONE && view.state(job) == JobState.WAITING ? start(view, job) : null;
    }

    private @Nullable Decision start(SimView view, int job) {
        JobSpec spec = view.job(job);
        Placement where = view.isWithinQuota(job, spec.gpus()) ? placer.place(view, spec) : null;
        return where == null ? null : new Decision.Start(job, where);
    }

    private @Nullable Decision allocate(SimView view) {
        List<Share> left = new ArrayList<>(shares.all());
        while (!left.isEmpty()) {
            Share share = Collections.min(left, shares.order());
            WaitingJobs jobs = waiting.get(share.index);
            int job = jobs.first();
            if (job == SimView.NONE) {
                left.remove(share);
                continue;
            }
            Amounts asked = asked(view, job);
            if (!shares.isPossible(share, asked)) {
                return new Decision.Reject(job, shares.refusal(share, asked));
            }
            boolean isAllowed = !shares.isOverused(share) && shares.allows(share, share.allocated, asked);
            Decision start = isAllowed ? start(view, job) : null;
            if (start != null) {
                return start;
            }
            jobs.refuse(view, job);
        }
        return null;
    }

    private @Nullable Decision makeRoom(SimView view, boolean reclaims) {
        for (Share share : shares.all().stream().sorted(shares.order()).toList()) {
            WaitingJobs jobs = waiting.get(share.index);
            jobs.update(view);
            for (int job = jobs.first(); job != SimView.NONE; job = jobs.first()) {
                if (displaces(view, share, job, reclaims) && choose(view, share, job, reclaims)) {
                    beneficiary = job;
                    return planned(view);
                }
                // Others of its kind may be of a class that displaces, or, unless they come by priority, of a higher
                // one.
                if (priority(view, job).displaces()
                        && (reclaims || objects.rules().byPriority())) {
                    jobs.refuse(view, job);
                } else {
                    jobs.passOver(view, job);
                }
            }
        }
        return null;
    }

    private boolean displaces(SimView view, Share share, int job, boolean reclaims) {
        JobSpec spec = view.job(job);
        return spec.demand().isPlain()
                && priority(view, job).displaces()
                && view.isWithinQuota(job, spec.gpus())
                && (!reclaims || (!shares.isOverused(share) && shares.mayReclaim(share, asked(view, job))));
    }

    /** Chooses who gives way to a job; whether that lets it start. */
    private boolean choose(SimView view, Share share, int job, boolean reclaims) {
        IntArrayList candidates = candidates(view, share, job, reclaims);
        int gpus = view.job(job).gpus();
        if (gpus > view.topology().widestServer()) {
            return choose(view, share, job, candidates, SimView.NONE);
        }
        for (int server = 0; server < view.topology().servers(); server++) {
            if (choose(view, share, job, candidates, server)) {
                return true;
            }
        }
        return false;
    }

    /** The first of the candidates that are enough, on a server or anywhere. */
    private boolean choose(SimView view, Share share, int job, IntArrayList candidates, int server) {
        int gpus = view.job(job).gpus();
        int free =
                server == SimView.NONE ? view.cluster().free() : view.cluster().freeOn(server);
        Amounts asked = asked(view, job);
        Amounts held = share.allocated;
        for (int i = 0; i < candidates.size() && (free < gpus || !shares.allows(share, held, asked)); i++) {
            int other = candidates.getInt(i);
            int gain = gain(view.placement(other), server);
            if (gain > 0) {
                victims.add(other);
                free += gain;
                held = queue(view, other) == share ? held.plus(asked(view, other), -1) : held;
            }
        }
        boolean isEnough = free >= gpus && shares.allows(share, held, asked) && !victims.isEmpty();
        if (!isEnough) {
            victims.clear();
        }
        return isEnough;
    }

    private static int gain(Placement of, int server) {
        if (server == SimView.NONE) {
            return of.gpuCount();
        }
        int gain = 0;
        for (int i = 0; i < of.serverCount(); i++) {
            gain += of.server(i) == server ? Long.bitCount(of.maskOn(i)) : 0;
        }
        return gain;
    }

    /** The running jobs that may give way, the least urgent of the least deserving queue first. */
    private IntArrayList candidates(SimView view, Share share, int job, boolean reclaims) {
        IntArrayList all = new IntArrayList();
        for (int other = view.firstRunning(); other != SimView.NONE; other = view.nextRunning(other)) {
            Share of = queue(view, other);
            boolean isOne = reclaims
                    ? of != share && of.queue.reclaimable()
                    : of == share
                            && priority(view, other).value()
                                    < priority(view, job).value();
            if (isOne
                    && view.mayPreempt(other)
                    && view.submitted(other).demand().gpuMilli() == Demand.WHOLE) {
                all.add(other);
            }
        }
        IntComparator last = (a, b) -> {
            int byQueue = shares.order().compare(queue(view, b), queue(view, a));
            int byRank = byQueue != 0 ? byQueue : Double.compare(rank(view, b), rank(view, a));
            return byRank != 0 ? byRank : Integer.compare(b, a);
        };
        all.sort(last);
        if (!reclaims) {
            return all;
        }
        Amounts asked = asked(view, job);
        Map<Share, Amounts> held = new HashMap<>();
        IntArrayList given = new IntArrayList();
        for (int i = 0; i < all.size(); i++) {
            Share of = queue(view, all.getInt(i));
            Amounts has = held.getOrDefault(of, of.allocated);
            Amounts its = asked(view, all.getInt(i));
            if (shares.gives(of, has, its, asked)) {
                held.put(of, has.plus(its, -1));
                given.add(all.getInt(i));
            }
        }
        return given;
    }
}
