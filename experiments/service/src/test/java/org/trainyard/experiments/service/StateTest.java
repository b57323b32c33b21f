package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.service.journal.StateFolder;
import org.trainyard.experiments.service.live.ServedCluster;
import org.trainyard.experiments.service.live.ServedClusters;
import org.trainyard.experiments.service.live.ServiceMetrics;
import org.trainyard.experiments.service.target.ServedScheduler;

/** The files of a service: one writer, damaged and long ones, and what they keep. */
class StateTest {
    private static final long BUDGET = 60_000_000_000L;

    @TempDir
    private Path folder;

    private final AtomicInteger asked = new AtomicInteger();
    private int sequence;

    private RunningService start(ServedScheduler served) {
        return new RunningService(RunningService.serving(served, BUDGET), RunningService.ANY_PORT, folder);
    }

    private RunningService start() {
        return start(RunningService.heuristic("fifo"));
    }

    private static ServedClusters clusters(StateFolder state) {
        return clusters(RunningService.heuristic("fifo"), state);
    }

    private static ServedClusters clusters(ServedScheduler served, StateFolder state) {
        return new ServedClusters(
                RunningService.serving(served, BUDGET),
                new ServiceMetrics(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)),
                state);
    }

    private void arrive(RunningService service) {
        sequence++;
        RunningService.Answer receipt = service.post(
                "/v1/clusters/tiny/events",
                "{\"events\": [{\"sequence\": %d, \"time_nanos\": %d, \"type\": \"arrival\", \"job\": \"j%d\", \"gpus\": 1}]}"
                        .formatted(sequence, sequence, sequence));
        assertThat(receipt.status()).as(receipt.text()).isEqualTo(200);
    }

    private static JsonNode ask(RunningService service, long now) {
        return service.post("/v1/placements", "{\"cluster\": \"tiny\", \"now_nanos\": %d}".formatted(now))
                .json();
    }

    private void live(int events) {
        try (RunningService service = start()) {
            service.post("/v1/clusters/tiny", RunningService.TINY);
            for (int i = 0; i < events; i++) {
                arrive(service);
            }
        }
    }

    private Path journal() {
        return folder.resolve("tiny.journal");
    }

    @Test
    void a_second_service_on_the_same_folder_is_refused_and_names_the_first() {
        try (RunningService first = start()) {
            first.post("/v1/clusters/tiny", RunningService.TINY);
            arrive(first);

            assertThatThrownBy(this::start)
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining(Long.toString(ProcessHandle.current().pid()))
                    .hasMessageNotContaining("\n");
            arrive(first);
        }
        try (RunningService next = start()) {
            assertThat(next.get("/v1/clusters/tiny").json().get("sequence").intValue())
                    .isEqualTo(2);
        }
    }

    @Test
    void salvage_keeps_the_sound_lines_and_the_rest_in_a_file_beside_them() throws IOException {
        live(6);
        List<String> lines = Files.readAllLines(journal());
        lines.set(4, lines.get(4).replace("arrival", "arrivam"));
        Files.write(journal(), lines);

        assertThatThrownBy(this::start)
                .isInstanceOf(InputException.class)
                .hasMessageContaining("tiny.journal:5")
                .hasMessageContaining("--salvage");
        assertThat(Files.readAllLines(journal())).isEqualTo(lines);

        try (ServedClusters saved = clusters(new StateFolder(folder, true))) {
            assertThat(saved.registration("tiny").sequence()).isEqualTo(3);
            assertThat(saved.remarks())
                    .anySatisfy(remark ->
                            assertThat(remark).contains("tiny.journal:5").contains("tiny.journal.damaged"));
        }
        assertThat(Files.readAllLines(folder.resolve("tiny.journal.damaged"))).isEqualTo(lines.subList(4, 7));
        sequence = 3;
        try (RunningService again = start()) {
            arrive(again);
        }
    }

    @Test
    void salvage_ends_before_an_event_that_does_not_fit_though_its_line_is_sound() throws IOException {
        live(4);
        List<String> lines = Files.readAllLines(journal());
        lines.remove(2);
        Files.write(journal(), lines);

        assertThatThrownBy(this::start)
                .isInstanceOf(InputException.class)
                .hasMessageContaining("tiny.journal:3")
                .hasMessageContaining("missing");
        try (ServedClusters saved = clusters(new StateFolder(folder, true))) {
            assertThat(saved.registration("tiny").sequence()).isEqualTo(1);
        }
    }

    @Tag("thorough")
    @Test
    void a_file_of_more_than_two_gibibytes_is_read() throws IOException {
        live(2);
        try (RandomAccessFile file = new RandomAccessFile(journal().toFile(), "rw")) {
            // What a loss of power leaves: a length without content.
            file.setLength((1L << 31) + 5);
        }
        try (RunningService service = start()) {
            assertThat(service.get("/v1/clusters/tiny").json().get("sequence").intValue())
                    .isEqualTo(2);
            arrive(service);
        }
        assertThat(Files.size(journal())).isLessThan(10_000);
    }

    @Test
    void a_journal_keeps_the_topology_and_not_the_name_of_a_file() throws IOException {
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, RunningService.TINY);
        Path state = folder.resolve("state");
        try (ServedClusters first = clusters(new StateFolder(state, false))) {
            first.registerNamed("--cluster", file.toString());
        }
        Files.writeString(file, RunningService.TINY.replace("\"gpus\": 4", "\"gpus\": 8"));
        try (ServedClusters second = clusters(new StateFolder(state, false))) {
            assertThat(second.registration("mine").gpus()).isEqualTo(8);
            assertThatThrownBy(() -> second.registerNamed("--cluster", file.toString()))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("mine.yaml")
                    .hasMessageContaining("GPUs: 16, was 8")
                    .hasMessageNotContaining("\n");
        }
        Files.delete(file);
        try (ServedClusters third = clusters(new StateFolder(state, false))) {
            assertThat(third.registration("mine").firstServer()).isEqualTo("server 0");
        }
    }

    @Test
    void a_journal_keeps_the_links_inside_servers() throws IOException {
        Path file = folder.resolve("mine.yaml");
        String links = RunningService.TINY.replace(
                "\"nvlink\": true",
                "\"nvlink\": true, \"interior\": {\"links\": [[0, 1, 50], [2, 3, 25]], \"switches\": 2, \"pcie\": [9, 8, 7]}");
        Files.writeString(file, links);
        Path state = folder.resolve("state");
        try (ServedClusters first = clusters(new StateFolder(state, false))) {
            first.registerNamed("--cluster", file.toString());
        }
        try (ServedClusters same = clusters(new StateFolder(state, false))) {
            same.registerNamed("--cluster", file.toString());
            assertThat(same.registration("mine").gpus()).isEqualTo(8);
        }
        Files.writeString(file, links.replace("25]", "26]"));
        try (ServedClusters other = clusters(new StateFolder(state, false))) {
            assertThatThrownBy(() -> other.registerNamed("--cluster", file.toString()))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("[2, 3, 26.0]")
                    .hasMessageContaining("[2, 3, 25.0]");
        }
    }

    @Test
    void a_cluster_that_is_deleted_does_not_come_back_and_its_name_is_free() throws IOException {
        live(3);
        try (RunningService service = start()) {
            assertThat(service.send(service.request("/v1/clusters/tiny").DELETE())
                            .status())
                    .isEqualTo(200);
            assertThat(service.get("/v1/clusters/tiny").status()).isEqualTo(404);
            assertThat(service.send(service.request("/v1/clusters/tiny").DELETE())
                            .status())
                    .isEqualTo(404);
            assertThat(service.get("/metrics").text()).doesNotContain("cluster=\"tiny\"");
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files.map(file -> file.getFileName().toString())).noneMatch(name -> name.startsWith("tiny"));
            }
            sequence = 0;
            service.post("/v1/clusters/tiny", RunningService.TINY.replace("\"gpus\": 4", "\"gpus\": 8"));
            arrive(service);
        }
        try (RunningService next = start()) {
            JsonNode view = next.get("/v1/clusters/tiny").json();
            assertThat(view.get("gpus").intValue()).isEqualTo(16);
            assertThat(view.get("sequence").intValue()).isEqualTo(1);
        }
    }

    /** Counts the questions that reach it, and never starts a job. */
    private ServedScheduler counting(boolean isObeyed) {
        return new ServedScheduler(
                "counting",
                (topology, listener) -> {
                    Scheduler fifo = RunningService.heuristic("fifo").maker().scheduler(topology, null);
                    return view -> {
                        Decision decision = isObeyed ? Decision.WAIT : fifo.decide(view);
                        asked.addAndGet(decision instanceof Decision.Wait ? 1 : 0);
                        return decision;
                    };
                },
                demand -> true);
    }

    @Test
    void a_restart_asks_again_only_what_the_scheduler_remembers() {
        try (RunningService service = start(counting(false))) {
            service.post("/v1/clusters/tiny", RunningService.TINY);
            arrive(service);
            for (long now = 10; now < 60; now++) {
                // Nobody carries it out, so that a new scheduler decides at every question.
                assertThat(ask(service, now).get("decisions")).hasSize(1);
            }
        }
        asked.set(0);
        start(counting(false)).close();
        assertThat(asked).hasValue(1);
    }

    @Test
    void a_scheduler_that_is_obeyed_is_asked_again_all_it_was_asked_up_to_a_limit() throws IOException {
        try (RunningService service = start(counting(true))) {
            service.post("/v1/clusters/tiny", RunningService.TINY);
            arrive(service);
            for (long now = 10; now < 60; now++) {
                ask(service, now);
            }
        }
        asked.set(0);
        // Without a server: thousands of requests would cost more than all that they are for.
        try (ServedClusters again = clusters(counting(true), new StateFolder(folder, false))) {
            assertThat(asked).hasValue(50);
            ServedCluster tiny = again.cluster("cluster", "tiny");
            for (long now = 60; now < 4_200; now++) {
                tiny.place(now);
            }
        }
        asked.set(0);
        start(counting(true)).close();
        assertThat(asked.get()).isBetween(1, 200);
        assertThat(Files.size(folder.resolve("tiny.questions"))).isLessThan(20_000);
    }

    /** Two jobs that run and report, one of which stops in between; its questions are carried out. */
    private JsonNode report(RunningService service, int from, int to) {
        if (from == 0) {
            service.post("/v1/clusters/tiny", RunningService.TINY);
            arrive(service);
            arrive(service);
            feed(
                    service,
                    "\"type\": \"started\", \"job\": \"j1\", \"placement\": [{\"server\": \"server 0\", \"gpus\":"
                            + " [0]}]");
            feed(
                    service,
                    "\"type\": \"started\", \"job\": \"j2\", \"placement\": [{\"server\": \"server 0\", \"gpus\":"
                            + " [1]}]");
        }
        for (int i = from; i < to; i++) {
            feed(service, "\"type\": \"progress\", \"job\": \"j%d\", \"iterations\": %d.25".formatted(1 + i % 2, i));
        }
        return service.get("/v1/clusters/tiny").json();
    }

    private void feed(RunningService service, String fields) {
        sequence++;
        RunningService.Answer receipt = service.post(
                "/v1/clusters/tiny/events",
                "{\"events\": [{\"sequence\": %d, \"time_nanos\": %d, %s}]}"
                        .formatted(sequence, 1_000_000_000L * sequence, fields));
        assertThat(receipt.status()).as(receipt.text()).isEqualTo(200);
    }

    @Test
    void reports_that_later_ones_replace_are_dropped_and_change_nothing() throws IOException {
        JsonNode expected;
        JsonNode before;
        try (RunningService never = new RunningService(
                RunningService.serving(RunningService.heuristic("fifo"), BUDGET), RunningService.ANY_PORT, null)) {
            expected = report(never, 0, 300);
        }
        sequence = 0;
        try (RunningService service = start()) {
            before = report(service, 0, 150);
        }
        long bytes = Files.size(journal());
        try (RunningService again = start()) {
            assertThat(again.get("/v1/clusters/tiny").json()).isEqualTo(before);
            assertThat(Files.size(journal())).isLessThan(bytes / 5);
            String old = "{\"events\": [{\"sequence\": 6, \"time_nanos\": 6, \"type\": \"progress\", \"job\": \"j2\","
                    + " \"iterations\": 1}]}";
            assertThat(again.post("/v1/clusters/tiny/events", old)
                            .json()
                            .get("repeated")
                            .intValue())
                    .isEqualTo(1);
            report(again, 150, 300);
        }
        try (RunningService third = start()) {
            assertThat(third.get("/v1/clusters/tiny").json()).isEqualTo(expected);
        }
        assertThat(Files.readAllLines(journal())).hasSizeLessThan(12);
    }

    @Test
    void reports_that_a_remembered_question_may_have_read_are_kept() throws IOException {
        try (RunningService service = start(counting(true))) {
            report(service, 0, 1);
            ask(service, 1_000_000_000L * sequence);
            report(service, 1, 300);
        }
        long bytes = Files.size(journal());
        start(counting(true)).close();

        assertThat(Files.size(journal())).isEqualTo(bytes);
    }

    @Test
    void questions_that_are_damaged_are_forgotten() throws IOException {
        try (RunningService service = start(counting(true))) {
            service.post("/v1/clusters/tiny", RunningService.TINY);
            arrive(service);
            ask(service, 10);
            ask(service, 11);
        }
        Path questions = folder.resolve("tiny.questions");
        byte[] bytes = Files.readAllBytes(questions);
        bytes[20] ^= 1;
        Files.write(questions, bytes, StandardOpenOption.TRUNCATE_EXISTING);
        asked.set(0);
        try (RunningService service = start(counting(true))) {
            assertThat(asked).hasValue(0);
            assertThat(ask(service, 12).get("decided_by").asText()).isEqualTo("policy");
        }
    }

    @Test
    void a_copy_of_a_file_does_not_become_the_cluster() throws IOException {
        live(2);
        Path copy = Files.copy(journal(), folder.resolve("tiny2.journal"));

        assertThatThrownBy(this::start)
                .isInstanceOf(InputException.class)
                .hasMessageContaining("tiny2.journal")
                .hasMessageContaining("in tiny.journal alone");
        Files.delete(copy);
        try (RunningService again = start()) {
            arrive(again);
        }
        assertThat(Files.readAllLines(journal())).hasSize(4);
    }

    @Test
    void a_last_line_with_a_flipped_bit_is_kept_beside() throws IOException {
        live(3);
        List<String> lines = Files.readAllLines(journal());
        String last = lines.get(3).replace("arrival", "arrivam");
        lines.set(3, last);
        Files.write(journal(), lines);

        try (ServedClusters cut = clusters(new StateFolder(folder, false))) {
            assertThat(cut.registration("tiny").sequence()).isEqualTo(2);
            assertThat(cut.remarks())
                    .anySatisfy(remark -> assertThat(remark).contains("perhaps", "tiny.journal.damaged"))
                    .noneSatisfy(remark -> assertThat(remark).contains("Registration["));
        }
        assertThat(folder.resolve("tiny.journal.damaged")).hasContent(last);
    }

    @Test
    void its_owner_alone_may_read_what_is_written() throws IOException {
        live(3);
        Files.writeString(journal(), "half a line", StandardOpenOption.APPEND);
        live(0);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(Files::isRegularFile).toList())
                    .hasSize(3)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void a_service_whose_folder_is_removed_is_not_ready_and_promises_nothing() throws IOException {
        try (RunningService service = start()) {
            service.post("/v1/clusters/tiny", RunningService.TINY);
            arrive(service);
            assertThat(service.get("/readyz").status()).isEqualTo(200);

            AtomicFiles.deleteTree(folder);

            assertThat(service.get("/readyz").status()).isEqualTo(503);
            RunningService.Answer answer = service.post(
                    "/v1/clusters/tiny/events",
                    "{\"events\": [{\"sequence\": 2, \"time_nanos\": 2, \"type\": \"arrival\", \"job\": \"x\", \"gpus\": 1}]}");
            assertThat(answer.status()).isEqualTo(503);
        }
        Files.createDirectories(folder);
    }
}
