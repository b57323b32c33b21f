package org.trainyard.agents.learned.ppo;

import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.auction.BidScorer;
import org.trainyard.agents.learned.bids.BidDistribution;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.training.ScheduleSettings;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.Chooser;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.env.gym.auction.Offer;
import org.trainyard.env.gym.decentralised.DecentralisedAgents;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.gym.reward.TrueBacklog;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;

/** Plays whole episodes with bids drawn from the softmax of their scores, and records them. */
final class EpisodePlayer {
    private final BidPolicy policy;
    private final Reward reward;
    private final ScheduleSettings settings;
    private final BidDistribution distribution = new BidDistribution();

    /**
     * @param reward its negative is the cost of a state
     * @param settings say whether the true backlog is recorded, and its horizon
     */
    EpisodePlayer(BidPolicy policy, Reward reward, ScheduleSettings settings) {
        this.policy = policy;
        this.reward = reward;
        this.settings = settings;
    }

    /** Plays the episode to its end in a deployment. */
    void play(Simulator simulator, Deployment deployment, RandomGenerator random, EpisodeRecord record) {
        if (deployment.apart() == null) {
            play(simulator, policy.auctioneer(simulator.view(), deployment), random, record);
            return;
        }
        DecentralisedAgents agents = policy.agents(simulator.view(), deployment, auctioneer -> {
            BidScorer scorer = new BidScorer(policy, auctioneer);
            return (auction, firstLegal) -> {
                int bid = choose(auction, firstLegal, scorer, random, record);
                return new Offer(bid, distribution.logProbability(bid));
            };
        });
        DecisionSink decisions = new CostTrajectory(simulator, simulator.view(), record);
        play(simulator, () -> agents.play(decisions), record);
    }

    /** Plays the episode to its end. */
    void play(Simulator simulator, Auctioneer auctioneer, RandomGenerator random, EpisodeRecord record) {
        BidScorer scorer = new BidScorer(policy, auctioneer);
        Chooser chooser = (auction, firstLegal) -> choose(auction, firstLegal, scorer, random, record);
        DecisionSink decisions = new CostTrajectory(simulator, simulator.view(), record);
        play(simulator, () -> auctioneer.play(decisions, chooser), record);
    }

    private void play(Simulator simulator, Supplier<Decision> instant, EpisodeRecord record) {
        record.clear();
        TrueBacklog backlog =
                settings.lambdaHorizonHours() == null ? null : new TrueBacklog(simulator, settings.discountHours());
        SimView view = simulator.view();
        while (!simulator.isStuck() && simulator.advance()) {
            int at = record.addSegment(view.nowNanos() / 3600e9);
            ClusterFigures.write(view, record.figures, at);
            record.figures[at + EpisodeRecord.BACKLOG] = backlog == null ? 0 : backlog.jobHours();
            simulator.apply(instant.get());
            record.costFromNow(-reward.perHour(view));
        }
        record.addSegment(view.nowNanos() / 3600e9);
        record.costFromNow(0);
        record.meanJctSeconds = simulator.jobSeconds() / view.arrived();
    }

    /** Makes the decisions, and records what they cost at once. */
    private final class CostTrajectory implements DecisionSink {
        private final DecisionSink made;
        private final SimView view;
        private final EpisodeRecord record;

        CostTrajectory(DecisionSink made, SimView view, EpisodeRecord record) {
            this.made = made;
            this.view = view;
            this.record = record;
        }

        @Override
        public void start(int job, Placement placement) {
            made.start(job, placement);
        }

        @Override
        public void forward(int job, int domain) {
            made.forward(job, domain);
        }

        @Override
        public void preempt(int job) {
            record.costAtOnce(-reward.ofPreemption(view, job));
            made.preempt(job);
        }
    }

    /** Draws the winner of an auction, and records the auction. */
    private int choose(
            Auction auction, int firstLegal, BidScorer scorer, RandomGenerator random, EpisodeRecord record) {
        distribution.set(scorer.score(auction), auction.size(), firstLegal);
        int chosen = distribution.draw(random);
        ClusterGraph graph = scorer.graph();
        if (graph != null) {
            record.addGraph(auction, graph);
        }
        float logProbability = (float) distribution.logProbability(chosen);
        record.addAuction(auction, scorer.rows(), chosen, logProbability, firstLegal == 0);
        return chosen;
    }
}
