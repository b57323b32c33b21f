package org.trainyard.agents.heuristic.kueue.configuration;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kubernetes.Fields;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue.Fungibility;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue.Policy;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue.Preemption;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.Cohort;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.Flavor;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.LocalQueue;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.ShareRule;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.UsageSharing;
import org.trainyard.agents.heuristic.kueue.configuration.QuotaGroup.FlavorQuotas;
import org.trainyard.agents.heuristic.kueue.configuration.QuotaGroup.Quota;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.kubernetes.Quantity;

/** Gathers the objects of Kueue from documents, in the fields of its versions from v1beta1 on. */
final class ObjectReader {
    private static final String PODS = "kueue.x-k8s.io/podset-";
    private static final String NEVER = "Never";
    private static final String NEXT = "TryNextFlavor";
    private static final String BY_USAGE = "UsageBasedAdmissionFairSharing";
    private static final Duration SAMPLING = Duration.ofMinutes(5);
    private static final String PREEMPTION_FIRST = "PreemptionOverBorrowing";

    /** Fields that bound which workloads may start. */
    private static final Set<String> BOUNDING = Set.of(
            "admissionChecks",
            "admissionChecksStrategy",
            "namespaceSelector",
            "nodeTaints",
            "tolerations",
            "stopPolicy",
            "waitForPodsReady");

    private final Map<String, Flavor> flavors = new LinkedHashMap<>();
    private final List<ClusterQueue> queues = new ArrayList<>();
    private final List<Cohort> cohorts = new ArrayList<>();
    private final List<LocalQueue> localQueues = new ArrayList<>();
    private final Map<String, Long> priorityClasses = new LinkedHashMap<>();
    private final Map<String, List<String>> topologies = new LinkedHashMap<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private final Set<String> strangers = new LinkedHashSet<>();
    private @Nullable List<ShareRule> fairSharing;
    private @Nullable UsageSharing usageSharing;

    /** The kinds of objects that are none of Kueue's. */
    Set<String> strangers() {
        return strangers;
    }

    /** Takes one object in; a {@code List} has more in it. */
    void take(Fields object) {
        String kind = object.text("kind", "");
        String version = object.text("apiVersion", "");
        if (kind.equals("List")) {
            object.without("metadata").parts("items").forEach(this::take);
            return;
        }
        if (kind.equals("Configuration") && (version.isEmpty() || version.startsWith("config.kueue.x-k8s.io"))) {
            controller(object);
            return;
        }
        if (!version.isEmpty() && !version.startsWith("kueue.x-k8s.io")) {
            notes.add("%s: is no object of Kueue".formatted(object.place()));
            strangers.add("a %s of %s".formatted(kind, version.replaceFirst("/.*", "")));
            return;
        }
        Fields metadata = object.without("status").partOrEmpty("metadata");
        Fields spec = object.partOrEmpty("spec");
        String name = metadata.without(
                        "labels",
                        "creationTimestamp",
                        "uid",
                        "resourceVersion",
                        "generation",
                        "managedFields",
                        "finalizers")
                .text("name", "");
        switch (kind) {
            case "ResourceFlavor" ->
                flavors.put(name, new Flavor(name, spec.pairs("nodeLabels"), spec.text("topologyName")));
            case "ClusterQueue" -> queues.add(queue(name, spec));
            case "Cohort" ->
                cohorts.add(new Cohort(name, either(spec, "parentName", "parent"), groups(spec), weight(spec)));
            case "LocalQueue" ->
                localQueues.add(new LocalQueue(
                        metadata.text("namespace", "default"),
                        name,
                        spec.needed("clusterQueue"),
                        pods(metadata),
                        weight(spec)));
            case "WorkloadPriorityClass" ->
                priorityClasses.put(name, object.without("description").integer("value", 0));
            case "Topology" ->
                topologies.put(
                        name,
                        spec.parts("levels").stream()
                                .map(level -> level.needed("nodeLabel"))
                                .toList());
            default -> {
                notes.add("%s: a %s has no effect here".formatted(object.place(), kind.isEmpty() ? "document" : kind));
                return;
            }
        }
        if (name.isEmpty()) {
            throw InputException.at(metadata.at("name"), "", "a value");
        }
        metadata.without("annotations");
        object.end(notes, BOUNDING);
    }

    private static @Nullable String either(Fields fields, String newer, String older) {
        String value = fields.text(newer);
        String before = fields.text(older);
        String given = value == null || value.isEmpty() ? before : value;
        return given == null || given.isEmpty() ? null : given;
    }

    private static Map<String, String> pods(Fields metadata) {
        Map<String, String> pods = new HashMap<>(metadata.pairs("annotations"));
        pods.keySet().removeIf(key -> !key.startsWith(PODS));
        return pods;
    }

    private static ClusterQueue queue(String name, Fields spec) {
        return new ClusterQueue(
                name,
                either(spec, "cohortName", "cohort"),
                spec.word("queueingStrategy", "BestEffortFIFO", "StrictFIFO", "BestEffortFIFO")
                        .equals("StrictFIFO"),
                groups(spec),
                preemption(spec.partOrEmpty("preemption")),
                fungibility(spec.partOrEmpty("flavorFungibility")),
                weight(spec),
                !spec.word("stopPolicy", "None", "None", "Hold", "HoldAndDrain").equals("None"),
                spec.partOrEmpty("admissionScope")
                        .word("admissionMode", "NoAdmissionFairSharing", "NoAdmissionFairSharing", BY_USAGE)
                        .equals(BY_USAGE));
    }

    private static Preemption preemption(Fields fields) {
        Fields borrow = fields.partOrEmpty("borrowWithinCohort");
        boolean borrows = !borrow.word("policy", NEVER, NEVER, "LowerPriority").equals(NEVER);
        long threshold = borrow.integer("maxPriorityThreshold", Long.MAX_VALUE);
        return new Preemption(
                policy(fields, "withinClusterQueue"),
                policy(fields, "reclaimWithinCohort"),
                borrows,
                threshold == Long.MAX_VALUE ? null : threshold);
    }

    private static Policy policy(Fields fields, String name) {
        return switch (fields.word(name, NEVER, NEVER, "LowerPriority", "LowerOrNewerEqualPriority", "Any")) {
            case "LowerPriority" -> Policy.LOWER_PRIORITY;
            case "LowerOrNewerEqualPriority" -> Policy.LOWER_OR_NEWER_EQUAL_PRIORITY;
            case "Any" -> Policy.ANY;
            default -> Policy.NEVER;
        };
    }

    private static Fungibility fungibility(Fields fields) {
        return new Fungibility(
                fields.word("whenCanBorrow", "MayStopSearch", "MayStopSearch", "Borrow", NEXT)
                        .equals(NEXT),
                fields.word("whenCanPreempt", NEXT, "MayStopSearch", "Preempt", NEXT)
                        .equals(NEXT),
                fields.word("preference", "BorrowingOverPreemption", "BorrowingOverPreemption", PREEMPTION_FIRST)
                        .equals(PREEMPTION_FIRST));
    }

    private static double weight(Fields spec) {
        return positive(spec.partOrEmpty("fairSharing"), "weight", "1");
    }

    private static double positive(Fields fields, String name, String otherwise) {
        String text = fields.text(name, otherwise);
        double value = Quantity.exact(fields.at(name), text).doubleValue();
        if (value < 0) {
            throw InputException.at(fields.at(name), text, "a number that is not negative");
        }
        return value;
    }

    private static long nanos(Fields fields, String name) {
        String text = fields.text(name, "0s");
        try {
            Duration duration = Duration.parse("PT" + text);
            if (!duration.isNegative()) {
                return duration.toNanos();
            }
        } catch (DateTimeParseException | ArithmeticException e) {
            // It is refused like those below zero.
        }
        throw InputException.at(fields.at(name), text, "a duration such as 168h, 5m or 1h30m");
    }

    private static List<QuotaGroup> groups(Fields spec) {
        List<QuotaGroup> groups = new ArrayList<>();
        for (Fields group : spec.parts("resourceGroups")) {
            List<FlavorQuotas> ofFlavors = new ArrayList<>();
            for (Fields flavor : group.parts("flavors")) {
                Map<String, Quota> quotas = new LinkedHashMap<>();
                for (Fields resource : flavor.parts("resources")) {
                    quotas.put(resource.needed("name"), quota(resource));
                }
                ofFlavors.add(new FlavorQuotas(flavor.needed("name"), quotas));
            }
            groups.add(new QuotaGroup(group.texts("coveredResources"), ofFlavors));
        }
        return groups;
    }

    private static Quota quota(Fields resource) {
        return new Quota(
                amount(resource, "nominalQuota", 0),
                amount(resource, "borrowingLimit", QuotaGroup.UNLIMITED),
                amount(resource, "lendingLimit", QuotaGroup.UNLIMITED));
    }

    private static long amount(Fields resource, String field, long otherwise) {
        String text = resource.text(field);
        return text == null ? otherwise : Quantity.of(resource.at(field), resource.needed("name"), text);
    }

    /** The configuration of the controller, of which the two kinds of fair sharing alone decide anything here. */
    private void controller(Fields object) {
        Fields sharing = object.without("metadata").part("fairSharing");
        if (sharing != null && !sharing.text("enable", "true").equals("false")) {
            List<ShareRule> rules = sharing.texts("preemptionStrategies").stream()
                    .map(name -> rule(sharing, name))
                    .toList();
            fairSharing = rules.isEmpty() ? List.of(ShareRule.values()) : rules;
        }
        Fields usage = object.part("admissionFairSharing");
        if (usage != null) {
            Fields named = usage.partOrEmpty("resourceWeights");
            Map<String, Double> weights = new HashMap<>();
            usage.pairs("resourceWeights").keySet().forEach(name -> weights.put(name, positive(named, name, "1")));
            long sampling = nanos(usage, "usageSamplingInterval");
            usageSharing = new UsageSharing(
                    nanos(usage, "usageHalfLifeTime"), sampling == 0 ? SAMPLING.toNanos() : sampling, weights);
        }
        object.end(notes, BOUNDING);
    }

    private static ShareRule rule(Fields sharing, String name) {
        return switch (name) {
            case "LessThanOrEqualToFinalShare" -> ShareRule.AT_MOST_FINAL;
            case "LessThanInitialShare" -> ShareRule.BELOW_INITIAL;
            default ->
                throw InputException.at(
                        sharing.at("preemptionStrategies"),
                        name,
                        "LessThanOrEqualToFinalShare or LessThanInitialShare");
        };
    }

    KueueObjects objects() {
        queues.stream()
                .flatMap(queue -> queue.groups().stream())
                .flatMap(group -> group.flavors().stream())
                .filter(quotas -> !flavors.containsKey(quotas.flavor()))
                .forEach(quotas -> notes.add(
                        "flavor %s is not described, and is taken as all servers".formatted(quotas.flavor())));
        flavors.replaceAll((name, flavor) -> {
            boolean isKnown = flavor.topology() == null || topologies.containsKey(flavor.topology());
            if (!isKnown) {
                notes.add("topology %s of flavor %s is not described, and has no effect"
                        .formatted(flavor.topology(), name));
            }
            return isKnown ? flavor : new Flavor(name, flavor.labels(), null);
        });
        for (LocalQueue local : localQueues) {
            if (queues.stream().noneMatch(queue -> queue.name().equals(local.clusterQueue()))) {
                notes.add("ClusterQueue %s of LocalQueue %s is not described; its jobs go elsewhere"
                        .formatted(local.clusterQueue(), local.name()));
            }
        }
        if (usageSharing == null) {
            queues.stream()
                    .filter(ClusterQueue::sharesByUsage)
                    .forEach(queue -> notes.add(
                            "ClusterQueue %s, %s: has no effect without admissionFairSharing in the controller's Configuration"
                                    .formatted(queue.name(), BY_USAGE)));
        }
        return new KueueObjects(
                flavors,
                queues,
                cohorts,
                localQueues,
                priorityClasses,
                topologies,
                fairSharing,
                usageSharing,
                List.copyOf(notes));
    }
}
