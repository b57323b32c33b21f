package org.trainyard.experiments.papers.pollux;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The simulator in the artifact of Pollux (A. Qiao et al., OSDI 2021): 16 servers of 4 T4, rounds of 60 s, a restart
 * takes 30 s.
 */
final class ArtifactSimulation {
    static final int SERVERS = 16;
    static final int GPUS = 4;
    private static final int ROUND_SECONDS = 60;
    private static final int NCF_BATCH = 32768;

    /** Allocates GPUs once a round. */
    @FunctionalInterface
    interface Policy {
        void allocate(long now, List<ArtifactJob> live);
    }

    /** The batch of a job: adapted, or as in the workload. */
    enum Batch {
        ADAPTED,
        SUBMITTED
    }

    private ArtifactSimulation() {}

    static List<ArtifactJob> jobs(PolluxArtifact artifact, List<String[]> workload, Batch batch) {
        List<ArtifactJob> jobs = new ArrayList<>();
        for (String[] row : workload) {
            int fixed = batch == Batch.SUBMITTED ? Integer.parseInt(row[4]) : row[2].equals("ncf") ? NCF_BATCH : 0;
            jobs.add(new ArtifactJob(
                    row[0], artifact.application(row[2]), Long.parseLong(row[1]), Integer.parseInt(row[3]), fixed));
        }
        return jobs;
    }

    /** Completion times, seconds, by job. */
    static Map<String, Double> completionSeconds(List<ArtifactJob> jobs, Policy policy) {
        for (long now = ROUND_SECONDS; jobs.stream().anyMatch(job -> job.completed < 0); now += ROUND_SECONDS) {
            jobs.forEach(job -> job.run(ROUND_SECONDS));
            long time = now;
            List<ArtifactJob> live =
                    jobs.stream().filter(job -> job.isLive(time)).toList();
            if (!live.isEmpty()) {
                policy.allocate(now, live);
            }
        }
        Map<String, Double> times = new HashMap<>();
        jobs.forEach(job -> times.put(job.name, (double) (job.completed - job.submitted)));
        return times;
    }
}
