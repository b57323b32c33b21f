package org.trainyard.experiments.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.service.live.ServiceSettings;
import org.trainyard.experiments.service.target.ServedScheduler;

/**
 * Sessions with a Slurm of three nodes with four GPUs each, at times by hand: what it shows at each look, and what it
 * is then told and said of it. Leases are of 60 s, and a start has 20 s to come.
 */
class ClusterDriverTest {
    /** Before the first look, seconds since 1970. */
    private static final long START = 1_800_000_000L;

    @TempDir
    private Path folder;

    private long nowMillis = START * 1000;
    private final RememberedSlurm slurm = new RememberedSlurm(() -> nowMillis / 1000);
    private final List<String> said = new ArrayList<>();
    private final Clock clock = ((InstantSource) () -> Instant.ofEpochMilli(nowMillis)).withZone(ZoneOffset.UTC);
    private @Nullable ClusterDriver driver;

    @AfterEach
    void close() {
        if (driver != null) {
            driver.close();
        }
    }

    private DriveSettings settings(DriveLevel level) {
        return new DriveSettings(
                folder.resolve("out"), null, level, "p", null, true, 60, 20, 0, List.of(), List.of("eve"), false);
    }

    private static ServiceSettings service(ServedScheduler by) {
        return new ServiceSettings(
                by,
                named("fifo"),
                InterferenceModel.NONE,
                null,
                new RuntimeConfig.History(),
                1,
                60_000_000_000L,
                ServiceSettings.Limits.DEFAULT.with(100, Long.MAX_VALUE / 4));
    }

    private ClusterDriver drive(DriveLevel level, ServedScheduler by) {
        driver = new ClusterDriver(settings(level), service(by), slurm, clock, () -> nowMillis * 1_000_000, said::add);
        assertThat(slurm.told()).containsExactly("rights for " + level);
        return driver;
    }

    private static ServedScheduler named(String scheduler) {
        return ServedScheduler.of(SchedulerRegistry.named(scheduler), InterferenceModel.NONE, 1);
    }

    private static ServedScheduler deciding(Scheduler scheduler) {
        return new ServedScheduler("ours", (topology, listener) -> scheduler, demand -> true);
    }

    /** What the driver tells and says at a look so many seconds after the start. */
    private List<String> look(double second) {
        nowMillis = START * 1000 + Math.round(second * 1000);
        said.clear();
        assertThat(Objects.requireNonNull(driver).step()).isEmpty();
        List<String> lines = new ArrayList<>(slurm.told());
        said.forEach(line -> lines.add("> " + line));
        return lines;
    }

    private String counts() {
        return Objects.requireNonNull(driver).counts().words();
    }

    /** Metrics of the last look beside counts. */
    private List<String> metrics() throws IOException {
        return Files.readAllLines(folder.resolve("out/metrics.prom")).stream()
                .filter(line -> line.matches("trainyard_drive_(heartbeat|left|standstill|waiting).*"))
                .map(line -> line.split("[_ ]", -1))
                .map(words -> "%s %d".formatted(words[2], Math.round(Double.parseDouble(words[words.length - 1]))))
                .sorted()
                .toList();
    }

    /** Values of the forecast of the last look, in seconds, and its outcome. */
    private List<String> forecast() throws IOException {
        return Files.readAllLines(folder.resolve("out/metrics.prom")).stream()
                .filter(line -> line.matches("trainyard_drive_forecast.*"))
                .map(line -> line.replaceAll("trainyard_drive_forecasts?_|out=\"out\",?|quantile=", ""))
                .toList();
    }

    @Test
    void a_new_job_would_start_at_once_on_a_free_cluster() throws IOException {
        slurm.waits(1, 4).reason = "JobHeldUser";
        slurm.job(1).priority = 0;
        slurm.job(1).user = "eve";
        drive(DriveLevel.PRIORITY, named("fifo-backfill"));
        look(0);

        assertThat(forecast())
                .containsExactly(
                        "wait_seconds{gpus=\"1\",\"0.1\"} 0.0",
                        "wait_seconds{gpus=\"1\",\"0.5\"} 0.0",
                        "wait_seconds{gpus=\"1\",\"0.9\"} 0.0",
                        "wait_seconds{gpus=\"4\",\"0.1\"} 0.0",
                        "wait_seconds{gpus=\"4\",\"0.5\"} 0.0",
                        "wait_seconds{gpus=\"4\",\"0.9\"} 0.0",
                        "total{outcome=\"made\"} 1.0");
    }

    /** No run time is known yet; a job that is left is before the new one; free GPUs have no cores. */
    @ParameterizedTest
    @ValueSource(strings = {"full", "left", "of another", "without cores"})
    void nothing_is_said_of_a_wait_that_nobody_knows(String why) throws IOException {
        if (why.equals("full")) {
            slurm.waits(1, 12);
            slurm.runs(1, "n1", "n2", "n3");
        } else if (why.equals("left")) {
            slurm.waits(1, 4).special = "depends on other jobs";
        } else if (why.equals("of another")) {
            slurm.waits(1, 4).user = "eve";
        } else {
            slurm.nodes.replaceAll((name, node) ->
                    new LiveSnapshot.Node(name, 4, "a100", false, 0, 0, LiveSnapshot.Node.UNKNOWN, Set.of("p")));
        }
        nowMillis += 1000;
        drive(DriveLevel.PRIORITY, named("fifo-backfill"));
        look(2);

        assertThat(forecast()).containsExactly("total{outcome=\"unknown\"} 1.0");
    }

    @Test
    void a_cluster_none_of_whose_servers_is_a_node_is_refused() {
        ServiceSettings service = service(named("fifo"));
        DriveSettings other = new DriveSettings(
                folder, "2x4:A100", DriveLevel.PRIORITY, "p", null, true, 60, 20, 0, List.of(), List.of(), false);

        assertThatThrownBy(() -> new ClusterDriver(other, service, slurm, clock, () -> 0, said::add))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "--cluster: '2x4:A100' is not valid: expected a cluster with servers named as nodes, such as"
                                + " n1, n2, n3");
    }

    /** The log is closed, as if the disk were full, when the hold of a job is ended at a look. */
    @Test
    void a_log_that_cannot_be_written_ends_the_driver_and_is_no_missed_look() {
        slurm.waits(1, 4).reason = "JobHeldUser";
        slurm.job(1).priority = 0;
        ClusterDriver closed = drive(DriveLevel.PRIORITY, named("fifo-backfill"));
        closed.close();

        assertThatThrownBy(closed::step)
                .isInstanceOf(InputException.class)
                .hasMessageContaining("expected a file that can be written");
        assertThat(counts()).doesNotContain("looks without an answer");
        driver = null;
    }

    /** The third asks for two nodes while one is free; the second is told to start, and does not. */
    @Test
    void jobs_start_in_order_and_one_that_does_not_is_left_for_a_while() throws IOException {
        slurm.waits(1, 4);
        slurm.waits(2, 4);
        slurm.waits(3, 8);
        slurm.waits(4, 2);
        drive(DriveLevel.PRIORITY, named("fifo-backfill"));

        assertThat(look(0))
                .containsExactly(
                        "start 1 by 999",
                        "start 2 by 998",
                        "start 4 by 997",
                        "wait 3 for 60 s",
                        "> start 1: 4 GPUs, priority 999, decided in 0 ms",
                        "> start 2: 4 GPUs, priority 998, decided in 0 ms",
                        "> start 4: 2 GPUs, priority 997, decided in 0 ms",
                        "> wait 3");
        assertThat(metrics()).containsExactly("heartbeat 1800000000", "left 0", "standstill 0", "waiting 4");
        slurm.runs(1, "n1");
        assertThat(look(1)).isEmpty();
        assertThat(counts()).isEqualTo("answers 1, seen to start 1, told to start 3, told to wait 1");
        // Decisions that were asked for are awaited for five seconds.
        assertThat(look(5)).isEmpty();
        assertThat(counts()).startsWith("answers 1,");
        assertThat(look(5.001)).isEmpty();
        assertThat(counts()).startsWith("answers 2,");
        assertThat(slurm.looks).isEqualTo(5);

        nowMillis += 1000;
        slurm.runs(4, "n3");
        slurm.ended(1);
        slurm.waits(5, 4).user = "eve";
        slurm.runs(5, "n1");
        assertThat(look(8)).isEmpty();
        assertThat(counts())
                .isEqualTo("answers 3, seen to start 2, started by Slurm itself 1, told to start 3, told to wait 1");
        assertThat(look(19.999)).isEmpty();
        assertThat(look(20))
                .containsExactly(
                        "wait 2 for 60 s",
                        "give back 2",
                        "> take back 2: its start has not come (Priority, limit 20 s)",
                        "> left 2 to Slurm: it was told to start and did not; it is tried again after 200 s");
        assertThat(slurm.looks).isEqualTo(9);
        assertThat(metrics()).containsExactly("heartbeat 1800000020", "left 1", "standstill 0", "waiting 1");
        assertThat(look(48)).containsExactly("wait 3 for 60 s");
        assertThat(look(219.999)).containsExactly("wait 3 for 60 s");
        assertThat(look(220)).containsExactly("start 2 by 998", "> start 2: 4 GPUs, priority 998, decided in 0 ms");
        assertThat(counts()).contains("left to Slurm 1", "seen to start 2", "starts taken back 1", "told to start 4");
        assertThat(Objects.requireNonNull(driver).events()).isEqualTo(11);
        assertThat(driver.giveBack().left()).isEmpty();
        assertThat(slurm.told()).containsExactly("give back 2 3", "release 4");
    }

    /**
     * The second avoids the node on which it did not start; the node of the first is lost, and it is cleaned until 140.
     */
    @Test
    void a_start_that_has_not_come_goes_to_another_node_and_nodes_that_are_lost_are_not_used() {
        slurm.waits(1, 4);
        slurm.waits(2, 2);
        drive(DriveLevel.PLACEMENT, named("fifo-backfill"));
        assertThat(look(0))
                .startsWith(
                        "start 1 by 999 n1[0, 1, 2, 3]",
                        "start 2 by 998 n2[0, 1]",
                        "> start 1: 4 GPUs on n1, priority 999, decided in 0 ms");
        slurm.runs(1, "n1");
        assertThat(look(19.999)).isEmpty();
        assertThat(look(20))
                .containsExactly(
                        "wait 2 for 60 s",
                        "start 2 by 998 n3[0, 1]",
                        "> take back 2: its start on n2 has not come (Priority, limit 20 s)",
                        "> start 2: 2 GPUs on n3, priority 998, decided in 0 ms");

        slurm.node("n1", true, 0);
        slurm.waitsAgain(1).eligible = START + 140;
        assertThat(look(21))
                .containsExactly(
                        "wait 1 for 119 s", "> left 1 to Slurm: it was requeued and waits until its nodes are clean");
        slurm.runs(2, "n3");
        assertThat(look(22)).isEmpty();
        assertThat(look(138)).isEmpty();
        assertThat(look(139))
                .containsExactly(
                        "start 1 by 999 n2[0, 1, 2, 3]", "> start 1: 4 GPUs on n2, priority 999, decided in 0 ms");
        // It avoids the second node, too, and the first is out: it waits, and is told so once.
        assertThat(look(159))
                .containsExactly(
                        "wait 1 for 60 s",
                        "> take back 1: its start on n2 has not come (Priority, limit 20 s)",
                        "> dropped start 1: it finds no cores or memory beside free GPUs on nodes that it may have");
        assertThat(look(165)).isEmpty();
        assertThat(counts()).contains("dropped 2", "left to Slurm 1");
        slurm.node("n1", false, 0);
        assertThat(look(171))
                .containsExactly(
                        "start 1 by 999 n1[0, 1, 2, 3]", "> start 1: 4 GPUs on n1, priority 999, decided in 0 ms");
    }

    @Test
    void a_job_whose_start_is_refused_is_left_and_a_silence_is_no_refusal() throws IOException {
        slurm.waits(1, 4);
        slurm.waits(2, 4);
        slurm.waits(3, 4);
        slurm.refusals.put("start 1 by 999", new RefusedException("Access denied", false));
        slurm.refusals.put("start 2 by 998", new RefusedException("Job already finished", true));
        slurm.refusals.put("start 3 by 998", new InputException("no answer"));
        slurm.refusals.put("start 3 by 997", new InputException("no answer"));
        drive(DriveLevel.PRIORITY, named("fifo-backfill"));

        assertThat(look(0))
                .containsExactly(
                        "start 1 by 999",
                        "give back 1",
                        "start 2 by 999",
                        "start 3 by 998",
                        "> Slurm refused to start 1: Access denied",
                        "> left 1 to Slurm: it is refused its start by Slurm; it is tried again after 200 s",
                        "> start 2: 4 GPUs, priority 999, decided in 0 ms",
                        "> no answer to the order to start 3: no answer");
        assertThat(counts())
                .isEqualTo(
                        "answers 1, left to Slurm 1, orders without an answer 1, refused by Slurm 1, told to start 1");
        slurm.runs(2, "n2");
        // It is asked for again, and its words are said once.
        assertThat(look(1)).containsExactly("start 3 by 997");
        assertThat(metrics()).containsExactly("heartbeat 1800000001", "left 1", "standstill 0", "waiting 1");
        slurm.isSilent = true;
        nowMillis += 1000;
        assertThat(Objects.requireNonNull(driver).step()).isEqualTo("Slurm does not answer squeue --json (it is down)");
        assertThat(counts()).contains("looks without an answer 1");
        assertThat(metrics()).contains("heartbeat 1800000001");
    }

    /**
     * The first node has two cores: the job that was planned there takes the node of the second, which takes the third.
     */
    @Test
    void a_job_that_is_moved_takes_the_room_of_those_behind_it() {
        slurm.nodes.put("n1", new LiveSnapshot.Node("n1", 4, "a100", false, 0, 2, 9000, Set.of("p")));
        slurm.waits(1, 4).needs = new LiveJob.Needs("", 4, 0, 0);
        slurm.waits(2, 4).needs = new LiveJob.Needs("", 4, 0, 0);
        drive(DriveLevel.PLACEMENT, named("fifo"));

        assertThat(look(0))
                .containsExactly(
                        "start 1 by 999 n2[0, 1, 2, 3]",
                        "start 2 by 998 n3[0, 1, 2, 3]",
                        "> start 1: 4 GPUs on n2, priority 999, decided in 0 ms",
                        "> start 2: 4 GPUs on n3, priority 998, decided in 0 ms");
    }

    /** Of the sixteen cores of a node the first takes ten. */
    @Test
    void a_job_takes_its_cores_from_those_behind_it() {
        slurm.waits(1, 2).needs = new LiveJob.Needs("", 10, 0, 0);
        slurm.waits(2, 2).needs = new LiveJob.Needs("", 10, 0, 0);
        drive(DriveLevel.PLACEMENT, named("fifo"));

        assertThat(look(0)).startsWith("start 1 by 999 n1[0, 1]", "start 2 by 998 n2[0, 1]");
    }

    /** Lets a job that has never started have a server, if need be in place of the first that runs. */
    private static ServedScheduler urgent() {
        return deciding(view -> {
            int job = view.firstWaiting();
            while (job != SimView.NONE && view.firstStartNanos(job) >= 0) {
                job = view.nextWaiting(job);
            }
            if (job == SimView.NONE) {
                return Decision.WAIT;
            }
            for (int gpu = 0; gpu < 12; gpu += 4) {
                if (view.cluster().freeOn(gpu / 4) == 4) {
                    return new Decision.Start(job, Placement.of(view.topology(), gpu, gpu + 1, gpu + 2, gpu + 3));
                }
            }
            return new Decision.Preempt(view.firstRunning());
        });
    }

    @Test
    void a_running_job_gives_way_and_the_other_starts_when_it_has_gone() {
        for (int id = 1; id <= 3; id++) {
            slurm.waits(id, 4);
            slurm.runs(id, "n" + id);
        }
        nowMillis += 1000;
        slurm.waits(4, 4);
        drive(DriveLevel.PREEMPTION, urgent());

        assertThat(look(2))
                .containsExactly("requeue 1", "wait 4 for 60 s", "> requeue 1: 4 GPUs, decided in 0 ms", "> wait 4");
        assertThat(look(3)).isEmpty();
        slurm.waitsAgain(1);
        assertThat(look(4))
                .containsExactly(
                        "start 4 by 999 n1[0, 1, 2, 3]",
                        "wait 1 for 60 s",
                        "> start 4: 4 GPUs on n1, priority 999, decided in 0 ms");
        assertThat(counts())
                .isEqualTo("answers 1, started by Slurm itself 3, told to requeue 1, told to start 1, told to wait 1");
    }

    /** Slurm counts a requeue at once, and its submission when the nodes are clean. */
    @Test
    void a_job_that_leaves_its_nodes_is_not_requeued_again_and_stays_ours() {
        for (int id = 1; id <= 3; id++) {
            slurm.waits(id, 4);
            slurm.runs(id, "n" + id);
        }
        nowMillis += 1000;
        slurm.waits(4, 4);
        drive(DriveLevel.PREEMPTION, urgent());
        assertThat(look(2)).startsWith("requeue 1");

        slurm.job(1).stage = LiveJob.Stage.LEAVING;
        slurm.job(1).restarts = 1;
        assertThat(look(3)).isEmpty();
        slurm.job(1).stage = LiveJob.Stage.PENDING;
        slurm.job(1).held = Map.of();
        slurm.job(1).submit = START + 4;
        assertThat(look(4)).startsWith("start 4 by 999 n1[0, 1, 2, 3]", "wait 1 for 60 s");
        assertThat(counts()).contains("told to requeue 1").doesNotContain("left to Slurm");
    }

    @Test
    void a_driver_that_may_not_requeue_drops_what_would_and_says_so_once() {
        for (int id = 1; id <= 3; id++) {
            slurm.waits(id, 4);
            slurm.runs(id, "n" + id);
        }
        nowMillis += 1000;
        slurm.waits(4, 4);
        drive(DriveLevel.PLACEMENT, urgent());

        assertThat(look(2))
                .containsExactly(
                        "wait 4 for 60 s",
                        "> dropped preempt 1: the level is placement",
                        "> dropped start 4: its GPUs, or so many nodes as it asks for, are not free",
                        "> wait 4");
        assertThat(look(8)).isEmpty();
        assertThat(counts()).contains("dropped 4");
    }

    @Test
    void a_running_job_of_another_user_does_not_give_way() {
        for (int id = 1; id <= 3; id++) {
            slurm.waits(id, 4).user = "eve";
            slurm.runs(id, "n" + id);
        }
        nowMillis += 1000;
        slurm.waits(4, 4);
        drive(DriveLevel.PREEMPTION, urgent());

        assertThat(look(2)).contains("> dropped preempt 1: it is not a running job of ours");
    }

    /** Without the scheduler, Slurm goes on by itself: no lease is taken. */
    @Test
    void a_scheduler_that_fails_is_late_and_nothing_is_told() throws IOException {
        slurm.waits(1, 4);
        drive(DriveLevel.PRIORITY, deciding(view -> {
            throw new IllegalStateException("no decision");
        }));

        assertThat(look(0)).containsExactly("> no decision: the scheduler was late (failed, 0 ms)");
        assertThat(look(1)).containsExactly("> no decision: the scheduler was late (failed, 0 ms)");
        assertThat(counts()).isEqualTo("late answers 2");
        assertThat(metrics()).containsExactly("heartbeat 1800000001", "left 0", "standstill 2", "waiting 1");
    }

    @Test
    void a_reason_is_said_at_its_first_job_and_whenever_there_are_twice_as_many() {
        drive(DriveLevel.PRIORITY, named("fifo"));
        List<List<String>> lines = new ArrayList<>();
        for (int id = 1; id <= 5; id++) {
            slurm.waits(id, 1).special = "is an array";
            lines.add(look(id));
        }

        assertThat(lines)
                .containsExactly(
                        List.of("> left 1 to Slurm: it is an array"),
                        List.of("> left 2 to Slurm: it is an array (2 jobs so far)"),
                        List.of(),
                        List.of("> left 4 to Slurm: it is an array (4 jobs so far)"),
                        List.of());
        assertThat(counts()).isEqualTo("answers 5, left to Slurm 5");
        slurm.job(1).special = "is held back";
        assertThat(look(6)).containsExactly("> left 1 to Slurm: it is held back");
    }

    /** Counts that differ at two looks are lost, the smaller difference of both. */
    @Test
    void gpus_of_which_slurm_has_lost_count_are_left_out_from_the_second_look_on() {
        slurm.waits(1, 2);
        slurm.runs(1, "n1");
        slurm.node("n1", false, 4);
        slurm.node("n2", false, 3);
        drive(DriveLevel.PLACEMENT, named("fifo-backfill"));
        assertThat(look(0)).isEmpty();
        slurm.node("n2", false, 1);
        assertThat(look(1))
                .containsExactly("> Slurm counts GPUs as held that no job has, and they are left out: {n1=2, n2=1}");
        slurm.node("n1", false, 3);
        slurm.node("n2", false, 0);
        slurm.waits(2, 4);
        assertThat(look(2))
                .startsWith(
                        "start 2 by 998 n2[0, 1, 2, 3]",
                        "> Slurm counts GPUs as held that no job has, and they are left out: {n1=1}");
        slurm.node("n1", false, 2);
        slurm.node("n2", false, 4);
        slurm.runs(2, "n2");
        assertThat(look(3)).containsExactly("> Slurm counts its GPUs as its jobs do again");
    }

    /** A job of 20 cores a node, of which each has 16: the one behind it starts in the same look. */
    @Test
    void a_job_that_finds_no_cores_on_an_idle_cluster_is_left_and_the_next_one_starts() {
        slurm.waits(1, 2).needs = new LiveJob.Needs("", 20, 0, 0);
        slurm.waits(2, 12);
        drive(DriveLevel.PLACEMENT, named("fifo"));

        assertThat(look(0))
                .containsExactly(
                        "give back 1",
                        "start 2 by 999 n1[0, 1, 2, 3] n2[0, 1, 2, 3] n3[0, 1, 2, 3]",
                        "> left 1 to Slurm: it finds no cores or memory beside free GPUs on nodes that it may have;"
                                + " it is tried again after 200 s",
                        "> start 2: 12 GPUs on n1 n2 n3, priority 999, decided in 0 ms");
        assertThat(counts())
                .isEqualTo("answers 2, asked again without jobs that find no room 1, left to Slurm 1, told to start 1");
    }

    @Test
    void jobs_that_were_submitted_held_are_taken_or_released_and_looked_at_again() {
        slurm.waits(1, 2).priority = 0;
        drive(DriveLevel.PRIORITY, named("fifo"));
        slurm.looks = 0;

        assertThat(look(0))
                .containsExactly(
                        "wait 1 for 60 s",
                        "release 1",
                        "start 1 by 999",
                        "> start 1: 2 GPUs, priority 999, decided in 0 ms");
        assertThat(slurm.looks).isEqualTo(2);
        RememberedSlurm.Job array = slurm.waits(2, 2);
        array.priority = 0;
        array.special = "is an array";
        assertThat(look(1)).containsExactly("release 2", "> left 2 to Slurm: it is an array");
        assertThat(slurm.looks).isEqualTo(4);
        assertThat(look(2)).isEmpty();
        assertThat(slurm.looks).isEqualTo(5);
        // A later hold is not one with which it was submitted.
        slurm.job(2).priority = 0;
        assertThat(look(3)).isEmpty();
    }

    @Test
    void all_jobs_of_a_log_are_given_back_without_a_driver() {
        slurm.waits(1, 12);
        slurm.waits(2, 4);
        drive(DriveLevel.PLACEMENT, named("fifo"));
        look(0);
        close();
        driver = null;

        GivingBack.withoutDriver(settings(DriveLevel.PLACEMENT), slurm, clock, said::add);

        assertThat(slurm.told()).containsExactly("rights for placement", "give back 1 2");
        assertThat(said).last().isEqualTo("given back: 2 jobs");
        GivingBack.withoutDriver(settings(DriveLevel.PLACEMENT), slurm, clock, said::add);
        assertThat(said).last().isEqualTo("given back: 0 jobs");
    }
}
