package org.trainyard.experiments.papers.pollux;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Optimus by the rules of Pollux' artifact: it knows the remaining iterations and measured step times, and gives
 * GPU by GPU.
 */
final class ArtifactOptimus implements ArtifactSimulation.Policy {
    @Override
    public void allocate(long now, List<ArtifactJob> live) {
        int jobs = live.size();
        int free = ArtifactSimulation.SERVERS * ArtifactSimulation.GPUS;
        int[] gpus = new int[jobs];
        double[] gain = new double[jobs];
        for (int i = 0; i < jobs && free > 0; i++) {
            gpus[i] = 1;
            free--;
            gain[i] = gain(live.get(i), 1, free);
        }
        while (free > 0) {
            int best = 0;
            for (int i = 1; i < jobs; i++) {
                best = gain[i] > gain[best] ? i : best;
            }
            if (gain[best] <= 0) {
                break;
            }
            gpus[best]++;
            // As there, the GPU is still counted as free for this gain.
            gain[best] = gain(live.get(best), gpus[best], free);
            free--;
        }
        for (int i = 0; i < jobs; i++) {
            if (Arrays.stream(live.get(i).allocation).sum() != gpus[i]) {
                live.get(i).allocation = new int[0];
            }
        }
        ArtifactPlacement placement = new ArtifactPlacement(live);
        IntStream.range(0, jobs)
                .boxed()
                .sorted(Comparator.comparingInt(i -> gpus[i]))
                .filter(i -> live.get(i).allocation.length == 0)
                .forEach(i -> placement.place(live.get(i), gpus[i]));
    }

    private static double gain(ArtifactJob job, int gpus, int free) {
        int most = job.application.name.equals("ncf") ? 1 : job.fixedBatch / job.application.limits.leastLocal();
        return gpus + 1 > most || free < 1 ? 0 : (seconds(job, gpus) - seconds(job, gpus + 1)) * remaining(job);
    }

    private static double remaining(ArtifactJob job) {
        int last = job.application.epochs - 1;
        return last <= job.epoch
                ? 1
                : job.application.iterations(job.fixedBatch, last)
                        - job.application.iterations(job.fixedBatch, job.epoch);
    }

    /** Time of one iteration on full servers. */
    private static double seconds(ArtifactJob job, int gpus) {
        int[] placement = IntStream.range(0, (gpus + ArtifactSimulation.GPUS - 1) / ArtifactSimulation.GPUS)
                .map(server -> Math.min(ArtifactSimulation.GPUS, gpus - server * ArtifactSimulation.GPUS))
                .toArray();
        int[] split = ArtifactJob.split(job.application, job.fixedBatch, gpus, true);
        int local = Math.min(split[0], job.application.limits.most() / (gpus * (split[1] + 1)));
        MeasuredApplication.StepTime time = job.application.stepTime(placement, local);
        return time.step() + (time.step() - time.sync()) * split[1];
    }
}
