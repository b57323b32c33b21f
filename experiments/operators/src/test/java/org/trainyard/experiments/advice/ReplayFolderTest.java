package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.experiments.metrics.JobMetric;

class ReplayFolderTest {
    @TempDir
    private Path root;

    private ReplayFolder open(String question, boolean isReplaced) {
        return ReplayFolder.open("--out", root, question, isReplaced);
    }

    private static double wait(ReplayFolder folder, String name, double factor) {
        return Objects.requireNonNull(folder.find(name, factor)).values(JobMetric.WAIT)[1];
    }

    @Test
    void replays_are_kept_by_name_and_factor() throws IOException {
        String same = "a".repeat(200);
        try (ReplayFolder folder = open("q", false)) {
            folder.keep(LogOutcomeTest.outcome("fifo", 3, 10, 20), 1);
            folder.keep(LogOutcomeTest.outcome("fifo", 3, 10, 30), 1.0001);
            folder.keep(LogOutcomeTest.outcome(same + "b", 3, 10, 40), 1);
            folder.keep(LogOutcomeTest.outcome(same + "c", 3, 10, 50), 1);
        }
        try (ReplayFolder folder = open("q", false)) {
            assertThat(folder.size()).isEqualTo(4);
            assertThat(wait(folder, "fifo", 1)).isEqualTo(20);
            assertThat(wait(folder, "fifo", 1.0001)).isEqualTo(30);
            assertThat(wait(folder, same + "b", 1)).isEqualTo(40);
            assertThat(wait(folder, same + "c", 1)).isEqualTo(50);
            LogOutcome fifo = Objects.requireNonNull(folder.find("fifo", 1));
            assertThat(fifo.name()).isEqualTo("fifo");
            assertThat(fifo.values(JobMetric.WAIT)).containsExactly(10, 20);
            assertThat(fifo.values(JobMetric.JCT)).containsExactly(110, 120);
            assertThat(fifo.values(JobMetric.SLOWDOWN)).containsExactly(1.1, 1.2);
            assertThat(fifo.gpusHeld()).isEqualTo(0.5);
            assertThat(fifo.preemptions()).isEqualTo(3);
            assertThat(folder.find("fifo", 1.0002)).isNull();
            assertThat(folder.find("easy", 1)).isNull();
        }
    }

    @Test
    void a_damaged_replay_is_made_again() throws IOException {
        try (ReplayFolder folder = open("q", false)) {
            folder.keep(LogOutcomeTest.outcome("fifo", 0, 10, 20), 1);
            try (Stream<Path> files = Files.list(root.resolve("replays"))) {
                Path file = files.findFirst().orElseThrow();
                byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length / 2] ^= 1;
                Files.write(file, bytes);
            }
            assertThat(folder.find("fifo", 1)).isNull();
        }
    }

    @Test
    void replays_and_answers_of_another_question_are_replaced_on_demand_alone() throws IOException {
        try (ReplayFolder folder = open("q", false)) {
            folder.keep(LogOutcomeTest.outcome("fifo", 0, 10, 20), 1);
        }
        List<String> answers = List.of("answer.json", "answer.txt", "report.html", "series.csv");
        for (String answer : answers) {
            Files.writeString(root.resolve(answer), "old");
        }
        assertThatThrownBy(() -> open("other", false))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("--replace");
        try (ReplayFolder folder = open("q", true)) {
            assertThat(folder.size()).as("of the same question").isEqualTo(1);
            assertThat(answers).allMatch(answer -> Files.exists(root.resolve(answer)));
        }
        try (ReplayFolder folder = open("other", true)) {
            assertThat(folder.size()).isZero();
            assertThat(answers).noneMatch(answer -> Files.exists(root.resolve(answer)));
        }
        assertThatThrownBy(() -> open("q", false)).isInstanceOf(InputException.class);
    }

    @Test
    void a_folder_of_something_else_is_left_alone() throws IOException {
        Files.writeString(root.resolve("thesis.tex"), "x");
        assertThatThrownBy(() -> open("q", true))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("an empty folder, or one that advise wrote");
        Files.delete(root.resolve("thesis.tex"));
        open("q", false).close();
        assertThat(root.resolve("question.txt")).hasContent("q");
    }
}
