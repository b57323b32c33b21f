package org.trainyard.env.gym.registry;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;

/** The families of schedulers that are here: those of the class path, then those of plugins from outside. */
final class SchedulerFamilies {
    /** A family with its rows by name, which are made when they are first asked for. */
    static final class Family {
        private final SchedulerPlugin plugin;
        private final @Nullable OwnFamily own;
        private final List<SchedulerPrefix> prefixes;
        private @Nullable Map<String, Entry> rows;

        Family(SchedulerPlugin plugin) {
            this.plugin = plugin;
            own = plugin.getClass().getAnnotation(OwnFamily.class);
            prefixes = Stream.concat(
                            plugin.prefixes().stream(), plugin.rules().stream().map(AuxiliaryPolicy.Family::schedulers))
                    .toList();
        }

        SchedulerPlugin plugin() {
            return plugin;
        }

        private int position() {
            return own == null ? Integer.MAX_VALUE : own.position();
        }

        List<SchedulerPrefix> prefixes() {
            return prefixes;
        }

        /** The rows in the order in which to list them. */
        synchronized Map<String, Entry> rows() {
            Map<String, Entry> made = rows;
            if (made == null) {
                made = new LinkedHashMap<>();
                for (Entry entry : plugin.schedulers()) {
                    made.put(entry.name(), entry);
                }
                rows = made;
            }
            return made;
        }

        @Nullable Entry named(String name) {
            Entry listed = rows().get(name);
            if (listed != null) {
                return listed;
            }
            String row = plugin.aliases().get(name);
            return row == null ? plugin.unlisted(name) : rows().get(row);
        }
    }

    /** The modules of this project that hold schedulers. */
    private static final List<String> HOMES = List.of("agents/heuristics", "agents/production", "agents/published");

    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    private static final List<Family> OWN =
            ServiceLoader.load(SchedulerPlugin.class, SchedulerPlugin.class.getClassLoader()).stream()
                    .map(provider -> new Family(provider.get()))
                    .sorted(Comparator.comparingInt(Family::position)
                            .thenComparing(family -> family.plugin.getClass().getName()))
                    .toList();

    /** Replaced as a whole. */
    private static volatile List<Family> all = OWN;

    private SchedulerFamilies() {}

    static List<Family> all() {
        return all;
    }

    static void plug(List<SchedulerPlugin> plugins) {
        Map<String, Entry> schedulers = new LinkedHashMap<>();
        Map<String, PlacementPolicies.Entry> placers = new LinkedHashMap<>();
        List<Family> families = new ArrayList<>(OWN);
        for (SchedulerPlugin plugin : plugins) {
            plugin.schedulers().forEach(row -> put(schedulers, row.name(), row));
            plugin.placers().forEach(row -> put(placers, row.name(), row));
            families.add(new Family(plugin));
        }
        schedulers
                .keySet()
                .forEach(name -> requireFree(
                        name, OWN.stream().anyMatch(family -> family.rows().containsKey(name))));
        placers.keySet()
                .forEach(name -> requireFree(
                        name,
                        placersOf(OWN).stream().anyMatch(placer -> placer.name().equals(name))));
        all = List.copyOf(families);
    }

    private static <T> void put(Map<String, T> rows, String name, T row) {
        if (!NAME.matcher(name).matches()) {
            throw InputException.at("plugin", name, "a name of lower-case words joined by hyphens");
        }
        if (rows.putIfAbsent(name, row) != null) {
            throw InputException.at("plugin", name, "each name once");
        }
    }

    private static void requireFree(String name, boolean isTaken) {
        if (isTaken) {
            throw InputException.at("plugin", name, "a name that is not one of Trainyard's own");
        }
    }

    /** The placement policies of families, in the order of these. */
    static List<PlacementPolicies.Entry> placersOf(List<Family> families) {
        return families.stream()
                .flatMap(family -> family.plugin().placers().stream())
                .toList();
    }

    static List<String> absentHomes() {
        return HOMES.stream()
                .filter(home -> OWN.stream()
                        .noneMatch(family ->
                                family.own != null && family.own.module().equals(home)))
                .toList();
    }
}
