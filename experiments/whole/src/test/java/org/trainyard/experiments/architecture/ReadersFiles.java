package org.trainyard.experiments.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.Stream;

/** The folder in which a reader of a page stands: the source tree, and files of the reader's own. */
final class ReadersFiles {
    private static final List<String> TREE = List.of("experiments", "checkpoints");
    private static final LocalDateTime FIRST = LocalDateTime.of(2026, 3, 2, 0, 0);

    private ReadersFiles() {}

    static void write(Path folder, Path root, boolean withRun) throws IOException {
        for (String part : TREE) {
            Files.createSymbolicLink(folder.resolve(part), root.resolve(part).toRealPath());
        }
        Files.writeString(folder.resolve("jobs.csv"), jobs());
        Files.writeString(folder.resolve("log.txt"), log());
        Files.copy(root.resolve("experiments/clusters/small.yaml"), folder.resolve("cluster.yaml"));
        if (withRun) {
            copy(root.resolve("checkpoints/default"), folder.resolve("runs/quickstart/checkpoints/best"));
        }
    }

    /** Takes the source tree out of the folder again, which is deleted after the test. */
    static void unlink(Path folder) throws IOException {
        for (String part : TREE) {
            Files.deleteIfExists(folder.resolve(part));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    private static String jobs() {
        StringBuilder rows = new StringBuilder("job,submit_s,gpus,duration_s,model,user,group\n");
        for (int job = 0; job < 40; job++) {
            rows.append("j%d,%d,%d,%d,%s,%s,nightly\n"
                    .formatted(
                            job,
                            600 * job,
                            1 << job % 4,
                            3600 + 60 * job,
                            job % 2 == 0 ? "bert" : "resnet50",
                            job % 3 == 0 ? "ann" : "ben"));
        }
        return rows.toString();
    }

    /** What {@code sacct -P} prints of jobs that each waited four hours. */
    private static String log() {
        StringBuilder rows = new StringBuilder(
                "JobID|State|User|Account|JobName|Partition|Submit|Start|End|Timelimit|AllocTRES|ReqTRES\n");
        for (int job = 0; job < 44; job++) {
            LocalDateTime submit = FIRST.plusMinutes(30L * job);
            String gpus = "gres/gpu=" + (1 << job % 4);
            rows.append("%d|COMPLETED|user%d|%s|train|gpu|%s:00|%s:00|%s:00|12:00:00|%s|%s\n"
                    .formatted(
                            10300 + job,
                            job % 5,
                            job % 2 == 0 ? "a" : "research",
                            submit,
                            submit.plusHours(4),
                            submit.plusHours(7).plusMinutes(job),
                            gpus,
                            gpus));
        }
        return rows.toString();
    }
}
