package org.trainyard.experiments.papers.pollux;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trainyard.env.workload.goodput.GoodputModel;

/**
 * A learned elastic policy in the physics of Pollux' artifact: every round each GPU goes to the step of the job with
 * the highest score, linear in the columns of {@link ElasticJob} beside the speed gained for each GPU.
 */
final class ArtifactElastic implements ArtifactSimulation.Policy {
    /** The resource of its learned weights. */
    static final String WEIGHTS = "elastic.json";

    private final double[] weights;
    private final boolean learnsFromFinished;
    /** Of finished jobs by application, which it learns as they finish. */
    private final Map<String, ElasticJob.Finished> finished = new HashMap<>();
    /** Live jobs with the first goodput that each had fitted. */
    private final Map<ArtifactJob, Optional<GoodputModel>> seen = new LinkedHashMap<>();

    /** @param learnsFromFinished whether finished jobs say what others of their application will need */
    ArtifactElastic(double[] weights, boolean learnsFromFinished) {
        if (weights.length != ElasticJob.COLUMNS.length) {
            throw new IllegalArgumentException(
                    "%d weights for %d columns".formatted(weights.length, ElasticJob.COLUMNS.length));
        }
        this.weights = weights.clone();
        this.learnsFromFinished = learnsFromFinished;
    }

    /** The weights before training: GPUs go where they gain the most speed, and growth repays its restart. */
    static double[] untrained() {
        return new double[ElasticJob.COLUMNS.length];
    }

    @Override
    public void allocate(long now, List<ArtifactJob> live) {
        if (learnsFromFinished) {
            learn();
        }
        List<ElasticJob> jobs = new ArrayList<>();
        for (ArtifactJob job : live) {
            if (seen.getOrDefault(job, Optional.empty()).isEmpty()) {
                seen.put(job, Optional.ofNullable(job.goodput()));
            }
            jobs.add(new ElasticJob(job, now, finished.get(job.application.name)));
        }
        share(jobs);
        ElasticPlacement placement = new ElasticPlacement();
        List<ElasticJob> moved = new ArrayList<>();
        for (ElasticJob job : jobs) {
            if (job.gpusNow > 0 && ElasticJob.gpus(job.size) == job.gpusNow) {
                placement.keep(job.job);
            } else {
                moved.add(job);
            }
        }
        moved.sort(Comparator.comparingInt(job -> -job.size));
        moved.forEach(placement::place);
    }

    /** Of jobs that have finished since: the one of an application that ran on the most GPUs says most. */
    private void learn() {
        seen.entrySet().removeIf(entry -> {
            ArtifactJob job = entry.getKey();
            if (job.completed < 0) {
                return false;
            }
            GoodputModel last = job.goodput();
            GoodputModel goodput = last == null || entry.getValue().isEmpty()
                    ? null
                    : new GoodputModel(last.throughput(), entry.getValue().get().noise(), last.limits());
            ElasticJob.Finished now =
                    new ElasticJob.Finished(job.progress(), job.attained, job.mostMeasuredGpus(), goodput);
            finished.merge(job.application.name, now, (old, other) -> other.mostGpus() >= old.mostGpus() ? other : old);
            return true;
        });
    }

    private void share(List<ElasticJob> jobs) {
        int free = ArtifactSimulation.SERVERS * ArtifactSimulation.GPUS;
        while (free > 0) {
            ElasticJob best = null;
            int size = -1;
            double most = Double.NEGATIVE_INFINITY;
            for (ElasticJob job : jobs) {
                int next = job.next(free);
                double score = next < 0 ? Double.NEGATIVE_INFINITY : job.score(next, weights);
                if (score > most) {
                    best = job;
                    size = next;
                    most = score;
                }
            }
            if (best == null) {
                break;
            }
            free -= ElasticJob.gpus(size) - ElasticJob.gpus(best.size);
            best.size = size;
        }
        keepWhatNeedNotMove(jobs, free);
    }

    /** Jobs stay as they are where growth does not pay, or where nobody needs what they would give. */
    private void keepWhatNeedNotMove(List<ElasticJob> jobs, int freeGpus) {
        int free = freeGpus;
        for (ElasticJob job : jobs) {
            int wanted = ElasticJob.gpus(job.size);
            if (job.gpusNow > 0 && wanted > job.gpusNow && !job.paysBack(weights)) {
                free += wanted - job.gpusNow;
                job.keep();
            }
        }
        for (ElasticJob job : jobs) {
            int given = job.gpusNow - ElasticJob.gpus(job.size);
            if (given > 0 && given <= free) {
                free -= given;
                job.keep();
            }
        }
    }
}
