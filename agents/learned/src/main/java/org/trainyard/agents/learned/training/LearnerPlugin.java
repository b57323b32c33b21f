package org.trainyard.agents.learned.training;

import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.ServiceProviders;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.Simulator;

/**
 * A learner of another module, which configs then name by {@code learner.type}. The class is named in
 * {@code META-INF/services/org.trainyard.agents.learned.training.LearnerPlugin}.
 */
public interface LearnerPlugin {
    /** The record of its hyperparameters, whose simple name is the type. */
    Class<? extends LearnerSettings> settings();

    /**
     * The trainer before its first update.
     *
     * @param settings an instance of {@link #settings()}
     */
    PolicyTrainer trainer(LearnerSettings settings, Setting world);

    /**
     * The setting of a config, in which a policy is trained.
     *
     * @param reward makes the reward of an episode
     * @param episodes simulators at the start of the training episode of a number
     * @param workers on which episodes may be played at the same time
     * @param seed root of every random stream
     */
    record Setting(
            Deployment deployment,
            Supplier<Reward> reward,
            LongFunction<Supplier<Simulator>> episodes,
            WorkerPool workers,
            long seed) {}

    /** The learners of all modules. */
    static List<LearnerPlugin> all() {
        return ServiceProviders.all(LearnerPlugin.class);
    }

    static LearnerPlugin of(LearnerSettings settings) {
        return all().stream()
                .filter(plugin -> plugin.settings() == settings.getClass())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no learner of %s".formatted(settings)));
    }
}
