package org.trainyard.experiments.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.trainyard.env.PluginKind;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.gym.reward.RewardPlugin;
import org.trainyard.experiments.config.PluggedRewards;

/** The kinds of plugins: schedulers with placers, rewards, and what modules bring in. */
final class PluginKinds {
    private PluginKinds() {}

    static List<PluginKind<?>> all() {
        List<PluginKind<?>> brought = new ArrayList<>();
        for (PluginKind<?> kind : ServiceLoader.load(PluginKind.class, PluginKind.class.getClassLoader())) {
            brought.add(kind);
        }
        brought.sort(Comparator.comparing(kind -> kind.getClass().getName()));
        return Stream.<PluginKind<?>>concat(Stream.of(new Schedulers(), new Rewards()), brought.stream())
                .toList();
    }

    private static final class Schedulers implements PluginKind<SchedulerPlugin> {
        @Override
        public Class<SchedulerPlugin> service() {
            return SchedulerPlugin.class;
        }

        @Override
        public void plug(List<SchedulerPlugin> plugins) {
            SchedulerRegistry.plug(plugins);
        }

        @Override
        public Stream<String> names(SchedulerPlugin plugin) {
            return Stream.concat(
                    plugin.schedulers().stream().map(entry -> "scheduler " + entry.name()),
                    plugin.placers().stream().map(entry -> "placer " + entry.name()));
        }
    }

    private static final class Rewards implements PluginKind<RewardPlugin> {
        @Override
        public Class<RewardPlugin> service() {
            return RewardPlugin.class;
        }

        @Override
        public void plug(List<RewardPlugin> plugins) {
            PluggedRewards.plug(plugins);
        }

        @Override
        public Stream<String> names(RewardPlugin plugin) {
            return Stream.of("reward " + plugin.name());
        }
    }
}
