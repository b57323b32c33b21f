package org.trainyard.env.gym.decentralised;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.domain.DomainSummary;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * Agents that decide apart: each holds auctions among its own bids, on its own domain in detail and on summaries of the
 * others, and carries out the winners, all at the same time.
 *
 * <p>An instant goes by rounds. In a round every agent that has something to decide holds one auction; then their
 * decisions happen, in the order of the domains. Where agents bid for the same jobs, a {@link Negotiation} gives the
 * job to one of them, and the others hold another auction in the next round. Agents read nothing in a round that
 * another writes, so the result does not depend on the number of threads. A coordinator, which sees the whole cluster,
 * places the jobs that fit in no domain, before the others.
 */
public final class DecentralisedAgents {
    /** Does the independent pieces {@code 0 .. count - 1} of work, and returns when all are done. */
    @FunctionalInterface
    public interface Workers {
        void each(int count, IntConsumer work);

        /** The caller's thread, one piece after the other. */
        Workers SEQUENTIAL = (count, work) -> {
            for (int piece = 0; piece < count; piece++) {
                work.accept(piece);
            }
        };
    }

    private final SimView view;
    private final Topology believed;
    private final DecentralisedSettings settings;
    private final AuctionSettings auctions;
    private final Supplier<InterferenceModel> beliefs;
    private final Function<Auctioneer, Bidder> bidders;
    private final Workers workers;
    private final ClusterDivision division;
    private final SummaryHistory[] histories;
    private final int[] summarised;
    private final DomainSummary[] seen;
    private final List<DomainAgent> agents = new ArrayList<>();
    private @Nullable DomainAgent coordinator;
    private final List<DomainAgent> awake = new ArrayList<>();
    private final Negotiation negotiation;
    /** By virtual cluster, GPUs of the jobs that start in this round. */
    private final Int2IntOpenHashMap granted = new Int2IntOpenHashMap();

    private int instant;

    /**
     * @param believed the data centre as the agents believe it to be
     * @param auctions settings of an auction of one agent
     * @param beliefs makes the belief of each agent, not that of the simulator
     * @param bidders makes the bidder of each agent, which must share nothing that changes with the others
     */
    public DecentralisedAgents(
            SimView view,
            Topology believed,
            Domains domains,
            DecentralisedSettings settings,
            AuctionSettings auctions,
            Supplier<InterferenceModel> beliefs,
            Function<Auctioneer, Bidder> bidders,
            Workers workers) {
        this.view = view;
        this.believed = believed;
        this.settings = settings;
        this.auctions = auctions;
        this.beliefs = beliefs;
        this.bidders = bidders;
        this.workers = workers;
        negotiation = new Negotiation(auctions.sets());
        division = new ClusterDivision(view, domains, settings);
        int count = domains.count();
        histories = new SummaryHistory[count];
        summarised = new int[count];
        seen = new DomainSummary[count];
        for (int domain = 0; domain < count; domain++) {
            DomainView part = division.part(domain);
            histories[domain] = new SummaryHistory(part.summary());
            Topology itsServers = DomainTopology.of(
                    believed,
                    domains.firstServer(domain),
                    domains.endServer(domain),
                    part.topology().name());
            agents.add(agent(domain, part, itsServers, auctions));
        }
    }

    private DomainAgent agent(int domain, DelegatingView itsView, Topology itsServers, AuctionSettings itsAuctions) {
        return new DomainAgent(
                domain, division, itsView, itsServers, seen, settings, itsAuctions, beliefs.get(), bidders);
    }

    /** Makes all decisions of this instant; returns the wait that ends it. */
    public Decision play(DecisionSink decisions) {
        Decision wait = turn(decisions);
        while (wait == null) {
            wait = turn(decisions);
        }
        return wait;
    }

    /** The next decision of a scheduler that makes one at a time, as {@link Auctioneer#next}. */
    public Decision next(DecisionQueue decided) {
        while (decided.isEmpty()) {
            Decision wait = turn(decided);
            if (wait != null) {
                return wait;
            }
        }
        return decided.remove();
    }

    /** Makes the decisions of a round; returns the wait that ends this instant, null when it goes on. */
    private @Nullable Decision turn(DecisionSink decisions) {
        division.update();
        lookAtOthers();
        CoordinatorView itsView = division.coordinator();
        if (coordinator == null && itsView != null) {
            AuctionSettings placing = new AuctionSettings(
                    auctions.order(),
                    auctions.jobs(),
                    auctions.sets(),
                    0,
                    auctions.preemption(),
                    auctions.patience(),
                    auctions.told());
            coordinator = agent(division.count(), itsView, believed, placing);
        }
        if (coordinator != null && coordinator.isAwake(instant, true)) {
            coordinator.bid();
            coordinator.act(decisions, instant);
            return null;
        }
        awake.clear();
        boolean readsOthers = settings.hops() > 0 || division.hasQuotas();
        List<DomainAgent> answering = settings.silent().isEmpty()
                ? agents
                : agents.stream().filter(agent -> !agent.isSilent()).toList();
        boolean isAnyMakingRoom = answering.stream().anyMatch(DomainAgent::isMakingRoom);
        for (DomainAgent agent : answering) {
            if (isAnyMakingRoom ? agent.isMakingRoom() : agent.isAwake(instant, readsOthers)) {
                awake.add(agent);
            }
        }
        if (awake.isEmpty()) {
            instant++;
            return waits();
        }
        workers.each(awake.size(), i -> awake.get(i).bid());
        act(decisions);
        return null;
    }

    private void lookAtOthers() {
        if (settings.hops() == 0) {
            return;
        }
        long now = view.nowNanos();
        for (int domain = 0; domain < seen.length; domain++) {
            DomainView part = division.part(domain);
            if (summarised[domain] != part.journalSize() && !agents.get(domain).isSilent()) {
                summarised[domain] = part.journalSize();
                histories[domain].add(now, part.summary());
            }
            seen[domain] = histories[domain].at(now - Math.round(60e9 * settings.minutesOld()));
        }
    }

    private void act(DecisionSink decisions) {
        negotiation.begin(view.waitingCount());
        granted.clear();
        for (DomainAgent agent : awake) {
            int job = agent.job();
            if (job != SimView.NONE) {
                negotiation.add(job, agent);
            }
        }
        for (DomainAgent agent : awake) {
            int job = agent.job();
            if (job == SimView.NONE || (negotiation.isWon(job, agent) && isGranted(job))) {
                agent.act(decisions, instant);
            }
        }
    }

    /** Whether the quota of the job's virtual cluster allows it beside the other jobs of this round. */
    private boolean isGranted(int job) {
        if (view.hasLimits()) {
            // A job granted to another agent may count against its limits; the agent asks again after that.
            boolean isFirst =
                    granted.isEmpty() && view.isWithinQuota(job, view.job(job).gpus());
            if (isFirst) {
                granted.put(view.tenant(job), view.job(job).gpus());
            }
            return isFirst;
        }
        int tenant = view.tenant(job);
        int gpus = view.job(job).gpus() + granted.get(tenant);
        granted.put(tenant, gpus);
        return view.isWithinQuota(job, gpus);
    }

    private Decision waits() {
        long until = coordinator == null ? Long.MAX_VALUE : coordinator.untilNanos();
        for (DomainAgent agent : agents) {
            until = Math.min(until, agent.untilNanos());
        }
        return until == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(until);
    }

    /** Whether a job for which room was made has not started yet. */
    public boolean isMakingRoom() {
        return (coordinator != null && coordinator.isMakingRoom())
                || agents.stream().anyMatch(DomainAgent::isMakingRoom);
    }

    /** The summaries of one domain over time, as far back as another agent may still see them. */
    private static final class SummaryHistory {
        private record Entry(long nanos, DomainSummary summary) {}

        private final ArrayDeque<Entry> entries = new ArrayDeque<>();

        /** @param first the summary before all that are added */
        SummaryHistory(DomainSummary first) {
            entries.add(new Entry(Long.MIN_VALUE, first));
        }

        /** Adds a summary that holds from an instant on, in order of time; the last one of an instant counts. */
        void add(long nanos, DomainSummary summary) {
            if (entries.getLast().nanos == nanos) {
                entries.removeLast();
            }
            entries.addLast(new Entry(nanos, summary));
        }

        /** The summary at an instant that is not before those asked for earlier; older entries are forgotten. */
        DomainSummary at(long nanos) {
            Entry entry = entries.removeFirst();
            while (!entries.isEmpty() && entries.getFirst().nanos <= nanos) {
                entry = entries.removeFirst();
            }
            entries.addFirst(entry);
            return entry.summary;
        }
    }
}
