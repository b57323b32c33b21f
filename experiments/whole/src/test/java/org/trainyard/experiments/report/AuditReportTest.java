package org.trainyard.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/** The page that {@code inspect --out} makes of a log. */
class AuditReportTest {
    @TempDir
    private Path directory;

    private Path log() throws IOException {
        StringBuilder rows = new StringBuilder("JobID|State|Submit|Start|End|AllocTRES|ReqTRES|User|JobName\n");
        for (int i = 0; i < 60; i++) {
            String gpus = "gres/gpu=" + (1 << i % 4);
            rows.append("%d|COMPLETED|2026-03-02T08:%02d:00|2026-03-02T09:%02d:00|2026-03-02T10:00:30|%s|%s|u|<b>%d\n"
                    .formatted(i, i, i, gpus, gpus, i % 3));
        }
        rows.append("60|COMPLETED|2026-03-02T08:00:00|2026-03-02T09:00:00|2026-03-02T10:00:30|cpu=4|cpu=4|u|<b>0\n");
        rows.append("61|COMPLETED|yesterday|2026-03-02T09:00:00|2026-03-02T10:00:30|gres/gpu=1|gres/gpu=1|u|x\n");
        return Files.writeString(directory.resolve("jobs.txt"), rows);
    }

    @Test
    void a_browser_shows_the_audit_with_its_charts() throws IOException, InterruptedException {
        Path out = directory.resolve("audit");
        Shell shell = Shell.command("inspect %s --out %s", log(), out);
        assertThat(shell.code()).as(shell.err()).isZero();

        String dom = Chromium.dump(directory, out.resolve("report.html").toUri().toString());

        assertThat(dom).doesNotContain("This chart failed").contains("60 jobs, ");
        for (String chart : List.of("held", "submissions", "run-times", "jobs-by-width", "hours-by-width")) {
            assertThat(dom).containsPattern("id=\"" + chart + "\"[^>]*><svg");
        }
        assertThat(dom)
                .contains("Philly", "Helios", "openb")
                .contains("jobs without GPUs")
                .contains("Impossible rows")
                .contains("a time that does not depend on today");
    }

    @Test
    void the_file_beside_the_page_is_what_inspect_prints_as_json() throws IOException {
        Path out = directory.resolve("audit");
        String printed = Shell.command("inspect %s --json --out %s", log(), out).out();

        JsonNode audit = new ObjectMapper().readTree(out.resolve("audit.json").toFile());

        assertThat(audit).isEqualTo(new ObjectMapper().readTree(printed));
        assertThat(audit.path("audit").path("over_time").path("gpus_held").size())
                .isEqualTo(audit.path("audit")
                        .path("over_time")
                        .path("submissions")
                        .size())
                .isBetween(2, 240);
        assertThat(audit.path("audit")
                        .path("wait_by_width")
                        .path("8")
                        .path("median")
                        .asDouble())
                .isEqualTo(3600);
    }

    @Test
    void only_a_log_has_a_page() throws IOException {
        Path page = directory.resolve("page.html");

        assertThat(Shell.command("inspect %s --out %s", log(), page).code()).isZero();
        assertThat(page).exists();
        Shell refused = Shell.command("inspect small --out %s", page);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).hasLineCount(1).contains("--out");
    }
}
