package org.trainyard.experiments.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.experiments.Shell;
import picocli.CommandLine;

class OldSpellingsTest {
    @TempDir
    private Path folder;

    static Set<String> options() {
        return OldSpellings.OPTIONS.keySet();
    }

    static List<OldSpellings.Mode> modes() {
        return OldSpellings.MODES;
    }

    private static Stream<CommandLine> all(CommandLine command) {
        return Stream.concat(
                Stream.of(command), command.getSubcommands().values().stream().flatMap(OldSpellingsTest::all));
    }

    private static boolean isOption(String name, String command) {
        return all(Trainyard.all())
                .filter(one -> one.getCommandSpec().qualifiedName().startsWith(("trainyard " + command).strip()))
                .anyMatch(one -> one.getCommandSpec().findOption(name) != null);
    }

    /** The words as they are spelt now, and what is said of it. */
    private static List<String> replaced(String... words) {
        StringWriter said = new StringWriter();
        try (PrintWriter err = new PrintWriter(said)) {
            List<String> all = new ArrayList<>(List.of(OldSpellings.replaced(words, err)));
            all.add(said.toString().replace(System.lineSeparator(), ""));
            return all;
        }
    }

    @ParameterizedTest
    @MethodSource("options")
    void an_old_option_is_the_new_one_and_in_no_help(String key) {
        String now = OldSpellings.OPTIONS.get(key);
        String old = key.substring(key.lastIndexOf(' ') + 1);
        String command = key.substring(0, Math.max(0, key.lastIndexOf(' ')));

        assertThat(isOption(now, command)).isTrue();
        assertThat(isOption(old, command)).isFalse();
        String begin = command.isEmpty() ? "simulate x" : command.contains(" ") ? command : command + " x";
        List<String> words = new ArrayList<>(List.of(begin.split(" ")));
        words.addAll(List.of(old, "1", old + "=2"));
        List<String> read = replaced(words.toArray(String[]::new));
        assertThat(read.subList(2, 6))
                .containsExactly(
                        now,
                        "1",
                        now + "=2",
                        "note: `%s` is `%s` now; the next version does not know the old spelling".formatted(old, now));
    }

    @ParameterizedTest
    @MethodSource("modes")
    void an_old_mode_is_a_command(OldSpellings.Mode mode) {
        CommandLine command = Trainyard.all().getSubcommands().get(mode.command());

        assertThat(command.getSubcommands()).containsKey(mode.subcommand());
        if (mode.value() == null) {
            assertThat(command.getCommandSpec().findOption(mode.option())).isNull();
        }
    }

    @Test
    void new_spellings_are_left_alone() {
        assertThat(replaced("simulate", "--trace", "past", "--scheduler", "fifo", "--verbose"))
                .containsExactly("simulate", "--trace", "past", "--scheduler", "fifo", "--verbose", "");
        assertThat(replaced("when", "driven:x/log.txt", "--job", "1"))
                .containsExactly(
                        "when",
                        "controller:x/log.txt",
                        "--job",
                        "1",
                        "note: `driven:` is `controller:` now; the next version does not know the old spelling");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "simulate --trace LOG --cluster 2x4 --scheduler fifo,driven:easy --wide --belief none --most-mb 9 | simulate --trace LOG"
                        + " --cluster 2x4 --scheduler fifo,controller:easy --verbose --interference-model none --max-mb 9 | 4",
                "simulate --trace LOG --cluster 2x4 --scheduler fgd --inflate=1.3 | simulate arrivals --trace LOG --cluster 2x4"
                        + " --scheduler fgd --demand=1.3 | 1",
                "simulate --trace generated --jobs 20 --cluster 2x4 --scheduler fifo --stream | simulate stream --jobs 20"
                        + " --cluster 2x4 --scheduler fifo | 1",
                "simulate --trace LOG --cluster 2x4 --scheduler past | simulate recorded --trace LOG --cluster 2x4 | 1",
                "simulate --trace LOG --cluster 2x4 --scheduler=past | simulate recorded --trace LOG --cluster 2x4 | 1",
                "when LOG --cluster 2x4 --scheduler fifo --calibrate --futures 2 --learn 3 | when backtest LOG --cluster 2x4"
                        + " --scheduler fifo --futures 2 --learn 3 | 1",
                "bench --verify experiments/benchmark/results/calm-v1/fifo.json | bench verify"
                        + " experiments/benchmark/results/calm-v1/fifo.json | 1",
                "bench --submission nowhere.yaml | bench submit nowhere.yaml | 1",
                "bench --table | bench table | 1"
            })
    void an_old_line_does_what_the_new_one_does_and_says_how_to_spell_it(String old, String now, int notes)
            throws IOException {
        Path log = dated();
        Shell before = Shell.run(words(old, log));
        Shell after = Shell.run(words(now, log));

        assertThat(before.code()).isEqualTo(after.code());
        assertThat(withoutTimes(before.out())).isEqualTo(withoutTimes(after.out()));
        assertThat(before.err()
                        .lines()
                        .filter(line -> line.endsWith("the next version does not know the old spelling")))
                .hasSize(notes);
        assertThat(before.err()).endsWith(after.err());
    }

    /** Without numbers, of which some are of the wall clock, and the spaces and lines that go by their widths. */
    private static String withoutTimes(String printed) {
        return printed.replaceAll("[-\\s\\d,.]+", " ");
    }

    private static String[] words(String line, Path log) {
        String root = System.getProperty("trainyard.root", "..");
        return line.replace("LOG", log.toString())
                .replace("experiments/", root + "/experiments/")
                .split(" +");
    }

    private Path dated() throws IOException {
        List<String> lines = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,start_s,end_s"));
        for (int job = 0; job < 60; job++) {
            lines.add("j%d,%d,4,100,%d,%d".formatted(job, 90 * job, 100 * job, 100 * job + 100));
        }
        return Files.write(folder.resolve("log.csv"), lines);
    }
}
