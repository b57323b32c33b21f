package org.trainyard.experiments.drive;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.drive.LiveJob.Stage;
import org.trainyard.experiments.service.live.LiveEvent;
import org.trainyard.experiments.service.live.PlacementAnswer.ProposedDecision;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;
import org.trainyard.experiments.service.live.ServiceSettings;
import org.trainyard.experiments.service.target.ServedScheduler;

/**
 * Snapshots of three nodes with four GPUs, of which n3 takes no jobs. At ten seconds 1 runs on two GPUs of n1 since the
 * third, 2 on two of n2 since the fourth, and 3 and 4 wait for two GPUs each.
 */
class LiveEventsTest {
    private static final long START = 1_800_000_000L;
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path folder;

    private final Map<String, LiveJob> jobs = new LinkedHashMap<>();
    private final Map<String, LiveSnapshot.Node> nodes = new TreeMap<>();
    private final Map<String, Integer> lost = new TreeMap<>();
    private final List<ProposedDecision> plan = new ArrayList<>();
    private Set<String> drivable = Set.of("3", "4");
    private Set<String> reused = Set.of();
    private Mirror mirror;
    private DriveLog log;

    @BeforeEach
    void open() {
        node("n1", false);
        node("n2", false);
        node("n3", true);
        runs("1", 1, 3, "n1", 2);
        runs("2", 2, 4, "n2", 2);
        waits("3", 5, 2);
        waits("4", 6, 2);
        waits("5", 7, 2);
        runs("6", 1, 2, "elsewhere", 1);
        ServedScheduler fifo = ServedScheduler.of(SchedulerRegistry.named("fifo"), InterferenceModel.NONE, 1);
        ServiceSettings settings = new ServiceSettings(
                fifo,
                fifo,
                InterferenceModel.NONE,
                null,
                new RuntimeConfig.History(),
                1,
                SECOND,
                ServiceSettings.Limits.DEFAULT);
        mirror = new Mirror(settings, folder, "slurm", null, snapshot(), new SimpleMeterRegistry());
        log = new DriveLog(folder.resolve("drive.log"), false);
        assertThat(look(10))
                .containsExactly(
                        "arrival 1.1 2 GPUs of ann in lab, p, on one at 1",
                        "arrival 2.2 2 GPUs of ann in lab, p, on one at 2",
                        "started 1.1 on n1[0, 1] at 3",
                        "started 2.2 on n2[0, 1] at 4",
                        "arrival 3.3 2 GPUs of ann in lab, p, on one at 5",
                        "arrival 4.4 2 GPUs of ann in lab, p, on one at 6",
                        "node_down n3 0 at 10",
                        "node_down n3 1 at 10",
                        "node_down n3 2 at 10",
                        "node_down n3 3 at 10",
                        "started [1, 2], 10 surprises");
        assertThat(look(11)).containsExactly("started [], 0 surprises");
    }

    @AfterEach
    void close() {
        log.close();
        mirror.close();
    }

    private void node(String name, boolean isOut) {
        nodes.put(name, new LiveSnapshot.Node(name, 4, "a100", isOut));
    }

    private LiveSnapshot snapshot() {
        return new LiveSnapshot(new LinkedHashMap<>(jobs), new TreeMap<>(nodes));
    }

    private void job(
            String id, Stage stage, int gpus, Map<String, Integer> allocated, long submit, long start, long end) {
        jobs.put(
                id,
                new LiveJob(
                        id,
                        stage,
                        "",
                        "ann",
                        "lab",
                        "p",
                        "normal",
                        gpus,
                        1,
                        1,
                        allocated,
                        9,
                        START + submit,
                        0,
                        start == 0 ? 0 : START + start,
                        end == 0 ? 0 : START + end,
                        0,
                        0,
                        "",
                        LiveJob.Needs.NONE,
                        ""));
    }

    private void runs(String id, long submit, long start, String node, int gpus) {
        job(id, Stage.RUNNING, gpus, Map.of(node, gpus), submit, start, 0);
    }

    private void waits(String id, long submit, int gpus) {
        job(id, Stage.PENDING, gpus, Map.of(), submit, 0, 0);
    }

    private void plans(String job, String node, Integer... gpus) {
        plan.add(new ProposedDecision("start", job, List.of(new ServerGpus(node, List.of(gpus))), null, null, null));
    }

    /** What is new at a second, which the mirror is told. */
    private List<String> look(long second) {
        LiveEvents.News news = new LiveEvents(
                        snapshot(), mirror, mirror.view(), log, drivable, reused, plan, lost, (START + second) * SECOND)
                .since();
        assertThat(mirror.feed(news.events())).isEmpty();
        List<String> lines =
                new ArrayList<>(news.events().stream().map(LiveEventsTest::line).toList());
        lines.add("started %s, %d surprises".formatted(news.started(), news.surprises()));
        return lines;
    }

    private static long second(long nanos) {
        return nanos / SECOND - START;
    }

    private static String line(LiveEvent event) {
        if (event instanceof LiveEvent.OfJob of) {
            return "%s %s at %d".formatted(of.type(), of.job(), second(of.timeNanos()));
        }
        if (event instanceof LiveEvent.OfNode of) {
            return "%s %s %d at %d".formatted(of.type(), of.server(), of.gpu(), second(of.timeNanos()));
        }
        if (event instanceof LiveEvent.Started of) {
            return "started %s on %s at %d"
                    .formatted(
                            of.job(),
                            of.placement().stream()
                                    .map(one -> one.server() + one.gpus())
                                    .collect(Collectors.joining(" ")),
                            second(of.timeNanos()));
        }
        LiveEvent.Arrival of = (LiveEvent.Arrival) event;
        assertThat(of.type()).isEqualTo("arrival");
        return "arrival %s %d GPUs of %s in %s, %s%s at %d"
                .formatted(
                        of.job(),
                        of.gpus(),
                        of.user(),
                        of.group(),
                        of.virtualCluster(),
                        of.oneServer() == null ? "" : ", on one",
                        second(of.timeNanos()));
    }

    /** Times of ends are those of the manager, but neither before the last event nor after the look. */
    @ParameterizedTest
    @CsvSource({"20, 20", "60, 60", "61, 60", "5, 10", "0, 60"})
    void a_job_ends_when_its_manager_says_so(long end, long at) {
        job("1", Stage.ENDED, 2, Map.of(), 1, 3, end);
        assertThat(look(60)).containsExactly("ended 1.1 at " + at, "started [], 1 surprises");
    }

    @Test
    void jobs_start_on_the_gpus_of_those_that_ended_and_what_nobody_knows_has_ended_now() {
        job("1", Stage.ENDED, 2, Map.of(), 1, 3, 20);
        jobs.remove("2");
        runs("3", 5, 30, "n1", 2);
        runs("4", 6, 20, "n2", 2);

        assertThat(look(60))
                .containsExactly(
                        "ended 1.1 at 20",
                        "started 4.4 on n2[2, 3] at 20",
                        "started 3.3 on n1[0, 1] at 30",
                        "ended 2.2 at 60",
                        "started [4, 3], 4 surprises");
    }

    @Test
    void a_job_that_waits_again_was_preempted_by_us_or_requeued_and_one_that_is_left_is_cancelled() {
        log.note(jobs.get("1"), "requeue", 0);
        log.write();
        waits("1", 1, 2);
        waits("2", 2, 2);
        drivable = Set.of("1");
        plans("3.3", "n1", 0, 1);
        runs("3", 5, 60, "n1", 2);

        assertThat(look(60))
                .containsExactly(
                        "preempted 1.1 at 60",
                        "requeued 2.2 at 60",
                        "cancelled 2.2 at 60",
                        "cancelled 4.4 at 60",
                        "started 3.3 on n1[0, 1] at 60",
                        "started [3], 2 surprises");
        assertThat(mirror.view().waiting()).containsExactly("1.1");
    }

    @Test
    void a_requeue_of_ours_that_is_left_is_a_surprise() {
        log.note(jobs.get("1"), "requeue", 0);
        log.write();
        waits("1", 1, 2);

        assertThat(look(60)).containsExactly("preempted 1.1 at 60", "cancelled 1.1 at 60", "started [], 1 surprises");
    }

    @Test
    void a_job_on_other_nodes_was_requeued_and_one_that_leaves_is_left_alone() {
        runs("1", 1, 50, "n2", 2);
        job("2", Stage.LEAVING, 2, Map.of("n2", 2), 2, 4, 0);
        plans("3.3", "n1", 0, 1);
        runs("3", 5, 60, "n1", 2);
        job("4", Stage.LEAVING, 2, Map.of(), 6, 0, 0);

        assertThat(look(60))
                .containsExactly(
                        "requeued 1.1 at 60",
                        "started 3.3 on n1[0, 1] at 60",
                        "started 1.1 on n2[2, 3] at 60",
                        "started [3, 1], 2 surprises");
    }

    /** Starts of one second are in the order of the plan, on its GPUs as far as they are free and as many. */
    @Test
    void planned_starts_are_no_surprise() {
        plan.add(new ProposedDecision("preempt", "3.3", null, null, null, null));
        plans("4.4", "n1", 3, 2);
        plans("3.3", "n2", 2);
        runs("3", 5, 20, "n2", 2);
        runs("4", 6, 20, "n1", 2);

        assertThat(look(60))
                .containsExactly(
                        "started 4.4 on n1[3, 2] at 20",
                        "started 3.3 on n2[2, 3] at 20",
                        "started [4, 3], 0 surprises");
    }

    @Test
    void a_start_that_finds_no_gpus_is_none() {
        plans("3.3", "n1", 0, 1);
        runs("3", 5, 20, "n1", 2);
        runs("4", 6, 30, "n1", 1);

        assertThat(look(60)).containsExactly("started 3.3 on n1[2, 3] at 20", "started [3], 2 surprises");
    }

    @Test
    void a_job_starts_on_a_node_that_is_in_order_again_and_one_that_ended_unseen_is_cancelled() {
        node("n3", false);
        runs("3", 5, 60, "n3", 2);
        job("4", Stage.ENDED, 2, Map.of(), 6, 0, 20);

        assertThat(look(60))
                .contains("cancelled 4.4 at 60", "started 3.3 on n3[0, 1] at 60", "started [3], 6 surprises");
    }

    @Test
    void a_number_that_was_given_to_another_ends_the_first_and_arrives_anew() {
        reused = Set.of("1", "4");
        runs("1", 30, 40, "n1", 1);

        assertThat(look(60))
                .containsExactly(
                        "arrival 4.12 2 GPUs of ann in lab, p, on one at 10",
                        "arrival 1.11 1 GPUs of ann in lab, p at 30",
                        "started 1.11 on n1[2] at 40",
                        "ended 1.1 at 60",
                        "cancelled 4.4 at 60",
                        "started [1], 5 surprises");
    }

    /** Of a node that is in order again, the GPUs come back but for those of which its manager has lost count. */
    @Test
    void nodes_come_and_go_and_lose_gpus() {
        node("n3", false);
        lost.put("n3", 1);
        lost.put("n1", 1);
        node("n2", true);
        assertThat(look(20))
                .containsExactly(
                        "node_up n3 1 at 20",
                        "node_up n3 2 at 20",
                        "node_up n3 3 at 20",
                        "node_down n2 2 at 20",
                        "node_down n1 3 at 20",
                        "node_down n2 3 at 20",
                        "started [], 6 surprises");

        assertThat(look(21)).containsExactly("started [], 0 surprises");
        lost.put("n1", 3);
        nodes.remove("n3");
        job("2", Stage.ENDED, 2, Map.of(), 2, 4, 30);
        assertThat(look(40))
                .containsExactly(
                        "ended 2.2 at 30",
                        "node_down n2 0 at 40",
                        "node_down n2 1 at 40",
                        "node_down n1 2 at 40",
                        "started [], 4 surprises");
        lost.clear();
        node("n2", false);
        assertThat(look(50))
                .containsExactly(
                        "node_up n2 0 at 50",
                        "node_up n2 1 at 50",
                        "node_up n1 2 at 50",
                        "node_up n2 2 at 50",
                        "node_up n1 3 at 50",
                        "node_up n2 3 at 50",
                        "started [], 6 surprises");
    }
}
