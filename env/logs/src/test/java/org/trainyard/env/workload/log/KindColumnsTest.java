package org.trainyard.env.workload.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;

/** Columns of the project's own format that kinds of training read. */
class KindColumnsTest {
    @TempDir
    private Path dir;

    @Test
    void an_unknown_plan_is_a_bad_line() throws IOException {
        Path file = Files.writeString(dir.resolve("jobs.csv"), """
                job,submit_s,gpus,duration_s,model,plan
                a,0,4,60,gnmt,pipeline:dapple
                b,0,4,60,gnmt,pipeline:daple
                c,0,4,60,alexnet,pipeline:spp
                d,0,4,60,,ring
                e,0,65,60,gnmt,pipeline:spp
                """);

        Trace trace = TraceReader.read(file, TraceReader.Options.DEFAULT);

        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("a", "d");
        assertThat(trace.badLines()).hasSize(3).allMatch(line -> line.toString().contains("plan"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.03", "2:1", "yes"})
    void other_terms_of_freezing_are_refused_with_their_line(String terms) throws IOException {
        Path file = Files.writeString(
                dir.resolve("jobs.csv"), "job,submit_s,gpus,duration_s,freezing\nj1,0,1,60,0.03:1\nj2,0,1,60," + terms);

        assertThatThrownBy(() -> TraceReader.read(file, new TraceReader.Options(null, null, true)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("freezing")
                .hasMessageContaining(terms)
                .hasMessageContaining("TOLERANCE:WEIGHT");
    }
}
