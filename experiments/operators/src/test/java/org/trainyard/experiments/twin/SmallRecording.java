package org.trainyard.experiments.twin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Recordings written by hand, of a cluster of two nodes n1 and n2 that each job holds whole; times from 2026-03-02
 * 08:00 UTC on.
 */
final class SmallRecording {
    static final String CONF = """
            SchedulerType=sched/backfill
            SchedulerParameters=bf_resolution=1
            NodeName=n[1-2] CPUs=8 Gres=gpu:8
            PartitionName=p Nodes=n[1-2] Default=YES MaxTime=60
            """;
    private static final String HEADER =
            "JobID|User|Account|Partition|QOS|State|Submit|Start|End|Timelimit|ReqTRES|NNodes|NodeList|Reservation";

    private final Path folder;
    private final List<String> jobs = new ArrayList<>(List.of(HEADER));
    private String conf = CONF;

    SmallRecording(Path folder) {
        this.folder = folder;
    }

    SmallRecording conf(String changed) {
        conf = changed;
        return this;
    }

    /** A job that had not started when the accounting was asked. */
    SmallRecording job(String id, int nodes, int limitMinutes) {
        return job(id, nodes, limitMinutes, "PENDING", "Unknown", "Unknown", "");
    }

    /** @param start as in {@code 08:00:01} */
    SmallRecording ran(String id, String state, String start, String end, String node) {
        return job(id, 1, 10, state, "2026-03-02T" + start, "2026-03-02T" + end, node);
    }

    private SmallRecording job(
            String id, int nodes, int limitMinutes, String state, String start, String end, String where) {
        return row("%s|u|a||normal|%s|2026-03-02T08:00:00|%s|%s|%d:00|cpu=%d,gres/gpu=%d|%d|%s|"
                .formatted(id, state, start, end, limitMinutes, 8 * nodes, 8 * nodes, nodes, where));
    }

    /** A row as the accounting writes it. */
    SmallRecording row(String row) {
        jobs.add(row);
        return this;
    }

    SmallRecording file(String name, String... lines) throws IOException {
        Files.write(folder.resolve(name), List.of(lines));
        return this;
    }

    /** @param log events as {@link LogLines} reads them; none for a recording without the controller's log */
    TwinFolder folder(String... log) throws IOException {
        Files.writeString(folder.resolve("slurm.conf"), conf);
        Files.write(folder.resolve("sacct.txt"), jobs);
        if (log.length > 0) {
            Files.write(folder.resolve("slurmctld.log"), LogLines.lines(log));
        }
        return TwinFolder.read(folder);
    }
}
