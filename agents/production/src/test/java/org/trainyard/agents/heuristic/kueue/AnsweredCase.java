package org.trainyard.agents.heuristic.kueue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.CycleEntry.Outcome;
import org.trainyard.agents.heuristic.kueue.PodSet.TopologyRequest;
import org.trainyard.agents.heuristic.kueue.configuration.KueueFiles;

/**
 * A case with the answers of Kueue: configuration, nodes, and steps of arrivals and departures with the cycles after
 * each.
 */
final class AnsweredCase {
    private static final int MOST_CYCLES = 5;
    private static final long BETWEEN_CYCLES_NANOS = 100_000_000_000L;
    private static final String GPU = "nvidia.com/gpu";
    /** As Kueue calls them. */
    static final Map<PreemptionRule.Cause, String> REASONS = Map.of(
            PreemptionRule.Cause.IN_QUEUE, "InClusterQueue",
            PreemptionRule.Cause.RECLAIM, "InCohortReclamation",
            PreemptionRule.Cause.FAIR_SHARING, "InCohortFairSharing",
            PreemptionRule.Cause.RECLAIM_WHILE_BORROWING, "InCohortReclaimWhileBorrowing");

    private final JsonNode given;
    private final QuotaTree tree;
    private final KueueState state;
    private final AdmissionQueues queues;
    private final Map<Integer, KueueWorkload> workloads = new TreeMap<>();
    /** By the number of their first slice. */
    private final Map<Integer, ElasticJob> jobs = new TreeMap<>();

    AnsweredCase(JsonNode given) {
        this.given = given;
        StringBuilder objects = new StringBuilder();
        given.path("objects")
                .forEach(object -> objects.append("---\n").append(object).append('\n'));
        tree = new QuotaTree(KueueFiles.parse("case " + given.path("seed"), objects.toString()));
        state = new KueueState(tree, flavor -> topology());
        queues = new AdmissionQueues(state);
        state.ledger.advance(0);
    }

    private TopologyTree topology() {
        List<List<String>> values = new ArrayList<>();
        List<long[]> has = new ArrayList<>();
        for (JsonNode node : given.path("nodes")) {
            values.add(List.of(
                    node.path("block").asText(),
                    node.path("rack").asText(),
                    node.path("host").asText()));
            has.add(amounts(node));
        }
        return new TopologyTree(tree.levels(0), values, has);
    }

    private long[] amounts(JsonNode of) {
        long[] amounts = new long[tree.resources.size()];
        for (int resource = 0; resource < amounts.length; resource++) {
            amounts[resource] = tree.resources.get(resource).equals(GPU)
                    ? of.path("gpu").asLong()
                    : 1000 * of.path("cpu").asLong();
        }
        return amounts;
    }

    /** The first cycle about which we disagree; null when there is none. */
    @Nullable String difference() {
        long nanos = 0;
        for (int step = 0; step < given.path("steps").size(); step++) {
            JsonNode events = given.path("steps").get(step);
            events.path("finish").forEach(id -> finish(id.asInt()));
            events.path("resize").forEach(this::resize);
            events.path("submit").forEach(this::submit);
            JsonNode cycles = given.path("cycles").get(step);
            for (int cycle = 0; cycle < cycles.size(); cycle++) {
                String expected = expected(cycles.get(cycle));
                nanos += BETWEEN_CYCLES_NANOS;
                state.ledger.advance(nanos);
                String actual = run(nanos);
                if (!actual.equals(expected)) {
                    return "case %s, step %d, cycle %d: Kueue %s, we %s"
                            .formatted(given.path("seed"), step, cycle, expected, actual);
                }
            }
            boolean goesOn = false;
            for (int queue = 0; queue < tree.queues.size(); queue++) {
                goesOn |= queues.queue(queue).hasSomeToTry();
            }
            if (cycles.size() < MOST_CYCLES && goesOn) {
                return "case %s, step %d: Kueue has nobody left to try".formatted(given.path("seed"), step);
            }
        }
        return null;
    }

    private void finish(int id) {
        ElasticJob job = jobs.get(id);
        if (job != null && job.slices().stream().anyMatch(slice -> slice.admission != null)) {
            job.end();
            jobs.remove(id);
        }
        KueueWorkload workload = workloads.get(id);
        if (workload != null && workload.admission != null) {
            queues.leave(workload);
            workloads.remove(id);
        }
    }

    private void resize(JsonNode to) {
        int id = to.path("as").asInt();
        ElasticJob job = jobs.get(to.path("id").asInt());
        if (job != null) {
            job.resize(
                    id,
                    id,
                    IntStream.range(0, to.path("counts").size())
                            .map(set -> to.path("counts").get(set).asInt())
                            .toArray());
        }
    }

    private void submit(JsonNode from) {
        List<PodSet> sets = new ArrayList<>();
        for (JsonNode pods : from.path("pods")) {
            sets.add(new PodSet(pods.path("count").asInt(), amounts(pods), flavor -> true, wish(pods)));
        }
        int queue = 0;
        while (!tree.queues.get(queue).name.equals(from.path("queue").asText())) {
            queue++;
        }
        int id = from.path("id").asInt();
        KueueWorkload workload =
                new KueueWorkload(id, queue, from.path("priority").asLong(), id, sets);
        for (int local = 0; local < tree.objects.localQueues().size(); local++) {
            if (tree.objects
                    .localQueues()
                    .get(local)
                    .name()
                    .equals(from.path("local").asText())) {
                workload.localQueue = tree.queues.size() + local;
            }
        }
        if (given.path("elastic").asBoolean()) {
            jobs.put(id, new ElasticJob(queues, workload));
        } else {
            workloads.put(id, workload);
            queues.arrive(workload);
        }
    }

    private static @Nullable TopologyRequest wish(JsonNode pods) {
        String mode = pods.path("mode").asText();
        if (mode.isEmpty()) {
            return null;
        }
        return new TopologyRequest(
                TopologyRequest.Mode.valueOf(mode.toUpperCase(Locale.ROOT)),
                pods.has("level") ? pods.path("level").asText() : null,
                pods.path("slice").asInt(1),
                pods.has("sliceLevel") ? pods.path("sliceLevel").asText() : null);
    }

    private String run(long nanos) {
        Map<Integer, String> admitted = new TreeMap<>();
        Map<Integer, String> evicted = new TreeMap<>();
        Set<Integer> replaced = new TreeSet<>();
        List<KueueWorkload> leaving = new ArrayList<>();
        for (CycleEntry entry : queues.run(queues.heads(), nanos)) {
            if (entry.outcome == Outcome.ADMITTED) {
                admitted.put(entry.workload.id, given(entry));
                if (entry.replaced != null) {
                    replaced.add(entry.replaced.id);
                }
            } else if (entry.outcome == Outcome.PREEMPTING) {
                for (PreemptionRule.Victim victim : entry.victims) {
                    evicted.put(victim.workload().id, REASONS.getOrDefault(victim.cause(), ""));
                    leaving.add(victim.workload());
                }
            }
        }
        jobs.values().forEach(ElasticJob::settle);
        leaving.sort(Comparator.comparingInt(workload -> workload.id));
        leaving.forEach(this::evict);
        return "admits %s, evicts %s, replaces %s".formatted(admitted, evicted, replaced);
    }

    private void evict(KueueWorkload workload) {
        jobs.values().stream()
                .filter(job -> job.slices().contains(workload))
                .findFirst()
                .ifPresentOrElse(job -> job.evicted(workload), () -> queues.evicted(workload));
    }

    private String given(CycleEntry entry) {
        List<String> sets = new ArrayList<>();
        for (int set = 0; set < entry.assignment.flavors.length; set++) {
            Map<String, String> flavors = new TreeMap<>();
            for (int resource = 0; resource < tree.resources.size(); resource++) {
                int flavor = entry.assignment.flavors[set][resource];
                if (flavor >= 0) {
                    flavors.put(tree.resources.get(resource), tree.flavors.get(flavor));
                }
            }
            Map<String, Integer> places = new TreeMap<>();
            int[] pods = entry.assignment.pods[set];
            TopologyTree topology = pods == null ? null : state.topology(entry.assignment.podFlavors[set]);
            for (int i = 0; topology != null && pods != null && i < pods.length; i += 2) {
                places.put(topology.leaves.get(pods[i]).values.get(2), pods[i + 1]);
            }
            sets.add(flavors + " on " + places);
        }
        return sets.toString();
    }

    private static String expected(JsonNode cycle) {
        Map<Integer, String> admitted = new TreeMap<>();
        Map<Integer, String> evicted = new TreeMap<>();
        for (JsonNode one : cycle.path("admitted")) {
            List<String> sets = new ArrayList<>();
            for (JsonNode pods : one.path("pods")) {
                Map<String, String> flavors = new TreeMap<>();
                pods.path("flavors")
                        .properties()
                        .forEach(entry ->
                                flavors.put(entry.getKey(), entry.getValue().asText()));
                Map<String, Integer> places = new TreeMap<>();
                pods.path("places")
                        .properties()
                        .forEach(entry ->
                                places.put(entry.getKey(), entry.getValue().asInt()));
                sets.add(flavors + " on " + places);
            }
            admitted.put(one.path("id").asInt(), sets.toString());
        }
        cycle.path("evicted")
                .forEach(one ->
                        evicted.put(one.path("id").asInt(), one.path("reason").asText()));
        Set<Integer> replaced = new TreeSet<>();
        cycle.path("replaced").forEach(id -> replaced.add(id.asInt()));
        return "admits %s, evicts %s, replaces %s".formatted(admitted, evicted, replaced);
    }
}
