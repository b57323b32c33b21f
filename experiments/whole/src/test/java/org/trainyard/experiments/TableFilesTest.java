package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;

/** Tables of comparisons as files. */
class TableFilesTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final Path LOG = ROOT.resolve("env/logs/src/test/resources/traces/sacct.csv");

    @TempDir
    private Path folder;

    @Test
    void a_table_for_latex_has_each_character_that_latex_would_obey_escaped() {
        AnswerTable<List<String>> table = AnswerTable.texts(
                List.of("rule", "part_of %"), List.of(List.of("a&b {c} ~^ \\x", "<5 $"), List.of("#1…", "")));

        assertThat(table.latex()).isEqualTo("""
                \\begin{tabular}{lr}
                \\hline
                rule & part\\_of \\% \\\\
                \\hline
                a\\&b \\{c\\} \\textasciitilde{}\\textasciicircum{} \\textbackslash{}x & \\textless{}5 \\$ \\\\
                \\#1\\ldots{} &  \\\\
                \\hline
                \\end{tabular}
                """);
        Answer answer = new Answer().say("before").table(table).gap().wrap("* is 5 %\nof all");
        assertThat(answer.firstTable()).isEqualTo(table);
        assertThat(table.latex(answer.sentences())).isEqualTo("% before\n% * is 5 %\n% of all\n" + table.latex());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "simulate --trace LOG --cluster 8x8:A100 --scheduler fifo,sjf --table TABLE",
                "evaluate experiments/configs/quickstart.yaml --schedulers fifo,sjf --set episodes.jobs=20"
                        + " --set episodes.test=2 --json --table TABLE",
                "advise LOG --cluster 8x8:A100 --table TABLE",
                "advise LOG --cluster 8x8:A100 --scheduler fifo --what-if servers=+1 --table TABLE"
            })
    void the_table_that_is_printed_is_a_file_too(String command) throws IOException {
        Path csv = folder.resolve("table.csv");
        Path tex = folder.resolve("table.tex");

        Shell first = run(command, csv);
        Shell second = run(command, tex);

        assertThat(first.code()).as(first.err()).isZero();
        List<String> lines = Files.readAllLines(csv);
        assertThat(lines).hasSizeGreaterThan(2);
        if (!command.contains("--json")) {
            assertThat(second.out()).contains(lines.get(1).split(",")[0]);
        }
        assertThat(Files.readAllLines(tex).stream().filter(line -> !line.startsWith("% ")))
                .hasSize(lines.size() + 5)
                .filteredOn(line -> line.endsWith("\\\\"))
                .hasSize(lines.size());
    }

    private static Shell run(String command, Path table) {
        return Shell.run(Stream.of(command.split(" "))
                .map(word -> word.equals("LOG") ? LOG.toString() : word.equals("TABLE") ? table.toString() : word)
                .map(word ->
                        word.startsWith("experiments/") ? ROOT.resolve(word).toString() : word)
                .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"table.xlsx", "absent/table.csv"})
    void a_file_that_cannot_be_written_is_refused_before_the_work(String name) {
        Path table = folder.resolve(name);

        Shell shell = Shell.command("evaluate absent.yaml --schedulers fifo --table %s", table);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("--table", table.toString());
    }

    @Test
    void a_report_without_a_table_is_no_empty_file() {
        Path table = folder.resolve("t.csv");

        Shell shell = Shell.command("inspect %s/experiments/configs/quickstart.yaml --table %s", ROOT, table);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(table).doesNotExist();
    }
}
