package org.trainyard.agents.heuristic.freezing;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;

/** The freeze rules that can stand beside any scheduler, by name: {@code freeze=autofreeze:fifo} and so on. */
public final class FreezeRules {
    /** How the names of schedulers with a freeze rule begin. */
    public static final String PREFIX = "freeze=";

    private record Row(String description, Function<Topology, FreezeRule> rule) {}

    private static final Map<String, Row> ROWS = new LinkedHashMap<>();

    static {
        ROWS.put(
                "pipetransformer",
                new Row(
                        "freezes a third of the active layers after each epoch (PipeTransformer)",
                        on -> EpochSchedule.PUBLISHED));
        ROWS.put(
                "epochs",
                new Row(
                        "freezes one part in as many as there are epochs of the active layers after each epoch",
                        on -> EpochSchedule.BY_EPOCHS));
        ROWS.put(
                "autofreeze",
                new Row(
                        "freezes layers before the first whose gradients change much (AutoFreeze)",
                        on -> new GradientChanges()));
        ROWS.put(
                "egeria",
                new Row(
                        "freezes the first active layer when its plasticity is stationary (Egeria)",
                        on -> new PlasticityWatch()));
        ROWS.put(
                "progress",
                new Row(
                        "freezes the layers with the largest effective progress (IceFrog's knob alone)",
                        on -> new EffectiveGoodput(on, true)));
    }

    private FreezeRules() {}

    /** The names of the rules. */
    public static List<String> names() {
        return List.copyOf(ROWS.keySet());
    }

    public static String description(String rule) {
        return row(rule).description();
    }

    public static Scheduler beside(String rule, Topology topology, Scheduler placing) {
        return new FreezingScheduler(placing, row(rule).rule().apply(topology));
    }

    private static Row row(String rule) {
        Row row = ROWS.get(rule);
        if (row == null) {
            throw InputException.at("scheduler, freeze rule", rule, "one of " + String.join(", ", names()));
        }
        return row;
    }
}
