package org.trainyard.experiments.drive;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.experiments.drive.LiveJob.Stage;
import org.trainyard.experiments.drive.slurm.DrivenSlurm;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;
import org.trainyard.experiments.slurm.SlurmCommands;

/** Orders to a Slurm whose commands write down what they are asked for, at times by hand. */
class OrdersTest {
    /** A time of the system, seconds since 1970. */
    private static final long WALL = 1_800_000_000L;

    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path folder;

    private final List<String> said = new ArrayList<>();
    private final DriveCounts counts = new DriveCounts(new SimpleMeterRegistry());
    private final Clock clock = Clock.fixed(Instant.ofEpochSecond(WALL), ZoneOffset.UTC);
    private DriveLog log;
    private Orders orders;

    @BeforeEach
    void open() throws IOException {
        log = new DriveLog(folder.resolve("drive.log"), false);
        orders = orders(log, false);
        answers("", "{\"jobs\": []}");
    }

    @AfterEach
    void close() {
        log.close();
    }

    /** Leases of 60 s, 20 s for a start, two starts a minute. */
    private Orders orders(DriveLog to, boolean isDry) {
        return new Orders(driving(to, isDry));
    }

    private GivingBack giving() {
        return giving(log, orders, false);
    }

    private GivingBack giving(DriveLog from, Orders by, boolean isDry) {
        return new GivingBack(driving(from, isDry), by);
    }

    private Driving driving(DriveLog to, boolean isDry) {
        DriveSettings settings = new DriveSettings(
                folder, null, DriveLevel.PREEMPTION, null, null, true, 60, 20, 2, List.of(), List.of(), isDry);
        SlurmCommands commands =
                new SlurmCommands("drive", List.of(folder.resolve("slurm.sh").toString()), 20);
        return new Driving(settings, new DrivenSlurm(commands, clock), to, counts, clock, said::add);
    }

    /** Slurm's commands: what {@code scontrol} does first, and what {@code squeue} says. */
    private void answers(String control, String queue) throws IOException {
        Path script = folder.resolve("slurm.sh");
        Files.writeString(script, """
                #!/bin/sh
                case "$1" in
                squeue) echo '%s' ;;
                sinfo) echo '{"nodes": []}' ;;
                scontrol) shift; echo "$@" >> '%s/asked'; %s ;;
                esac
                """.formatted(queue, folder, control.isEmpty() ? ":" : control));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** What Slurm has been asked for since the last question. */
    private List<String> asked() throws IOException {
        Path path = folder.resolve("asked");
        List<String> lines = Files.exists(path) ? Files.readAllLines(path) : List.of();
        Files.deleteIfExists(path);
        return lines;
    }

    /** Deeds of the log, with their jobs. */
    private List<String> logged() throws IOException {
        return Files.readAllLines(folder.resolve("drive.log")).stream()
                .map(line -> line.replaceAll(".*\"do\":\"([^\"]*)\",\"job\":\"([^\"]*)\".*", "$1 $2"))
                .toList();
    }

    private static LiveJob job(String id, Stage stage, String reason, long priority, long eligible, int restarts) {
        return DrivenJobs.of(
                stage,
                "id=%s reason=%s gpus=2 priority=%d submit=%d eligible=%d restarts=%d"
                        .formatted(id, reason, priority, WALL - 100, eligible, restarts));
    }

    private static LiveJob waits(String id, long priority) {
        return job(id, Stage.PENDING, "Priority", priority, WALL + 50, 0);
    }

    /** A lease is renewed after half of it, or after three seconds when less than a quarter is left. */
    @ParameterizedTest
    @CsvSource({"29999, 15, 0", "30000, 15, 1", "2999, 14, 0", "3000, 14, 1", "3000, 15, 0", "0, 1, 0", "1000, -9, 0"})
    void a_lease_is_renewed_in_time(long millis, int left, int renewals) throws IOException {
        orders.defer(List.of(waits("1", 9), waits("2", 9)), 7 * SECOND);
        assertThat(asked()).containsExactly("update JobId=1,2 StartTime=now+60");

        orders.defer(List.of(job("1", Stage.PENDING, "Priority", 9, WALL + left, 0)), 7 * SECOND + millis * 1_000_000L);

        assertThat(asked()).hasSize(renewals);
        assertThat(said).containsExactly("wait 1 2");
        assertThat(counts.words()).isEqualTo("told to wait 2");
        assertThat(logged()).containsExactly("wait 1", "wait 2");
    }

    /** Slurm may carry a lease of 60 s out ten seconds late; a second driver renews it at other times. */
    @Test
    void begin_times_that_another_driver_renews_are_said_once() {
        orders.defer(List.of(waits("1", 9), waits("2", 9)), 0);
        orders.defer(List.of(job("1", Stage.PENDING, "BeginTime", 9, WALL + 70, 0)), SECOND);
        assertThat(said).containsExactly("wait 1 2");
        for (int look = 2; look < 4; look++) {
            orders.defer(List.of(job("1", Stage.PENDING, "BeginTime", 9, WALL + 71, 0), waits("2", 9)), look * SECOND);
        }

        assertThat(said)
                .containsExactly(
                        "wait 1 2", "begin times of ours are changed by others, perhaps by a second driver: 1");
    }

    /** What Slurm refuses or does not answer is counted each time and said once in the same words. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "echo 'Access denied' >&2; exit 1 | refused by Slurm 2, told to wait 1 | Slurm refused to let jobs wait: Access denied",
                "echo 'Job already finished' >&2; exit 1 | told to wait 1, too late for Slurm 2 |",
                "echo 'timed out' >&2; exit 1 | orders without an answer 2, told to wait 1 |"
            })
    void what_is_not_done_is_counted(String control, String words, String line) throws IOException {
        answers(control, "{}");

        orders.defer(List.of(waits("1", 9)), 0);
        orders.defer(List.of(waits("1", 9)), 40 * SECOND);

        assertThat(counts.words()).isEqualTo(words);
        assertThat(said).isEqualTo(line == null ? List.of("wait 1") : List.of("wait 1", line));
    }

    /** Each start of a turn is below the one before; one that was refused or has begun bounds no other. */
    @Test
    void starts_have_falling_priorities_and_so_many_are_allowed_in_a_minute() throws IOException {
        List<LiveJob> ours = List.of(waits("1", 100), waits("2", 90), waits("3", 80));
        assertThat(orders.mayStart(0)).isTrue();
        orders.start(ours.get(0), List.of(), ours, "first", 0);
        assertThat(orders.mayStart(SECOND)).isTrue();
        orders.start(ours.get(1), List.of(new ServerGpus("n1", List.of(0, 1))), ours, "second", SECOND);
        assertThat(orders.mayStart(SECOND)).isFalse();
        assertThat(orders.mayStart(60 * SECOND - 1)).isFalse();
        assertThat(orders.mayStart(60 * SECOND)).isTrue();
        assertThat(orders.mayStart(61 * SECOND - 1)).isTrue();

        assertThat(asked())
                .containsExactly(
                        "update JobId=1 Priority=100 StartTime=now",
                        "update JobId=2 StartTime=now+60",
                        "update JobId=2 Priority=99 StartTime=now ReqNodeList=n1");
        assertThat(said)
                .containsExactly("start 1: 2 GPUs, priority 100, first", "start 2: 2 GPUs on n1, priority 99, second");
        assertThat(log.of("2").nodes()).containsExactly("n1");
        assertThat(logged()).containsExactly("start 1", "answer 1", "start on 2");

        answers("echo 'Access denied' >&2; exit 1", "{}");
        orders.start(ours.get(2), List.of(), ours, "third", 2 * SECOND);
        assertThat(orders.isRefused(ours.get(0))).isFalse();
        assertThat(orders.isRefused(ours.get(2))).isTrue();
        assertThat(orders.isRefused(ours.get(2))).isFalse();
        answers("", "{}");
        log.keepOnly(Map.of("1", waits("1", 1), "3", waits("3", 1)));
        orders.start(ours.get(2), List.of(), ours, "again", 3 * SECOND);
        assertThat(asked())
                .contains("update JobId=3 Priority=98 StartTime=now")
                .last()
                .asString()
                .contains("Priority=99");

        List<LiveJob> low = List.of(waits("5", 1));
        log.keepOnly(Map.of());
        orders.start(low.get(0), List.of(), low, "low", 0);
        orders.start(waits("6", 1), List.of(), low, "low", 0);
        assertThat(asked())
                .extracting(line -> line.replaceAll(".*Priority=(\\d+).*", "$1"))
                .containsExactly("1", "1");
        assertThat(counts.words()).isEqualTo("refused by Slurm 1, told to start 5");
    }

    @Test
    void a_start_is_overdue_after_its_limit_or_when_slurm_holds_the_job_for_its_nodes() throws IOException {
        LiveJob job = waits("1", 9);
        LiveJob held = job("1", Stage.PENDING, "BadConstraints", 0, WALL, 0);
        LiveJob byUser = job("1", Stage.PENDING, "JobHeldUser", 0, WALL, 0);
        assertThat(orders.isOverdue(job, 100 * SECOND)).isFalse();
        orders.start(job, List.of(), List.of(job), "", 5 * SECOND);

        assertThat(orders.isOverdue(job, 25 * SECOND - 1)).isFalse();
        assertThat(orders.isOverdue(job, 25 * SECOND)).isTrue();
        assertThat(orders.isOverdue(held, 25 * SECOND)).isFalse();
        orders.start(job, List.of(new ServerGpus("n1", List.of(0))), List.of(job), "", 8 * SECOND);
        assertThat(orders.isOverdue(held, 9 * SECOND)).isTrue();
        assertThat(orders.isOverdue(byUser, 90 * SECOND)).isFalse();
        asked();

        orders.takeBack(held, 30 * SECOND);
        assertThat(asked()).containsExactly("update JobId=1 StartTime=now+60", "release 1");
        assertThat(orders.isOverdue(job, 90 * SECOND)).isFalse();
        orders.start(job, List.of(), List.of(job), "", 100 * SECOND);
        assertThat(orders.isOverdue(job, 120 * SECOND - 1)).isFalse();
        orders.takeBack(job, 130 * SECOND);
        assertThat(asked()).last().isEqualTo("update JobId=1 StartTime=now+60");
        // Its lease began with the end of its start.
        orders.defer(List.of(job), 159 * SECOND);
        assertThat(asked()).isEmpty();
        assertThat(counts.words()).isEqualTo("starts taken back 2, told to start 3");
    }

    /** What is on the disk as Slurm is told something. */
    private String before() throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("before"));
        return lines.get(lines.size() - 1).replaceAll(".*\"do\":\"([^\"]*)\",\"job\":\"([^\"]*)\".*", "$1 $2");
    }

    /** A job that was started on n1 and that Slurm has requeued. */
    private static LiveJob requeued(String nodes, long eligible) {
        return DrivenJobs.of(
                Stage.PENDING,
                "id=4 reason=BeginTime submit=%d eligible=%d restarts=1 nodes=%s".formatted(WALL, eligible, nodes));
    }

    @Test
    void each_change_is_on_the_disk_before_slurm_is_told() throws IOException {
        answers("cp '%s' '%s'".formatted(folder.resolve("drive.log"), folder.resolve("before")), "{\"jobs\": []}");
        List<ServerGpus> first = List.of(new ServerGpus("n1", List.of(0)));

        orders.defer(List.of(waits("1", 9)), 0);
        assertThat(before()).isEqualTo("wait 1");
        orders.start(waits("1", 9), first, List.of(waits("1", 9)), "", SECOND);
        assertThat(before()).isEqualTo("start on 1");
        orders.takeBack(waits("1", 9), 2 * SECOND);
        assertThat(before()).isEqualTo("take back 1");
        orders.requeue(job("1", Stage.RUNNING, "", 9, WALL, 0), "");
        assertThat(before()).isEqualTo("requeue 1");
        LiveJob held = job("2", Stage.PENDING, "JobHeldUser", 0, WALL, 0);
        orders.take(List.of(held), 3 * SECOND);
        assertThat(before()).isEqualTo("take 2");
        // A hold that Slurm shows again is to be ended again.
        orders.giveBack(List.of(held));
        assertThat(before()).isEqualTo("take 2");
        orders.giveBack(List.of(waits("2", 9)));
        assertThat(before()).isEqualTo("give back 2");
        orders.release(List.of(job("3", Stage.PENDING, "JobHeldUser", 0, WALL, 0)));
        assertThat(before()).isEqualTo("release 3");
        orders.start(waits("4", 9), first, List.of(waits("4", 9)), "", 4 * SECOND);
        assertThat(orders.clearNodes(List.of(requeued("n1", WALL + 90)))).isTrue();
        assertThat(before()).isEqualTo("clear nodes 4");
        orders.resetPriorities(new LiveSnapshot(Map.of("4", job("4", Stage.RUNNING, "", 9, WALL, 0)), Map.of()));
        assertThat(before()).isEqualTo("give back 4");
    }

    /** Slurm's own begin time of a requeued job ends two seconds from now at the earliest. */
    @Test
    void a_requeued_job_is_being_cleaned_until_its_begin_time() {
        orders.start(waits("4", 9), List.of(), List.of(waits("4", 9)), "", 0);

        assertThat(orders.isBeingCleaned(requeued("", WALL + 1))).isFalse();
        assertThat(orders.isBeingCleaned(requeued("", WALL + 2))).isTrue();
        assertThat(orders.clearNodes(List.of(requeued("", WALL + 90)))).isFalse();
    }

    @Test
    void a_job_is_requeued_once_for_each_of_its_runs() throws IOException {
        LiveJob runs = job("1", Stage.RUNNING, "", 9, WALL, 3);
        orders.requeue(runs, "for 2");
        orders.requeue(runs, "for 2");
        orders.requeue(job("1", Stage.RUNNING, "", 9, WALL, 4), "for 3");

        assertThat(asked()).containsExactly("requeue 1", "requeue 1");
        assertThat(said).containsExactly("requeue 1: 2 GPUs, for 2", "requeue 1: 2 GPUs, for 3");
        assertThat(counts.words()).isEqualTo("told to requeue 2");
        assertThat(logged()).containsExactly("requeue 1", "answer 1", "requeue 1");
        answers("echo 'Access denied' >&2; exit 1", "{}");
        orders.requeue(job("1", Stage.RUNNING, "", 9, WALL, 5), "for 4");
        assertThat(said).hasSize(3).last().isEqualTo("Slurm refused to requeue 1: Access denied");
    }

    @Test
    void held_jobs_wait_by_a_lease_before_they_are_released() throws IOException {
        LiveJob held = job("1", Stage.PENDING, "JobHeldUser", 0, WALL, 0);
        assertThat(orders.take(List.of(), 0)).isFalse();
        orders.release(List.of());
        assertThat(asked()).isEmpty();

        assertThat(orders.take(List.of(held), 0)).isTrue();
        assertThat(logged()).containsExactly("take 1");
        orders.release(List.of(job("2", Stage.PENDING, "JobHeldUser", 0, WALL, 0)));

        assertThat(asked()).containsExactly("update JobId=1 StartTime=now+60", "release 1", "release 2");
        assertThat(logged()).containsExactly("take 1", "release 2");
        assertThat(log.of("1").isTaken).isTrue();
        // It waits by its lease, and is noted once.
        orders.defer(List.of(waits("1", 9)), 10 * SECOND);
        orders.defer(List.of(waits("1", 9)), 20 * SECOND);
        orders.released(waits("2", 9));
        assertThat(asked()).isEmpty();
        assertThat(logged()).containsExactly("take 1", "release 2", "wait 1", "give back 2");
        assertThat(log.of("2").isGivenBack()).isTrue();
        assertThat(counts.words()).isEqualTo("taken over held 1");
    }

    /**
     * The begin time of one that was given back is at most two seconds ahead; the others are tried again, and named.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void all_jobs_are_given_back_until_slurm_shows_that_they_may_start(int ahead) throws IOException {
        orders.defer(List.of(waits("1", 9), waits("2", 9), waits("3", 9)), 0);
        orders.giveBack(List.of(waits("3", 9)));
        asked();
        String queue =
                "{\"jobs\": [%s, %s, %s]}".formatted(line(1, WALL + ahead, 9), line(2, WALL, 0), line(3, WALL, 9));
        // Slurm does not hear the last.
        answers(ahead == 2 ? "" : "echo 'timed out' >&2; exit 1", queue);

        assertThat(giving().all())
                .isEqualTo(new GivenBack(
                        1, List.of(), ahead == 2 ? "" : "still waiting for a driver: 1; run --give-back again"));

        assertThat(asked())
                .filteredOn(line -> line.startsWith("update"))
                .hasSize(ahead == 2 ? 1 : 3)
                .containsOnly("update JobId=1 StartTime=now");
        assertThat(log.of("1").isGivenBack()).isTrue();
        assertThat(log.of("2").isGivenBack()).isFalse();
        orders.defer(List.of(waits("1", 9)), SECOND);
        assertThat(asked()).hasSize(1);
    }

    private static String line(int id, long eligible, long priority) {
        return line(id, "PENDING", priority, eligible, "\"restart_cnt\": 0");
    }

    private static String line(int id, String state, long priority, long eligible, String more) {
        return """
                {"job_id": %d, "job_state": "%s", "user_name": "ann", "partition": "p", "priority": %d,\
                 "submit_time": %d, "eligible_time": %d, "tres_req_str": "gres/gpu=1", %s}
                """.formatted(id, state, priority, WALL - 100, eligible, more).strip();
    }

    /**
     * A running job gets Slurm's priority back, and its nodes, which Slurm changes of no running job, are said; one
     * that Slurm has requeued loses both and keeps Slurm's begin time. The next time each waits with nodes of ours, it
     * is cleared.
     */
    @Test
    void priorities_and_nodes_of_started_jobs_are_given_back_as_far_as_slurm_lets_one() throws IOException {
        List<LiveJob> ours = List.of(waits("1", 9), waits("2", 8), waits("3", 7), waits("4", 6));
        List<ServerGpus> first = List.of(new ServerGpus("n1", List.of(0)));
        orders.start(ours.get(0), first, ours, "", 0);
        orders.start(ours.get(1), List.of(), ours, "", 0);
        orders.start(ours.get(2), first, ours, "", 0);
        asked();
        String named = "\"restart_cnt\": 0, \"required_nodes\": \"n1\"";
        answers(
                "",
                "{\"jobs\": [%s, %s, %s, %s]}"
                        .formatted(
                                line(1, "RUNNING", 9, WALL, named),
                                line(2, "RUNNING", 8, WALL, "\"restart_cnt\": 0"),
                                line(3, "PENDING", 7, WALL + 90, named.replace('0', '1')),
                                line(4, "RUNNING", 6, WALL, "\"restart_cnt\": 0")));

        GivenBack given = giving().all();

        assertThat(asked()).startsWith("update JobId=3 StartTime=now+90 ReqNodeList=", "release 1,2,3");
        assertThat(given.named()).containsExactly("1");
        assertThat(given.remark())
                .isEqualTo("nodes stay named to 1 job, for it runs (1): where it is requeued, run --give-back");
        assertThat(log.of("1").isGivenBack()).isTrue();
        assertThat(log.of("2").isGivenBack()).isTrue();
        assertThat(log.of("4").isKnown()).isFalse();

        answers("", "{\"jobs\": [%s]}".formatted(line(1, "PENDING", 9, WALL, named.replace('0', '1'))));
        giving().all();
        assertThat(asked()).startsWith("update JobId=1 StartTime=now ReqNodeList=", "release 1");
    }

    /** {@code squeue} ends with code 0 and an empty list: a queue is not empty because nobody answers. */
    @Test
    void jobs_are_named_that_a_silent_slurm_still_has() throws IOException {
        orders.defer(List.of(waits("1", 9), waits("2", 9)), 0);
        orders.giveBack(List.of(waits("2", 9)));
        orders.start(waits("3", 9), List.of(new ServerGpus("n1", List.of(0))), List.of(waits("3", 9)), "", 0);
        answers("", "{\"jobs\": [], \"errors\": [{\"source\": \"slurm_load_jobs\", \"description\": \"Failed\"}]}");

        assertThat(giving().all())
                .isEqualTo(new GivenBack(
                        0,
                        List.of(),
                        "Slurm does not answer squeue --json (slurm_load_jobs: Failed); told to wait: 1, for at most 60 s; named"
                                + " nodes, which jobs that wait keep: 3; run --give-back later, or scontrol update JobId=N"
                                + " StartTime=now ReqNodeList= and scontrol release N"));
    }

    @Test
    void a_dry_run_asks_for_nothing_and_a_slurm_that_is_silent_leaves_its_words() throws IOException {
        try (DriveLog dryLog = new DriveLog(folder.resolve("dry.log"), true)) {
            Orders dry = orders(dryLog, true);
            LiveJob held = job("2", Stage.PENDING, "JobHeldUser", 0, WALL, 0);
            dry.defer(List.of(waits("1", 9)), 0);
            dry.start(waits("1", 9), List.of(), List.of(waits("1", 9)), "why", 0);
            assertThat(dry.isOverdue(waits("1", 9), 90 * SECOND)).isFalse();
            assertThat(dry.take(List.of(held), 0)).isFalse();
            dry.release(List.of(held));
            dry.giveBack(List.of(held));
            assertThat(giving(dryLog, dry, true).all()).isEqualTo(GivenBack.NOTHING);
            assertThat(counts.words()).isEqualTo("starts proposed 1, told to wait 1");
            assertThat(dryLog.jobs()).containsExactly("1");
        }
        assertThat(asked()).isEmpty();
        answers("", "no answer");
        assertThat(giving().all().left()).contains("squeue");
    }
}
