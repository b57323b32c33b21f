package org.trainyard.agents.heuristic.volcano;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trainyard.agents.heuristic.kubernetes.Fields;
import org.trainyard.agents.heuristic.kubernetes.YamlDocuments;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.trace.kubernetes.Quantity;

/**
 * All that configures Volcano: its queues, the priority classes, and the actions and plugins of its scheduler.
 *
 * @param priorityClasses by name
 * @param otherwise class of jobs that name none and have no priority of their own
 * @param notes settings of the files that have no effect here
 */
public record VolcanoObjects(
        List<Queue> queues,
        Map<String, PriorityClass> priorityClasses,
        PriorityClass otherwise,
        Rules rules,
        List<String> notes) {
    /** The objects of Volcano's chart: one queue, no preemption. */
    public static final VolcanoObjects DEFAULT = new Reader().objects();

    /**
     * @param capability the most that its jobs may hold
     * @param deserved amounts that are its own, under the plugin capacity
     * @param guarantee amounts that others never get
     * @param reclaimable whether its jobs give way to those of other queues
     * @param open whether it takes jobs
     */
    record Queue(
            String name,
            long weight,
            long priority,
            Amounts capability,
            Amounts deserved,
            Amounts guarantee,
            boolean reclaimable,
            boolean open) {}

    /** @param displaces whether its jobs make others give way */
    record PriorityClass(long value, boolean displaces) {}

    /**
     * Rules that the actions and plugins make together.
     *
     * @param capacity whether queues deserve the amounts of their objects, and not shares by their weights
     * @param byPriority whether jobs of higher priority come first
     * @param packs whether jobs go to the fullest server, and not to the emptiest
     * @param preempts whether jobs give way to more urgent ones of their queue
     * @param reclaims whether jobs of queues that have more than they deserve give way to other queues
     */
    record Rules(boolean capacity, boolean byPriority, boolean packs, boolean preempts, boolean reclaims) {}

    public VolcanoObjects {
        queues = List.copyOf(queues);
        notes = List.copyOf(notes);
    }

    /** Class of a job: of the name that its QOS is, else of its own priority, else that of all other jobs. */
    PriorityClass priority(SubmissionTerms terms) {
        String name = terms.qos();
        PriorityClass named = name == null ? null : priorityClasses.get(name);
        Long own = terms.priority();
        return named != null ? named : own == null ? otherwise : new PriorityClass(own, true);
    }

    /** Whether jobs give way to others. */
    public boolean preempts() {
        return rules.preempts || rules.reclaims;
    }

    /** Reads a YAML file, or all of a folder. */
    public static VolcanoObjects read(String path) {
        Reader reader = new Reader();
        YamlDocuments.read("scheduler volcano", path, reader::take);
        return reader.objects();
    }

    /** Reads a text. */
    public static VolcanoObjects parse(String source, String text) {
        Reader reader = new Reader();
        YamlDocuments.parse(source, text, reader::take);
        return reader.objects();
    }

    /** Gathers them from documents. */
    private static final class Reader {
        /** Plugins that decide something here, or decide nothing that a simulation has. */
        private static final Set<String> PLUGINS = Set.of(
                "priority",
                "gang",
                "conformance",
                "drf",
                "predicates",
                "proportion",
                "capacity",
                "nodeorder",
                "binpack",
                "overcommit");

        /** Fields that bound which jobs may start. */
        private static final Set<String> BOUNDING = Set.of("affinity", "extendClusters", "parent", "type");

        private static final Set<String> ACTIONS =
                Set.of("enqueue", "allocate", "backfill", "preempt", "reclaim", "gangpreempt", "gangreclaim");

        private final List<Queue> queues = new ArrayList<>();
        private final Map<String, PriorityClass> classes = new LinkedHashMap<>();
        private PriorityClass otherwise = new PriorityClass(0, true);
        private final Set<String> notes = new LinkedHashSet<>();
        private List<String> actions = List.of("enqueue", "allocate", "backfill");
        private Set<String> plugins = Set.of("priority", "gang", "drf", "proportion", "nodeorder", "binpack");
        /** Decisions that the plugin gang leaves to others. */
        private final Set<String> ungated = new LinkedHashSet<>();

        void take(Fields object) {
            String kind = object.text("kind", "");
            object.without("apiVersion");
            switch (kind) {
                case "List" -> object.without("metadata").parts("items").forEach(this::take);
                case "Queue" -> queue(object);
                case "PriorityClass" -> priorityClass(object.without("description"));
                case "ConfigMap" -> {
                    object.without("metadata");
                    object.pairs("data").forEach((name, text) -> {
                        if (text.contains("actions:")) {
                            YamlDocuments.parse(object.at(name), text, this::take);
                        }
                    });
                }
                case "" -> scheduler(object);
                default -> {
                    notes.add("%s: a %s has no effect here".formatted(object.place(), kind));
                    return;
                }
            }
            object.end(notes, BOUNDING);
        }

        private static String name(Fields object) {
            Fields metadata = object.partOrEmpty("metadata");
            return metadata.without(
                            "annotations",
                            "labels",
                            "creationTimestamp",
                            "uid",
                            "resourceVersion",
                            "generation",
                            "managedFields")
                    .needed("name");
        }

        private void priorityClass(Fields object) {
            PriorityClass described = new PriorityClass(
                    object.integer("value", 0),
                    !object.text("preemptionPolicy", "").equals("Never"));
            classes.put(name(object), described);
            otherwise = object.text("globalDefault", "").equals("true") ? described : otherwise;
        }

        private void queue(Fields object) {
            Fields spec = object.partOrEmpty("spec");
            Fields guarantee = spec.partOrEmpty("guarantee");
            Fields status = object.partOrEmpty("status")
                    .without("reservation", "allocated", "pending", "running", "inqueue", "completed", "unknown");
            long weight = spec.integer("weight", 1);
            if (weight < 1) {
                throw InputException.at(spec.at("weight"), weight, "at least 1");
            }
            queues.add(new Queue(
                    name(object),
                    weight,
                    spec.integer("priority", 0),
                    amounts(spec, "capability", Double.POSITIVE_INFINITY),
                    amounts(spec, "deserved", 0),
                    amounts(guarantee, "resource", 0),
                    !spec.text("reclaimable", "true").equals("false"),
                    status.text("state", "Open").equals("Open")));
        }

        private static Amounts amounts(Fields from, String name, double otherwise) {
            double gpus = otherwise;
            double cpu = otherwise;
            double memory = otherwise;
            for (Map.Entry<String, String> amount : from.pairs(name).entrySet()) {
                String resource = amount.getKey();
                double value = Quantity.of(from.at(name), resource, amount.getValue());
                if (resource.equals("cpu")) {
                    cpu = value;
                } else if (resource.equals("memory")) {
                    memory = value / (1 << 20);
                } else if (resource.contains("gpu")) {
                    gpus = value;
                }
            }
            return new Amounts(gpus, cpu, memory);
        }

        private void scheduler(Fields object) {
            actions = List.of(object.text("actions", "").strip().split("\\s*,\\s*", -1));
            plugins = new LinkedHashSet<>();
            for (Fields tier : object.parts("tiers")) {
                for (Fields plugin : tier.parts("plugins")) {
                    String name = plugin.needed("name");
                    plugins.add(name);
                    if (!PLUGINS.contains(name)) {
                        notes.add("%s: has no effect here".formatted(plugin.at(name)));
                    }
                    for (String gate : List.of("enablePreemptable", "enableReclaimable")) {
                        if (plugin.text(gate, "true").equals("false") && name.equals("gang")) {
                            ungated.add(gate);
                        }
                    }
                }
            }
            actions.stream()
                    .filter(action -> !ACTIONS.contains(action))
                    .forEach(action -> notes.add("action %s: has no effect here".formatted(action)));
        }

        /** Whether an action evicts whole jobs, which the plugin gang protects where it is asked. */
        private boolean evicts(String action, String gate) {
            boolean isGated = plugins.contains("gang") && !ungated.contains(gate);
            if (actions.contains(action) && isGated) {
                notes.add("action %s: the plugin gang protects whole jobs (%s: false, or gang%s, lets them give way)"
                        .formatted(action, gate, action));
            }
            return actions.contains("gang" + action) || (actions.contains(action) && !isGated);
        }

        VolcanoObjects objects() {
            if (queues.isEmpty()) {
                queues.add(new Queue("default", 1, 0, Amounts.ALL, Amounts.NONE, Amounts.NONE, true, true));
            }
            Rules rules = new Rules(
                    plugins.contains("capacity"),
                    plugins.contains("priority"),
                    plugins.contains("binpack"),
                    evicts("preempt", "enablePreemptable"),
                    evicts("reclaim", "enableReclaimable"));
            return new VolcanoObjects(queues, classes, otherwise, rules, List.copyOf(notes));
        }
    }
}
