package org.trainyard.experiments.config;

import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.yaml.Binder;
import org.trainyard.experiments.config.yaml.Yaml;

/**
 * Checks the keys outside {@code learner} that no or only some learners read: they are {@code null} for a learner
 * that does not read them, so that no setting seems to matter that does not.
 *
 * <p>Agents that bid play whole episodes, forward no jobs and share one reward. The encoder beside the columns of
 * bids is of learner Auction.
 */
final class LearnerKeys {
    private LearnerKeys() {}

    static void check(Yaml root, ExperimentConfig config) {
        String name = config.learner().getClass().getSimpleName();
        ExperimentConfig.Environment environment = config.environment();
        check(root, environment.window(), false, name, "environment", "window");
        check(root, environment.maxHops(), false, name, "environment", "max_hops");
        check(root, environment.horizonHours(), false, name, "environment", "horizon_hours");
        check(root, environment.reward(), true, name, "environment", "reward");
        check(root, environment.teamShare(), false, name, "environment", "team_share");
        if (!(config.learner() instanceof LearnerSettings.Auction)) {
            check(root, config.network(), false, name, "network");
        }
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
