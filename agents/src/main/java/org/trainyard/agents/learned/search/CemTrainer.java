package org.trainyard.agents.learned.search;

import java.nio.file.Path;
import java.util.Arrays;
import org.trainyard.agents.learned.policy.InitialRules;
import org.trainyard.agents.learned.policy.LinearPolicy;
import org.trainyard.agents.learned.policy.Policy;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.agents.learned.training.TrainerFile;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.env.RandomStreams;

/**
 * Learns a rule by trial: whole episodes are played with many rules, and {@link CrossEntropySearch} moves towards those with the least
 * mean JCT. All rules of a generation play the same episodes, so that luck with the episode cancels out; every generation plays new ones.
 *
 * <p>A reward that comes once per episode is poor advice for a network of thousands of weights and good advice for thirty: what an
 * action is worth hours later need not be guessed.
 */
public final class CemTrainer implements PolicyTrainer {
    /**
     * @param search how candidates are drawn and learned from
     * @param episodes that every candidate of a generation plays
     * @param sharpness what the weights are multiplied by in the network: how surely it takes the best
     */
    public record Settings(CrossEntropySearch.Settings search, int episodes, double sharpness) {
        public Settings {
            if (episodes < 1 || !(sharpness > 0)) {
                throw new IllegalArgumentException(
                        "episodes (%d) must be at least 1, sharpness (%s) above zero".formatted(episodes, sharpness));
            }
        }
    }

    /** Plays episodes. */
    public interface Trials {
        /**
         * The mean over the episodes {@code first .. first + count - 1} of the natural logarithm of the mean JCT in seconds, for each
         * policy.
         */
        double[] meanLogJct(Policy[] policies, long first, int count);
    }

    private static final String KIND = "TYSEARCH";
    private static final int VERSION = 1;

    private final PolicyNetwork policy;
    private final Settings settings;
    private final Trials trials;
    private final long seed;
    private final CrossEntropySearch search;

    /** Owns the policy from now on. */
    public CemTrainer(PolicyNetwork policy, Settings settings, boolean preemption, Trials trials, long seed) {
        this.policy = policy;
        this.settings = settings;
        this.trials = trials;
        this.seed = seed;
        search = new CrossEntropySearch(settings.search(), InitialRules.patient(), InitialRules.spread(preemption));
        policy.become(search.mean(), settings.sharpness());
    }

    @Override
    public PolicyNetwork policy() {
        return policy;
    }

    @Override
    public int updates() {
        return search.generation();
    }

    @Override
    public int plannedUpdates() {
        return settings.search().generations();
    }

    @Override
    public UpdateStatistics update() {
        double[][] candidates = search.ask(RandomStreams.stream(seed, "candidates/" + search.generation()));
        Policy[] policies = Arrays.stream(candidates).map(LinearPolicy::new).toArray(Policy[]::new);
        long first = (long) search.generation() * settings.episodes();
        double[] costs = trials.meanLogJct(policies, first, settings.episodes());
        search.tell(candidates, costs);
        policy.become(search.mean(), settings.sharpness());
        return UpdateStatistics.ofTrials(
                search.generation(), candidates.length * settings.episodes(), Math.exp(costs[0]));
    }

    @Override
    public void save(Path file) {
        new TrainerFile(KIND, VERSION, seed).write(file, search::write);
    }

    @Override
    public void load(Path file) {
        new TrainerFile(KIND, VERSION, seed).read(file, in -> {
            search.read(in);
            policy.become(search.mean(), settings.sharpness());
        });
    }

    @Override
    public void close() {
        policy.close();
    }
}
