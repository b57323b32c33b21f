package org.trainyard.experiments.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.InputException;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.gym.reward.RewardPlugin;

/** The rewards of plugins by name. */
public final class PluggedRewards {
    /** Replaced as a whole. */
    private static volatile Map<String, RewardPlugin> plugged = Map.of();

    private PluggedRewards() {}

    /**
     * Adds the rewards of plugins, in place of those added before.
     *
     * @throws InputException when a name is given twice
     */
    public static void plug(List<RewardPlugin> rewards) {
        Map<String, RewardPlugin> rows = new LinkedHashMap<>();
        for (RewardPlugin reward : rewards) {
            if (rows.put(reward.name(), reward) != null) {
                throw InputException.at("plugin", reward.name(), "each name once");
            }
        }
        plugged = rows;
    }

    /** All rewards of plug-ins, in the order in which to list them. */
    public static List<RewardPlugin> all() {
        return List.copyOf(plugged.values());
    }

    /**
     * The reward of this name.
     *
     * @throws InvalidFieldException when there is none
     */
    public static RewardPlugin named(String name) {
        RewardPlugin reward = plugged.get(name);
        if (reward == null) {
            throw new InvalidFieldException(
                    "name",
                    name,
                    plugged.isEmpty()
                            ? "the reward of a plugin; --plugin JAR loads one"
                            : Nearest.oneOf(name, plugged.keySet()));
        }
        return reward;
    }
}
