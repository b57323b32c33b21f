package org.trainyard.agents.learned.search;

import java.nio.file.Path;
import java.util.Arrays;
import org.trainyard.agents.learned.policy.InitialRules;
import org.trainyard.agents.learned.policy.LinearPolicy;
import org.trainyard.agents.learned.policy.Policy;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.agents.learned.training.TrainerFile;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.observation.ObservationSpace;

/**
 * Trains a linear rule by {@link CrossEntropySearch}: the cost of a candidate is its mean JCT on whole episodes. All candidates of a
 * generation play the same episodes, common random numbers; every generation plays new ones.
 *
 * <p>One cost per episode is a weak signal for a network of thousands of weights and a strong one for thirty, and it needs no credit
 * assignment over hours.
 */
public final class CemTrainer implements PolicyTrainer {
    /** Runs candidates on episodes. */
    public interface Trials {
        /**
         * The mean over the episodes {@code first .. first + count - 1} of the natural logarithm of the mean JCT in seconds, for each
         * policy.
         */
        double[] meanLogJct(Policy[] policies, long first, int count);
    }

    private static final String KIND = "TYSEARCH";
    private static final int VERSION = 2;

    private final PolicyNetwork policy;
    private final LearnerSettings.Search settings;
    private final Trials trials;
    private final long seed;
    private final CrossEntropySearch search;

    /** Owns the policy from now on. */
    public CemTrainer(
            PolicyNetwork policy, LearnerSettings.Search settings, boolean preemption, Trials trials, long seed) {
        this.policy = policy;
        this.settings = settings;
        this.trials = trials;
        this.seed = seed;
        search = new CrossEntropySearch(settings, InitialRules.patient(), InitialRules.spread(preemption));
        policy.initialiseFrom(search.mean(), settings.inverseTemperature());
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
        return settings.generations();
    }

    @Override
    public UpdateStatistics update() {
        double[][] candidates = search.ask(RandomStreams.stream(seed, "candidates/" + search.generation()));
        Policy[] policies = Arrays.stream(candidates).map(LinearPolicy::new).toArray(Policy[]::new);
        long first = (long) search.generation() * settings.episodes();
        double[] costs = trials.meanLogJct(policies, first, settings.episodes());
        search.tell(candidates, costs);
        policy.initialiseFrom(search.mean(), settings.inverseTemperature());
        return UpdateStatistics.ofTrials(
                search.generation(), candidates.length * settings.episodes(), Math.exp(costs[0]));
    }

    @Override
    public void save(Path file) {
        new TrainerFile(KIND, VERSION, ObservationSpace.schema(), seed).write(file, search::write);
    }

    @Override
    public void load(Path file) {
        new TrainerFile(KIND, VERSION, ObservationSpace.schema(), seed).read(file, in -> {
            search.read(in);
            policy.initialiseFrom(search.mean(), settings.inverseTemperature());
        });
    }

    @Override
    public void close() {
        policy.close();
    }
}
