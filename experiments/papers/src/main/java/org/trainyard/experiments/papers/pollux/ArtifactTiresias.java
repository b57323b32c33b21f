package org.trainyard.experiments.papers.pollux;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tiresias by the rules of Pollux' artifact: two queues by attained GPU time, first in, first out within each; who
 * fits may pass.
 */
final class ArtifactTiresias implements ArtifactSimulation.Policy {
    private static final long LIMIT_GPU_SECONDS = 3600 * 16;

    private final List<ArtifactJob> first = new ArrayList<>();
    private final List<ArtifactJob> second = new ArrayList<>();
    private final Set<ArtifactJob> known = new HashSet<>();
    private final Map<ArtifactJob, Long> executed = new HashMap<>();
    private final Map<ArtifactJob, Boolean> runs = new HashMap<>();
    private long last;

    @Override
    public void allocate(long now, List<ArtifactJob> live) {
        first.retainAll(live);
        second.retainAll(live);
        for (ArtifactJob job : live) {
            if (known.add(job)) {
                first.add(job);
            } else if (runs.getOrDefault(job, false)) {
                long seconds = executed.merge(job, now - last, Long::sum);
                if (seconds * job.submittedGpus >= LIMIT_GPU_SECONDS && first.remove(job)) {
                    second.add(job);
                }
            }
        }
        last = now;
        List<ArtifactJob> order = new ArrayList<>(first);
        order.addAll(second);
        int free = ArtifactSimulation.SERVERS * ArtifactSimulation.GPUS;
        for (ArtifactJob job : order) {
            boolean fits = job.submittedGpus <= free;
            runs.put(job, fits);
            free -= fits ? job.submittedGpus : 0;
            if (!fits) {
                ArtifactPlacement.stop(job);
            }
        }
        ArtifactPlacement placement = new ArtifactPlacement(live);
        for (ArtifactJob job : order) {
            if (runs.getOrDefault(job, false) && !ArtifactPlacement.isPlaced(job)) {
                placement.place(job, job.submittedGpus);
            }
        }
    }
}
