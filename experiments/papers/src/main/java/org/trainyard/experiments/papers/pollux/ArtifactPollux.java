package org.trainyard.experiments.papers.pollux;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.trainyard.agents.heuristic.elastic.AllocationSearch;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.goodput.GoodputModel;

/** Pollux by the rules of its artifact, with our genetic search. */
final class ArtifactPollux implements ArtifactSimulation.Policy {
    private static final int MOST_GPUS = 64;
    private static final double DELAY_SECONDS = 30;

    private final AllocationSearch search;

    ArtifactPollux(long seed) {
        search = new AllocationSearch(RandomStreams.stream(seed, "pollux"));
    }

    @Override
    public void allocate(long now, List<ArtifactJob> live) {
        List<ArtifactJob> jobs = new ArrayList<>(live);
        jobs.sort(
                Comparator.comparingDouble((ArtifactJob job) -> job.attained).thenComparingLong(job -> job.submitted));
        int[] capacity = new int[ArtifactSimulation.SERVERS];
        Arrays.fill(capacity, ArtifactSimulation.GPUS);
        int fairGpus = -Math.floorDiv(-ArtifactSimulation.SERVERS * ArtifactSimulation.GPUS, jobs.size());
        List<AllocationSearch.Candidate> candidates = new ArrayList<>();
        int[][] present = new int[jobs.size()][];
        for (int i = 0; i < jobs.size(); i++) {
            candidates.add(candidate(jobs.get(i), now, fairGpus));
            present[i] = jobs.get(i).allocation.length == 0 ? new int[capacity.length] : jobs.get(i).allocation;
        }
        int[][] best = search.best(candidates, capacity, present);
        for (int i = 0; i < jobs.size(); i++) {
            if (!Arrays.equals(best[i], present[i])) {
                int[] placement =
                        Arrays.stream(best[i]).filter(gpus -> gpus > 0).toArray();
                jobs.get(i).reallocate(best[i], placement);
            }
        }
    }

    private static AllocationSearch.Candidate candidate(ArtifactJob job, long now, int fairGpus) {
        int most = job.application.name.equals("ncf")
                ? 1
                : Math.min(
                        Math.max(1, 2 * job.mostMeasuredGpus()),
                        Math.min(MOST_GPUS, job.application.limits.mostReplicas()));
        double age = now - job.submitted;
        double factor = Math.max(age - Math.max(0, job.restarts) * DELAY_SECONDS, 0) / (age + DELAY_SECONDS);
        GoodputModel goodput = job.goodput();
        if (goodput == null) {
            return new AllocationSearch.Candidate(
                    job.name.hashCode(), 1, most, factor, (nodes, gpus) -> (double) gpus / fairGpus);
        }
        double fair = goodput.best(1, fairGpus).goodput();
        return new AllocationSearch.Candidate(
                job.name.hashCode(),
                1,
                most,
                factor,
                (nodes, gpus) -> goodput.best(nodes, gpus).goodput() / fair);
    }
}
