package org.trainyard.agents.heuristic.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.kueue.configuration.KueueFiles;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.ShareRule;

/**
 * Whom a workload displaces, in the cases of Kueue's own tests of preemption (v0.17.0: {@code TestPreemption},
 * {@code TestHierarchicalPreemptions}, {@code TestFairPreemptions}), told as data of ours that name their test.
 */
class KnownPreemptionsTest {
    @Test
    void the_victims_are_those_that_the_tests_of_kueue_expect() throws IOException {
        List<String> differences = new ArrayList<>();
        Map<String, Integer> cases = new TreeMap<>();
        ObjectMapper json = new ObjectMapper();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(KnownPreemptionsTest.class.getResourceAsStream("preemptions.jsonl")),
                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode given = json.readTree(line);
                String source = given.path("source").asText();
                Map<String, String> expected = new TreeMap<>();
                given.path("evicts")
                        .properties()
                        .forEach(
                                one -> expected.put(one.getKey(), one.getValue().asText()));
                Map<String, String> actual = victims(source, given);
                if (!actual.equals(expected)) {
                    differences.add("%s: expected %s, but %s".formatted(source, expected, actual));
                }
                cases.merge(source.replaceFirst(":.*", ""), 1, Integer::sum);
            }
        }

        assertThat(differences).isEmpty();
        assertThat(cases)
                .isEqualTo(Map.of("TestPreemption", 36, "TestHierarchicalPreemptions", 15, "TestFairPreemptions", 31));
    }

    /** Both cohorts borrow four of the eight that their parent lends. */
    @Test
    void of_cohorts_with_equal_shares_the_last_gives_up_first() {
        QuotaNode root = new QuotaNode("root", null, -1, 1, 1, 1);
        QuotaNode newcomer = new QuotaNode("newcomer", root, 0, 1, 1, 1);
        QuotaNode first = new QuotaNode("first", new QuotaNode("a", root, -1, 1, 1, 1), 1, 1, 1, 1);
        QuotaNode last = new QuotaNode("last", new QuotaNode("b", root, -1, 1, 1, 1), 2, 1, 1, 1);
        root.nominal[0] = 8;
        root.addUp();
        first.use(0, 4);
        last.use(0, 4);
        FairCandidates candidates = new FairCandidates(
                newcomer, List.of(new KueueWorkload(0, 1, 0, 0, List.of()), new KueueWorkload(1, 2, 0, 0, List.of())));

        assertThat(candidates.next()).isSameAs(last);
        candidates.drop(last);
        assertThat(candidates.next()).isSameAs(first);
    }

    private static Map<String, String> victims(String source, JsonNode given) {
        StringBuilder objects = new StringBuilder();
        given.path("objects")
                .forEach(object -> objects.append("---\n").append(object).append('\n'));
        QuotaTree tree = new QuotaTree(KueueFiles.parse(source, objects.toString()));
        KueueState state = new KueueState(tree, flavor -> {
            throw new IllegalStateException("no flavor has a topology");
        });
        Map<KueueWorkload, String> names = new HashMap<>();
        for (JsonNode one : given.path("admitted")) {
            KueueWorkload workload = workload(tree, one, names.size());
            state.admit(workload, assignment(tree, one), one.path("admitted").asLong());
            workload.evicted = one.path("evicted").asBoolean();
            names.put(workload, one.path("name").asText());
        }
        JsonNode incoming = given.path("incoming");
        BitSet contested = new BitSet();
        incoming.path("short").forEach(name -> contested.set(at(tree, name.asText())));
        List<ShareRule> rules = tree.objects.fairSharing();
        PodPlacement placement = new PodPlacement(state);
        PreemptionRule rule =
                rules == null ? new ClassicalPreemption(state, placement) : new FairPreemption(state, placement, rules);
        long[] before = tree.queues.get(0).root().usage.clone();
        Map<String, String> victims = new TreeMap<>();
        rule.victims(new PreemptionRule.Need(
                        workload(tree, incoming, -1), assignment(tree, incoming).usage, contested, null))
                .forEach(victim -> victims.put(
                        names.getOrDefault(victim.workload(), ""),
                        victim.workload().evicted ? "already" : AnsweredCase.REASONS.getOrDefault(victim.cause(), "")));
        assertThat(tree.queues.get(0).root().usage).as(source).isEqualTo(before);
        return victims;
    }

    private static KueueWorkload workload(QuotaTree tree, JsonNode of, int id) {
        int queue = 0;
        while (!tree.queues.get(queue).name.equals(of.path("queue").asText())) {
            queue++;
        }
        return new KueueWorkload(
                id, queue, of.path("priority").asLong(), of.path("created").asLong(), List.of());
    }

    private static int at(QuotaTree tree, String name) {
        int slash = name.indexOf('/');
        return tree.at(
                tree.flavors.indexOf(name.substring(0, slash)), tree.resources.indexOf(name.substring(slash + 1)));
    }

    /** Each resource of a flavor as a pod set of its own. */
    private static Assignment assignment(QuotaTree tree, JsonNode of) {
        List<Map.Entry<String, JsonNode>> uses = new ArrayList<>(of.path("uses").properties());
        Assignment assignment = new Assignment(uses.size(), tree.resources.size(), tree.size());
        for (int set = 0; set < uses.size(); set++) {
            int at = at(tree, uses.get(set).getKey());
            assignment.flavors[set][at % tree.resources.size()] = at / tree.resources.size();
            assignment.usage[at] = uses.get(set).getValue().asLong();
        }
        return assignment;
    }
}
