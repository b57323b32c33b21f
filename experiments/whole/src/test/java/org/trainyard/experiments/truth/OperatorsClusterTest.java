package org.trainyard.experiments.truth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.experiments.Shell;

/** The truth keeps to its own rules, and its log is one that commands read. */
class OperatorsClusterTest {
    @TempDir
    private Path folder;

    static Stream<OperatorsSettings> both() {
        return Stream.of(OperatorsSettings.ordinary(), OperatorsSettings.small());
    }

    @ParameterizedTest
    @MethodSource("both")
    void no_server_holds_more_than_it_has_and_no_job_or_limit_crosses_maintenance(OperatorsSettings settings) {
        List<TrueJob> jobs = SlurmTruth.run(settings);

        for (int server = 0; server < settings.a100() + settings.h100(); server++) {
            TreeMap<Long, Integer> held = new TreeMap<>();
            for (TrueJob job : jobs) {
                for (int one : job.servers) {
                    if (one == server) {
                        held.merge(job.start, job.perNode(), Integer::sum);
                        held.merge(job.end, -job.perNode(), Integer::sum);
                    }
                }
            }
            int sum = 0;
            for (int change : held.values()) {
                sum += change;
                assertThat(sum).isBetween(0, 8);
            }
        }
        for (TrueJob job : jobs) {
            for (OperatorsSettings.Window window : settings.windows()) {
                assertThat(job.start == TrueJob.NEVER
                                || job.start + job.limit <= window.startSeconds()
                                || job.start >= window.endSeconds())
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("both")
    void no_user_holds_more_than_the_limit_of_a_qos(OperatorsSettings settings) {
        Map<String, TreeMap<Long, Integer>> held = new TreeMap<>();
        for (TrueJob job : SlurmTruth.run(settings)) {
            if (job.start != TrueJob.NEVER) {
                TreeMap<Long, Integer> one = held.computeIfAbsent(job.qos + " " + job.user, k -> new TreeMap<>());
                one.merge(job.start, job.gpus, Integer::sum);
                one.merge(job.end, -job.gpus, Integer::sum);
            }
        }
        held.forEach((key, changes) -> {
            int most = settings.maxGpusPerUser().get(key.split(" ")[0]);
            int sum = 0;
            for (int change : changes.values()) {
                sum += change;
                assertThat(sum).isLessThanOrEqualTo(most);
            }
        });
    }

    @Test
    void the_ordinary_cluster_is_busy_when_its_log_ends_and_inspect_counts_its_jobs() throws IOException {
        OperatorsCluster cluster = OperatorsCluster.of(OperatorsSettings.ordinary());
        Path log = cluster.write(folder);

        Shell inspected = Shell.command("inspect %s", log);

        assertThat(cluster.logged()).hasSize(3608);
        assertThat(cluster.running()).hasSize(55);
        assertThat(cluster.waiting()).hasSize(104);
        assertThat(cluster.running().stream().mapToInt(job -> job.gpus).sum()).isEqualTo(188);
        assertThat(Files.readAllLines(folder.resolve("squeue.txt"))).hasSize(1 + 55 + 104);
        assertThat(inspected.code()).isZero();
        long ran = cluster.logged().stream()
                .filter(job -> job.isEnded(cluster.endSeconds()) && job.start != TrueJob.NEVER)
                .count();
        assertThat(inspected.out()).contains("%,d jobs".formatted(ran));
    }
}
