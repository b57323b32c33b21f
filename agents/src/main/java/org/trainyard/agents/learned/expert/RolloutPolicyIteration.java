package org.trainyard.agents.learned.expert;

import java.nio.file.Path;
import java.util.List;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.auction.BidRegression;
import org.trainyard.agents.learned.training.ExpertIteration;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.agents.learned.training.RolloutLabels;
import org.trainyard.agents.learned.training.TrainerFile;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.BidColumn;

/**
 * Expert iteration of bids: the policy plays, alternatives of some of its decisions are tried in forked futures in which it plays on, and it moves
 * towards those that did better (T. Anthony, Z. Tian, D. Barber: Thinking fast and slow with deep learning and tree search, NIPS 2017; D. Bertsekas,
 * J. Tsitsiklis, C. Wu: Rollout algorithms for combinatorial optimization, 1997).
 *
 * <p>Deviations: 1. there is no tree: one bid is exchanged, and the policy decides all that follows; 2. the target is a step of mirror descent
 * ({@link ImprovedBids}), not the winner; 3. decisions are drawn from contested ones, in which two bids are plausible; 4. the cost to a horizon of some
 * hours stands for that to the end.
 */
public final class RolloutPolicyIteration implements PolicyTrainer {
    private static final String KIND = "TYEXPERT";
    private static final int VERSION = 1;
    private static final double SIGNIFICANT = 2;

    private final BidPolicy policy;
    private final ExpertIteration settings;
    private final EpisodeLabels labels;
    private final long seed;
    private final BidRegression regression;
    private int updates;

    /**
     * Owns the policy from now on.
     *
     * @param labels of its episodes
     * @param pool for gradient steps
     */
    public RolloutPolicyIteration(
            BidPolicy policy, ExpertIteration settings, EpisodeLabels labels, WorkerPool pool, long seed) {
        this.policy = policy;
        this.settings = settings;
        this.labels = labels;
        this.seed = seed;
        regression = new BidRegression(policy.network(), pool);
    }

    /** Plays episodes, labels decisions and moves the policy towards the better bids. */
    @Override
    public UpdateStatistics update() {
        FiniteCheck check = new FiniteCheck(updates + 1);
        List<LabelledEpisode> episodes = labels.of(policy, updates);
        List<LabelledDecision> decisions = episodes.stream()
                .flatMap(episode -> episode.decisions().stream())
                .toList();
        BidRegression.Result fit = fit(decisions, check);
        check.weights("the bids", policy.network().weights());
        updates++;
        return statistics(episodes.stream().map(LabelledEpisode::figures).toList(), decisions, fit);
    }

    private BidRegression.Result fit(List<LabelledDecision> labels, FiniteCheck check) {
        ImprovedBids improved = new ImprovedBids(labels, settings.step());
        regression.clear();
        for (LabelledDecision label : labels) {
            label.addTo(regression, improved.target(label));
        }
        return regression.fit(
                settings.epochs(),
                settings.minibatch(),
                settings.learningRate(),
                RandomStreams.stream(seed, "shuffle/" + updates),
                check);
    }

    private UpdateStatistics statistics(
            List<LabelledEpisode.Figures> episodes, List<LabelledDecision> labels, BidRegression.Result fit) {
        int auctions = episodes.stream().mapToInt(episode -> episode.auctions()).sum();
        double none = Double.NaN;
        return new UpdateStatistics(
                updates,
                auctions,
                0,
                episodes.stream().mapToDouble(episode -> episode.hours()).sum(),
                episodes.size(),
                none,
                3600
                        * episodes.stream()
                                .mapToDouble(episode -> episode.jobHours() / episode.jobs())
                                .average()
                                .orElse(none),
                fit.divergenceBefore(),
                none,
                fit.entropy(),
                none,
                fit.divergenceAfter(),
                none,
                none,
                fit.gradientNorm(),
                fit.steps(),
                none,
                none,
                none,
                auctions == 0
                        ? none
                        : (double) episodes.stream()
                                        .mapToInt(episode -> episode.waits())
                                        .sum()
                                / auctions,
                labels(episodes, labels));
    }

    private static RolloutLabels labels(List<LabelledEpisode.Figures> episodes, List<LabelledDecision> labels) {
        double count = Math.max(1, labels.size());
        double advantages = 0;
        double errors = 0;
        double improvement = 0;
        int arms = 0;
        int rollouts = 0;
        int effective = 0;
        int significant = 0;
        for (LabelledDecision label : labels) {
            ArmCosts costs = label.costs();
            for (int arm = 0; arm < costs.arms(); arm++) {
                advantages += Math.abs(costs.advantage(arm));
                errors += costs.standardError(arm);
            }
            arms += costs.arms();
            rollouts += costs.rollouts();
            effective += costs.matters() ? 1 : 0;
            significant += costs.isBeaten(SIGNIFICANT) ? 1 : 0;
            improvement += costs.improvement() / count;
        }
        double contested =
                episodes.stream().mapToInt(episode -> episode.contested()).sum();
        double jobHours =
                episodes.stream().mapToDouble(episode -> episode.jobHours()).sum();
        return new RolloutLabels(
                labels.size(),
                rollouts,
                effective / count,
                advantages / Math.max(1, arms),
                errors / Math.max(1, arms),
                significant / count,
                improvement,
                improvement * contested / jobHours);
    }

    @Override
    public BidPolicy policy() {
        return policy;
    }

    @Override
    public int updates() {
        return updates;
    }

    @Override
    public int plannedUpdates() {
        return settings.updates();
    }

    private TrainerFile file() {
        return new TrainerFile(KIND, VERSION, BidColumn.schema(), seed);
    }

    @Override
    public void save(Path file) {
        file().write(file, out -> {
            out.writeInt(updates);
            policy.network().write(out);
            regression.write(out);
        });
    }

    @Override
    public void load(Path file) {
        file().read(file, in -> {
            updates = in.readInt();
            policy.network().read(in);
            regression.read(in);
        });
    }

    @Override
    public void close() {
        // Its weights are on the heap.
    }
}
