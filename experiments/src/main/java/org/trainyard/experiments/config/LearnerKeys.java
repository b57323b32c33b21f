package org.trainyard.experiments.config;

import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.training.ExpertIteration;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.yaml.Binder;
import org.trainyard.experiments.config.yaml.Yaml;

/**
 * Checks the keys outside {@code learner} that only some learners read: they are {@code null} for a learner that does not read them, so
 * that no setting seems to matter that does not.
 *
 * <p>A search plays whole episodes and compares their mean JCT: it reads no reward, and it truncates no episode. Agents that bid play whole
 * episodes, too; they observe no rows, forward no jobs and share one reward; their network is an encoder beside the columns of bids, or null for
 * none. Expert iteration has no reward but the delay of jobs, and no encoder. A policy that continues a checkpoint has that checkpoint's network.
 */
final class LearnerKeys {
    private LearnerKeys() {}

    static void check(Yaml root, ExperimentConfig config) {
        LearnerSettings learner = config.learner();
        boolean bids = learner.bidStart() != null || learner instanceof LearnerSettings.Dqn;
        boolean isRewarded = !(learner instanceof ExpertIteration || learner instanceof LearnerSettings.Search);
        boolean steps = !bids && !(learner instanceof LearnerSettings.Search);
        String name = learner.getClass().getSimpleName();
        ExperimentConfig.Environment environment = config.environment();
        check(root, environment.window(), !bids, name, "environment", "window");
        check(root, environment.maxHops(), !bids, name, "environment", "max_hops");
        check(root, environment.horizonHours(), steps, name, "environment", "horizon_hours");
        check(root, environment.reward(), isRewarded, name, "environment", "reward");
        check(root, environment.teamShare(), steps, name, "environment", "team_share");
        boolean continues = startFrom(learner) != null;
        if (!(learner instanceof LearnerSettings.Auction)) {
            check(root, config.network(), !bids && !continues, continues ? name + " with start_from" : name, "network");
        }
    }

    private static @Nullable String startFrom(LearnerSettings learner) {
        if (learner instanceof LearnerSettings.Ppo ppo) {
            return ppo.startFrom();
        }
        return learner instanceof LearnerSettings.A2c a2c ? a2c.startFrom() : null;
    }

    private static void check(Yaml root, @Nullable Object value, boolean isRead, String learner, String... path) {
        if (isRead == (value == null)) {
            String place = Binder.at(ConfigReader.placeOf(root, path), String.join(".", path));
            throw new InputException(
                    isRead
                            ? "%s: is null, but learner %s reads it: expected a value".formatted(place, learner)
                            : "%s: learner %s does not read it: expected null".formatted(place, learner));
        }
    }
}
