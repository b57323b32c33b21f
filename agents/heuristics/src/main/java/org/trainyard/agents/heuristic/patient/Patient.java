package org.trainyard.agents.heuristic.patient;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.decentralised.DecentralisedAgents;
import org.trainyard.env.gym.decentralised.DecentralisedScheduler;
import org.trainyard.env.gym.decentralised.DecentralisedSettings;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * Patient: a rule with fixed weights over the bids of the gym, one agent per rack; the bid of the highest
 * {@link PatientScore score} acts.
 *
 * <p>Jobs bid in order of the Gittins index of their remaining work. A job starts only on the fewest servers of a size
 * that it fits on, cheapest by belief; it waits otherwise. With preemption, a waiting job with little work left
 * displaces running jobs with more: who has room on another server migrates there, others return to the queue; and a
 * running job restarts where that saves enough time.
 *
 * <p>The rule reads the same columns and makes the same bids as a learned policy. Source: ours; no paper describes it.
 * Its parts are known ones: delay scheduling (M. Zaharia et al., EuroSys 2010) with an infinite delay, the Gittins
 * index (J. Gittins, 1979), migration as in Gandiva (W. Xiao et al., OSDI 2018). Jobs must demand a fixed number of
 * whole GPUs of any type. An instance serves one run.
 */
public final class Patient implements Scheduler {
    /** Waiting jobs that bid at once, sets of servers for each, and running jobs that bid to move. */
    private static final int JOBS = 6;

    private static final int SETS = 8;
    private static final int MOVES = 2;

    private final PatientWeights weights;
    private final PatientScore score;
    private final Topology topology;
    private final InterferenceModel belief;
    private final DecisionQueue decided = new DecisionQueue();
    private @Nullable Auctioneer auctioneer;

    /**
     * @param topology as the rule believes it to be
     * @param belief the interference model that its placements consult, not that of the simulator
     */
    public Patient(PatientWeights weights, Topology topology, InterferenceModel belief) {
        this.topology = topology;
        this.weights = weights;
        score = new PatientScore(weights, topology);
        this.belief = belief;
    }

    private static AuctionSettings auctions(PatientWeights weights) {
        boolean preempts = weights.preempts();
        return new AuctionSettings(RemainingTime.GITTINS_BY_WORK, JOBS, SETS, preempts ? MOVES : 0, preempts, false);
    }

    /** The rule for agents that decide apart, one of each domain. */
    public static Scheduler apart(
            PatientWeights weights,
            Topology topology,
            InterferenceModel belief,
            Domains domains,
            DecentralisedSettings settings) {
        PatientScore score = new PatientScore(weights, topology);
        return new DecentralisedScheduler(view -> new DecentralisedAgents(
                view,
                topology,
                domains,
                settings,
                auctions(weights),
                () -> belief,
                auctioneer -> {
                    auctioneer.leaveOutLosers(score);
                    return score::offer;
                },
                DecentralisedAgents.Workers.SEQUENTIAL));
    }

    @Override
    public Decision decide(SimView view) {
        if (auctioneer == null) {
            auctioneer = new Auctioneer(view, topology, auctions(weights), Domains.racks(topology), belief);
            auctioneer.leaveOutLosers(score);
        }
        return auctioneer.next(decided, score);
    }

    @Override
    public boolean isBetweenPlans() {
        return decided.isEmpty() && (auctioneer == null || !auctioneer.isMakingRoom());
    }
}
