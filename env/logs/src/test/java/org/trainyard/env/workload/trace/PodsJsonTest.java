package org.trainyard.env.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;

/** What pods of several containers ask for, and when they end. */
class PodsJsonTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path dir;

    private Trace read(String... pods) throws IOException {
        return TraceReader.read(
                Files.writeString(dir.resolve("pods.json"), "{\"items\": [%s]}".formatted(String.join(",", pods))),
                TraceReader.Options.DEFAULT);
    }

    private static String limits(int gpus) {
        return "{\"resources\": {\"limits\": {\"nvidia.com/gpu\": \"%d\"}}}".formatted(gpus);
    }

    private static String ended(String time) {
        return "{\"state\": {\"terminated\": {\"finishedAt\": \"2026-03-02T%sZ\"}}}".formatted(time);
    }

    private static String pod(String name, String containers, String starting, String... states) {
        return """
            {"metadata": {"name": "%s", "namespace": "lab", "creationTimestamp": "2026-03-02T08:00:00Z"},
             "spec": {"containers": [%s], "initContainers": [%s]},
             "status": {"conditions": [{"type": "PodScheduled", "status": "True",
               "lastTransitionTime": "2026-03-02T08:10:00Z"}], "containerStatuses": [%s]}}
            """.formatted(name, containers, starting, String.join(",", states));
    }

    private static int gpus(Trace trace) {
        return trace.jobs().get(0).demand().gpus();
    }

    @Test
    void a_pod_ends_with_the_container_that_ends_last_wherever_it_is_listed() throws IOException {
        for (String[] states :
                new String[][] {{ended("09:00:00"), ended("08:30:00")}, {ended("08:30:00"), ended("09:00:00")}}) {
            Trace trace = read(pod("a", limits(1), "", states));

            assertThat(trace.jobs().get(0).durationNanos()).isEqualTo(3000 * SECOND);
        }
    }

    @Test
    void a_pod_whose_clock_is_behind_by_seconds_ended_at_its_start() throws IOException {
        Trace trace = read(pod("a", limits(1), "", ended("09:00:00")), pod("b", limits(1), "", ended("08:09:57")));

        assertThat(trace.badLineCount()).isZero();
        assertThat(trace.leftOut())
                .singleElement()
                .satisfies(left -> assertThat(left.reason()).isEqualTo("that ended in the second of their start"));
        assertThat(trace.oddities()).anyMatch(said -> said.startsWith("1 job ended up to 5 s before the start"));
    }

    @Test
    void a_pod_of_which_a_container_runs_has_not_ended() throws IOException {
        Trace trace = read(
                pod("ended", limits(1), "", ended("09:00:00")),
                pod("running", limits(1), "", ended("09:00:00"), "{\"state\": {\"running\": {}}}"));

        assertThat(trace.jobs()).extracting(TraceJob::id).hasSize(1).allMatch(id -> id.contains("ended"));
    }

    @Test
    void containers_run_together_and_those_that_start_it_one_after_another() throws IOException {
        String[] end = {ended("09:00:00")};

        assertThat(gpus(read(pod("a", limits(2) + "," + limits(1), "", end)))).isEqualTo(3);
        assertThat(gpus(read(pod("a", limits(1), limits(4), end)))).isEqualTo(4);
        assertThat(gpus(read(pod("a", limits(3), limits(2) + "," + limits(2), end))))
                .isEqualTo(3);
    }

    @Test
    void a_limit_counts_before_a_request_and_a_request_where_there_is_no_limit() throws IOException {
        String both =
                "{\"resources\": {\"limits\": {\"nvidia.com/gpu\": \"2\"}, \"requests\": {\"nvidia.com/gpu\": \"1\"}}}";
        String request = "{\"resources\": {\"requests\": {\"amd.com/gpu\": \"4\"}}}";

        assertThat(gpus(read(pod("a", both, "", ended("09:00:00"))))).isEqualTo(2);
        assertThat(gpus(read(pod("a", request, "", ended("09:00:00"))))).isEqualTo(4);
    }
}
