package org.trainyard.env.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.log.LogSamples;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceReader.Options;

/** Alibaba's pod lists. */
class PodListTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String HEADER =
            "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n";
    private static final String GOOD = "p,6000,12288,1,460,,LS,Running,10,40,12\n";

    @TempDir
    Path dir;

    private Trace read(String lines) throws IOException {
        return TraceReader.read(Files.writeString(dir.resolve("pods.csv"), HEADER + lines), Options.DEFAULT);
    }

    @Test
    void a_pod_demands_parts_of_gpus_types_and_host_resources_on_one_server() throws IOException {
        Trace trace = read(
                GOOD + "q,8000,30517,2,1000,V100M16|V100M32,BE,Failed,20,50,20\nh,100,1,0,,,LS,Running,30,31,30\n");

        assertThat(trace.format().label()).isEqualTo("openb");
        assertThat(trace.badLineCount()).isZero();
        assertThat(trace.jobs())
                .extracting(TraceJob::demand)
                .containsExactly(
                        Demand.ofGpus(1).withGpuMilli(460).withHost(6000, 12288).onOneServer(),
                        Demand.ofGpus(2)
                                .withHost(8000, 30517)
                                .onTypes(List.of("V100M16", "V100M32"))
                                .onOneServer(),
                        new Demand(0, 0, 0, Demand.WHOLE, 100, 1, true, List.of()));
    }

    @Test
    void a_pod_runs_from_its_scheduling_or_else_its_creation_to_its_deletion_and_for_a_second_at_least()
            throws IOException {
        Trace trace = read(GOOD
                + "never,1,0,0,0,,BE,Pending,20,50,\n"
                + "short,1,0,0,0,,BE,Pending,21,21,\n"
                + "late,1,0,0,0,,LS,Running,22,32,32\n");

        assertThat(trace.jobs()).extracting(job -> job.durationNanos() / SECOND).containsExactly(28L, 30L, 1L, 1L);
        assertThat(trace.jobs()).extracting(job -> job.submitNanos() / SECOND).containsExactly(10L, 20L, 21L, 22L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "x,6000,12288,1,0,,LS,Running,10,40,12; gpu_milli: '0'; a whole number from 1 to 1000",
                "x,6000,12288,1,1001,,LS,Running,10,40,12; gpu_milli: '1001'; a whole number from 1 to 1000",
                "x,6000,12288,1,,,LS,Running,10,40,12; gpu_milli: ''; a whole number from 1 to 1000",
                "x,6000,12288,2,500,,LS,Running,10,40,12; gpu_milli: '500'; expected 1000",
                "x,6000,12288,0,460,,LS,Running,10,40,12; gpu_milli: '460'; expected 0",
                "x,6000,12288,1.5,1000,,LS,Running,10,40,12; num_gpu: '1.5'; a whole number from 0 to 64",
                "x,6000,12288,65,1000,,LS,Running,10,40,12; num_gpu: '65'; a whole number from 0 to 64",
                "x,6000,12288,-1,1000,,LS,Running,10,40,12; num_gpu: '-1'; a whole number from 0 to 64",
                "x,lots,12288,1,1000,,LS,Running,10,40,12; cpu_milli: 'lots'; a whole number from 0",
                "x,6000,9999999999999999999,1,1000,,LS,Running,10,40,12; memory_mib; a whole number from 0",
                "x,0,0,0,0,,LS,Running,10,40,12; cpu_milli: '0'; more than 0",
                "x,6000,12288,1,1000,,LS,Running,-1,40,12; creation_time: '-1'; a time of zero or more",
                "x,6000,12288,1,1000,,LS,Running,10,,12; deletion_time: ''; a time of zero or more",
                "x,6000,12288,1,1000,,LS,Running,10,11,12; deletion_time: '11'; not before",
                "x,6000,12288,1,1000,,LS,Running,10,40,9; scheduled_time: '9'; not before creation_time",
                "x,6000,12288,1,1000,,LS,Running,10,9,; deletion_time: '9'; not before creation_time",
                ",6000,12288,1,1000,,LS,Running,10,40,12; name: ''; a name",
                "p,6000,12288,1,1000,,LS,Running,10,40,12; name: 'p'; an id that no line above has"
            })
    void a_bad_pod_is_left_out_and_named(String line, String place, String expected) throws IOException {
        Trace trace = read(GOOD + line + "\n");

        assertThat(trace.jobs()).hasSize(1);
        assertThat(trace.badLines()).hasSize(1);
        assertThat(trace.badLines().get(0).toString())
                .startsWith(dir.resolve("pods.csv") + ":3, " + place)
                .contains(expected)
                .doesNotContain("\n");
    }

    @Test
    void a_list_without_a_column_it_needs_is_refused() throws IOException {
        Path file = Files.writeString(dir.resolve("pods.csv"), (HEADER + GOOD).replace("gpu_milli", "gpu_share"));

        assertThatThrownBy(() -> TraceReader.read(file, new Options(LogSamples.format("openb"), null, false)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("expected also gpu_milli, as openb has them");
    }
}
