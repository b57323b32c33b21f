package org.trainyard.agents.heuristic.slurm.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every key of the manual pages is used or named. */
class SlurmKeysTest {
    /** A key in a kind of line. */
    record Key(String kind, String name) {}

    static Stream<Key> manual() throws IOException {
        return listed().filter(key -> !key.kind.endsWith("="));
    }

    static Stream<Key> words() throws IOException {
        return listed().filter(key -> key.kind.endsWith("="));
    }

    private static Stream<Key> listed() throws IOException {
        List<Key> keys = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(SlurmKeysTest.class.getResourceAsStream("manual.txt"))) {
            String kind = "";
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (line.startsWith("[")) {
                    kind = line.substring(1, line.length() - 1);
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    for (String name : line.split(" ", -1)) {
                        keys.add(new Key(kind, name.replace('~', ' ')));
                    }
                }
            }
        }
        return keys.stream();
    }

    @ParameterizedTest
    @MethodSource("manual")
    void a_key_of_the_manual_is_known_and_named_unless_it_is_used_or_decides_no_start(Key key) {
        SlurmKeys.Effect effect = SlurmKeys.effect(key.kind, key.name);
        assertThat(effect).as("%s of %s", key.name, key.kind).isNotNull();

        List<String> named =
                notes(key).stream().filter(note -> note.contains(key.name)).toList();

        switch (Objects.requireNonNull(effect)) {
            case BOUNDS ->
                assertThat(named).singleElement().asString().endsWith("bounds who may start, and is not applied here");
            case EFFECT -> assertThat(named).singleElement().asString().endsWith("has no effect here");
            case USED, SILENT ->
                assertThat(named).noneMatch(note -> note.matches(".*, %s(=7)?: .*".formatted(key.name)));
        }
    }

    /** What is said of a file in which the key is set. */
    private static List<String> notes(Key key) {
        String pair = key.name
                + switch (key.name) {
                    case "State" -> "=UP";
                    case "Exclusive" -> "=NO";
                    default -> "=7";
                };
        SlurmConf conf = SlurmConf.parse("slurm.conf", List.of("NodeName=a CPUs=8"));
        return switch (key.kind) {
            case "slurm.conf" -> SlurmConf.parse("slurm.conf", List.of(pair)).notes();
            case "gres.conf", "topology.conf" -> {
                SlurmLine.read(key.kind, List.of("Name=gpu " + pair)).forEach(line -> conf.check(line, key.kind));
                yield conf.notes();
            }
            case "qos", "assoc" -> {
                String first = key.kind.equals("qos") ? "Name" : "Account";
                List<String> table = first.equals(key.name)
                        ? List.of(first, "root")
                        : List.of(first + "|" + key.name, "root|" + value(key.name));
                yield SlurmCluster.of(
                                conf,
                                null,
                                key.kind.equals("qos") ? table : null,
                                key.kind.equals("assoc") ? table : null)
                        .notes();
            }
            default ->
                SlurmConf.parse("slurm.conf", List.of(key.kind + "=a " + pair)).notes();
        };
    }

    /** A key whose words are listed, with one of them. */
    @ParameterizedTest
    @MethodSource("words")
    void a_word_of_the_manual_is_known_and_named_unless_it_is_used_or_decides_no_start(Key word) {
        SlurmKeys.Effect effect = SlurmKeys.effect(word.kind.toLowerCase(Locale.ROOT), word.name);
        assertThat(effect).as("%s of %s", word.name, word.kind).isNotNull();
        String[] kind = word.kind.replace("=", "").split(" ", -1);

        List<String> named = wordNotes(kind[0], kind[1], word.name);

        switch (Objects.requireNonNull(effect)) {
            case BOUNDS ->
                assertThat(named).singleElement().asString().endsWith("bounds who may start, and is not applied here");
            case EFFECT -> assertThat(named).singleElement().asString().endsWith("has no effect here");
            case USED, SILENT -> assertThat(named).isEmpty();
        }
        assertThat(wordNotes(kind[0], kind[1], word.name + "x"))
                .singleElement()
                .asString()
                .endsWith(word.name + "x: no value that is known here, has no effect");
    }

    /** What is said of the word in capitals, as the value of its key. */
    private static List<String> wordNotes(String kind, String key, String word) {
        String value = word.endsWith("x") ? word : word.toUpperCase(Locale.ROOT);
        List<String> notes = switch (kind) {
            case "slurm.conf" ->
                SlurmConf.parse("slurm.conf", List.of(key + "=" + value)).notes();
            case "qos" ->
                SlurmCluster.of(
                                SlurmConf.parse("slurm.conf", List.of("NodeName=a CPUs=8")),
                                null,
                                List.of("Name|" + key, "normal|" + value),
                                null)
                        .notes();
            default ->
                SlurmConf.parse("slurm.conf", List.of("%s=a %s=%s".formatted(kind, key, value)))
                        .notes();
        };
        return notes.stream()
                .filter(note -> note.toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT) + ":"))
                .toList();
    }

    private static String value(String column) {
        return column.contains("TRES") ? "cpu=7" : column.contains("Name") || column.equals("User") ? "" : "7";
    }

    @Test
    void keys_that_slurm_does_not_know_are_named_in_every_kind_of_line() {
        SlurmConf conf = SlurmConf.parse(
                "slurm.conf",
                List.of("MaxTimee=1", "NodeName=a Gress=gpu:8", "PartitionName=p MaxTim=1", "nodeset=s Nods=a"));

        assertThat(conf.notes())
                .containsExactly(
                        "MaxTimee=1: no key that is known here, has no effect",
                        "NodeName, Gress=gpu:8: no key that is known here, has no effect",
                        "PartitionName, MaxTim=1: no key that is known here, has no effect",
                        "NodeSet, Nods=a: no key that is known here, has no effect");
    }

    @Test
    void what_bounds_who_may_start_comes_first() {
        SlurmConf conf = SlurmConf.parse(
                "slurm.conf", List.of("SchedulerTimeSlice=30", "PartitionName=p LLN=YES AllowGroups=staff ReqResv=NO"));

        assertThat(conf.notes())
                .containsExactly(
                        "PartitionName, AllowGroups=staff: bounds who may start, and is not applied here",
                        "SchedulerTimeSlice=30: has no effect here",
                        "PartitionName, LLN=YES: has no effect here");
    }

    @Test
    void resources_of_limits_that_are_not_counted_bound_who_may_start() {
        SlurmCluster cluster = SlurmCluster.of(
                SlurmConf.parse("slurm.conf", List.of("NodeName=a CPUs=8")),
                null,
                List.of("Name|MaxTRESPU|GrpSubmit", "normal|cpu=8,mem=10G,gres/gpu:a100=2|0"),
                null);

        assertThat(cluster.notes())
                .containsExactly(
                        "qos.txt:2, MaxTRESPU mem: bounds who may start, and is not applied here",
                        "qos.txt:2, MaxTRESPU gres/gpu:a100: bounds who may start, and is not applied here",
                        "qos.txt, GrpSubmit: bounds who may start, and is not applied here");
    }
}
