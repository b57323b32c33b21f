package org.trainyard.experiments.drive;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
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
import org.trainyard.experiments.service.live.ServiceSettings;
import org.trainyard.experiments.service.target.ServedScheduler;

/** Jobs beside a cluster of two nodes with four A100 each, and what the log says was done to them. */
class DriveScopeTest {
    /** A time of the system, seconds since 1970. */
    private static final long WALL = 1_800_000_000L;

    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path folder;

    private Mirror mirror;
    private DriveLog log;
    private DriveScope scope;

    @BeforeEach
    void open() {
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
        Map<String, LiveSnapshot.Node> nodes = new TreeMap<>();
        for (String name : List.of("n1", "n2")) {
            nodes.put(name, new LiveSnapshot.Node(name, 4, "a100", false));
        }
        LiveSnapshot seen = new LiveSnapshot(Map.of(), nodes);
        mirror = new Mirror(settings, folder, "slurm", null, seen, new SimpleMeterRegistry());
        log = new DriveLog(folder.resolve("drive.log"), false);
        scope = scope("p", "normal", true);
    }

    @AfterEach
    void close() {
        log.close();
        mirror.close();
    }

    /** Starts within 20 s; jobs of root and of the partition left are not touched. */
    private DriveScope scope(@Nullable String partition, @Nullable String qos, boolean takesHeld) {
        return new DriveScope(
                new DriveSettings(
                        folder,
                        null,
                        DriveLevel.PRIORITY,
                        partition,
                        qos,
                        takesHeld,
                        60,
                        20,
                        0,
                        List.of("left"),
                        List.of("root"),
                        false),
                log,
                mirror);
    }

    /** A job whose times are seconds after {@link #WALL}. */
    private static LiveJob at(long submit, long eligible, int restarts) {
        return waits("submit=%d eligible=%d restarts=%d".formatted(WALL + submit, WALL + eligible, restarts));
    }

    private static LiveJob waits(String keys) {
        return DrivenJobs.of(Stage.PENDING, keys);
    }

    private static LiveJob held() {
        return waits("priority=0");
    }

    private void notes(LiveJob job, String deed) {
        log.note(job, deed, WALL * 1000);
        log.write();
    }

    @ParameterizedTest
    @CsvSource({
        "p, normal, ann, true, true",
        "q, normal, ann, false, true",
        "'q,p', normal, ann, true, true",
        "p, high, ann, false, true",
        "p, normal, root, false, false",
        "left, normal, ann, false, false",
        "'p,left', normal, ann, false, false"
    })
    void a_job_is_covered_by_partition_qos_and_user(
            String partition, String qos, String user, boolean inOne, boolean inAll) {
        LiveJob job = waits("partition=%s qos=%s user=%s".formatted(partition, qos, user));
        assertThat(scope.covers(job)).isEqualTo(inOne);
        assertThat(scope(null, null, true).covers(job)).isEqualTo(inAll);
    }

    /** Each job is left for one reason alone; the cluster has eight GPUs. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpus=1 | ''",
                "gpus=8 reason=Priority | ''",
                "gpus=9 | asks for more GPUs than there are",
                "gpus=0 | asks for no GPUs",
                "partition=p,q | asks for several partitions",
                "special=is~an~array | is an array",
                "nodes=n1 | asks for certain nodes",
                "reason=AssocGrpGRES | is at a limit (AssocGrpGRES)",
                "reason=QOSMaxGRES | is at a limit (QOSMaxGRES)",
                "reason=PartitionTimeLimit | is at a limit (PartitionTimeLimit)",
                "type=h100 | asks for GPUs of a type that the scheduler or the cluster does not know"
            })
    void a_job_is_left_for_a_reason(String keys, String why) {
        assertThat(scope.leaves(waits(keys), WALL, 0)).isEqualTo(why);
    }

    /** More than a second after the look and after its submission; a begin time of a job that we know is ours. */
    @Test
    void a_begin_time_ahead_is_the_jobs_own_until_we_know_it() {
        String own = "has a begin time of its own";
        assertThat(scope.leaves(at(-50, 1, 0), WALL, 0)).isEmpty();
        assertThat(scope.leaves(at(-50, 2, 0), WALL, 0)).isEqualTo(own);
        assertThat(scope.leaves(at(5, 6, 0), WALL, 0)).isEmpty();
        assertThat(scope.leaves(at(5, 7, 0), WALL, 0)).isEqualTo(own);
        notes(at(-50, 60, 0), "wait");
        assertThat(scope.leaves(at(-50, 60, 0), WALL, 0)).isEmpty();
        assertThat(scope.leaves(at(-50, 60, 1), WALL, 0)).isEqualTo("was requeued and waits until its nodes are clean");
        assertThat(scope.leaves(at(-50, 1, 1), WALL, 0)).isEmpty();
        notes(at(-50, 60, 0), DrivenJob.GIVE_BACK);
        assertThat(scope.leaves(at(-50, 60, 0), WALL, 0)).isEqualTo(own);
    }

    @Test
    void nodes_that_a_job_must_have_are_ours_where_the_log_placed_it() {
        LiveJob bound = waits("nodes=n1");
        log.noteStart(bound, List.of("n1"), 9, "", WALL * 1000);
        log.write();
        assertThat(scope.leaves(bound, WALL, 0)).isEmpty();
    }

    @Test
    void a_held_job_is_taken_where_nothing_was_done_to_it_or_it_was_taken() {
        assertThat(scope.takes(held())).isTrue();
        assertThat(scope.takes(at(-50, -50, 0))).isFalse();
        assertThat(scope("p", null, false).takes(held())).isFalse();
        assertThat(scope("p", null, false).leaves(held(), WALL, 0)).isEqualTo("is held");
        assertThat(scope.leaves(held(), WALL, 0)).isEmpty();
        notes(held(), "wait");
        assertThat(scope.takes(held())).isFalse();
        assertThat(scope.leaves(held(), WALL, 0)).isEqualTo("is held");
        notes(held(), DrivenJob.TAKE);
        assertThat(scope.takes(held())).isTrue();
    }

    /** For ten times the 20 s within which a start has to come. */
    @Test
    void a_job_is_left_and_nodes_are_avoided_for_a_while() {
        LiveJob job = at(-50, -50, 0);
        scope.leave(job, "for a while", 5 * SECOND);
        scope.avoid(job, List.of("n1"), 5 * SECOND);
        scope.avoid(job, List.of("n2"), 6 * SECOND);

        assertThat(scope.pauseSeconds()).isEqualTo(200);
        assertThat(scope.leaves(job, WALL, 205 * SECOND - 1)).isEqualTo("for a while");
        assertThat(scope.leaves(job, WALL, 205 * SECOND)).isEmpty();
        assertThat(scope.avoids("7", "n1", 205 * SECOND - 1)).isTrue();
        assertThat(scope.avoids("7", "n1", 205 * SECOND)).isFalse();
        assertThat(scope.avoids("7", "n2", 205 * SECOND)).isTrue();
        assertThat(scope.avoids("7", "n3", 0)).isFalse();
        assertThat(scope.avoids("8", "n2", 0)).isFalse();
        log.keepOnly(Map.of("7", job));
        assertThat(scope.leaves(job, WALL, 0)).isEqualTo("for a while");
        assertThat(scope.avoids("7", "n2", 0)).isTrue();
        log.keepOnly(Map.of("8", job));
        assertThat(scope.leaves(job, WALL, 0)).isEmpty();
        assertThat(scope.avoids("7", "n2", 0)).isFalse();
    }

    @Test
    void a_job_has_no_room_after_twenty_seconds_or_where_nothing_will_make_room() {
        assertThat(scope.isRoomlessFor("7.1", 3 * SECOND, false)).isFalse();
        assertThat(scope.isRoomlessFor("7.1", 3 * SECOND, true)).isTrue();
        assertThat(scope.isRoomlessFor("7.1", 23 * SECOND - 1, false)).isFalse();
        assertThat(scope.isRoomlessFor("7.1", 23 * SECOND, false)).isTrue();
        log.keepOnly(Map.of("7", held()));
        assertThat(scope.isRoomlessFor("7.1", 23 * SECOND, false)).isTrue();
        scope.hasRoom("7.1");
        assertThat(scope.isRoomlessFor("7.1", 24 * SECOND, false)).isFalse();
        log.keepOnly(Map.of("1", held()));
        assertThat(scope.isRoomlessFor("7.1", 50 * SECOND, false)).isFalse();
    }

    /**
     * Its hold was ended 15 s before the last look or earlier, or the manager began before: then it is a hold of
     * others.
     */
    @ParameterizedTest
    @CsvSource({"14999, 1, true", "15000, 1, false", "14999, 0, false", "3000, 1, true"})
    void a_hold_that_comes_back_is_ours_where_the_manager_may_have_forgotten_its_end(
            long millis, long startedAfter, boolean isTaken) {
        notes(held(), DrivenJob.TAKE);
        log.recallHolds(List.of(), () -> 0, WALL * 1000 + millis);
        notes(held(), "wait");

        log.recallHolds(List.of(held()), () -> WALL * 1000 + startedAfter, WALL * 1000 + millis + 9999);

        assertThat(log.of("7").isTaken).isEqualTo(isTaken);
    }

    /** Its number was given away where it was submitted later and has not been requeued more often. */
    @ParameterizedTest
    @CsvSource({"-50, 2, false", "-49, 2, true", "-49, 3, false", "-49, 0, true"})
    void a_number_that_was_given_away_is_forgotten(long submit, int restarts, boolean isReused) {
        notes(at(-50, -50, 2), "wait");

        assertThat(log.forgetReused(List.of(at(submit, -50, restarts)))).hasSize(isReused ? 1 : 0);
        assertThat(log.of("7").isKnown()).isEqualTo(!isReused);
    }

    @Test
    void a_requeue_is_ours_where_we_told_it_at_that_run() {
        notes(at(-50, -50, 1), "wait");
        assertThat(log.of("7").isRequeuedByOthers(at(-50, -50, 1))).isFalse();
        assertThat(log.of("7").isRequeuedByOthers(at(-50, -50, 2))).isTrue();
        assertThat(log.of("7").wasRequeued()).isFalse();
        notes(at(-50, -50, 1), "requeue");
        assertThat(log.of("7").isRequeued(1)).isTrue();
        assertThat(log.of("7").isRequeued(2)).isFalse();
        assertThat(log.of("7").wasRequeued()).isTrue();
        assertThat(log.of("7").isRequeuedByOthers(at(-50, -50, 2))).isFalse();
        assertThat(log.of("7").isRequeuedByOthers(at(-50, -50, 3))).isTrue();
    }

    /** GPUs that a node counts as held beyond those of jobs that run or leave; none of a node that is out. */
    @Test
    void gpus_of_which_the_manager_has_lost_count() {
        Map<String, LiveSnapshot.Node> nodes = new TreeMap<>();
        for (String name : List.of("n1", "n2", "n3", "n4")) {
            nodes.put(
                    name,
                    new LiveSnapshot.Node(name, 4, "", name.equals("n4"), name.equals("n3") ? 1 : 3, 0, 0, Set.of()));
        }
        Map<String, LiveJob> jobs = new TreeMap<>();
        for (Stage stage : Stage.values()) {
            jobs.put(stage.name(), DrivenJobs.of(stage, "on=n1:1,n3:1"));
        }

        assertThat(new LiveSnapshot(jobs, nodes).lostGpus()).isEqualTo(Map.of("n1", 1, "n2", 3));
    }
}
