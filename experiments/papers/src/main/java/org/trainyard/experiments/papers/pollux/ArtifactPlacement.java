package org.trainyard.experiments.papers.pollux;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Placement by the rules of the artifact's Tiresias and Optimus: always on the server with the most free GPUs. */
final class ArtifactPlacement {
    private final int[] free = new int[ArtifactSimulation.SERVERS];

    /** Free are the GPUs that none of these jobs holds. */
    ArtifactPlacement(List<ArtifactJob> holders) {
        Arrays.fill(free, ArtifactSimulation.GPUS);
        for (ArtifactJob job : holders) {
            for (int server = 0; server < job.allocation.length; server++) {
                free[server] -= job.allocation[server];
            }
        }
    }

    void place(ArtifactJob job, int gpus) {
        int[] allocation = new int[free.length];
        List<Integer> placement = new ArrayList<>();
        for (int left = gpus; left > 0; ) {
            int widest = 0;
            for (int server = 1; server < free.length; server++) {
                widest = free[server] > free[widest] ? server : widest;
            }
            int here = Math.min(left, free[widest]);
            allocation[widest] += here;
            free[widest] -= here;
            placement.add(here);
            left -= here;
        }
        job.reallocate(
                allocation, placement.stream().mapToInt(Integer::intValue).toArray());
    }

    static void stop(ArtifactJob job) {
        if (job.allocation.length > 0) {
            job.reallocate(new int[0], new int[0]);
        }
    }

    static boolean isPlaced(ArtifactJob job) {
        return job.allocation.length > 0;
    }
}
