package org.trainyard.agents.heuristic;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.trainyard.agents.heuristic.packing.PlacementPolicies;
import org.trainyard.env.InputException;

/** The schedulers and placement policies of some plugins by name, in the order of the plugins. */
record PluggedRows(Map<String, SchedulerRegistry.Entry> schedulers, Map<String, PlacementPolicies.Entry> placers) {
    static final PluggedRows NONE = new PluggedRows(List.of());

    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    /** @throws InputException when a name is none, or is given twice */
    PluggedRows(List<SchedulerPlugin> plugins) {
        this(new LinkedHashMap<>(), new LinkedHashMap<>());
        for (SchedulerPlugin plugin : plugins) {
            plugin.schedulers().forEach(row -> put(schedulers, row.name(), row));
            plugin.placers().forEach(row -> put(placers, row.name(), row));
        }
    }

    private static <T> void put(Map<String, T> rows, String name, T row) {
        if (!NAME.matcher(name).matches()) {
            throw InputException.at("plugin", name, "a name of lower-case words joined by hyphens");
        }
        if (rows.putIfAbsent(name, row) != null) {
            throw InputException.at("plugin", name, "each name once");
        }
    }
}
