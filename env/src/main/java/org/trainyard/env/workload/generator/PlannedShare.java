package org.trainyard.env.workload.generator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.pipeline.ModelArchitectures;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TrainingPlan;

/**
 * Turns a share of the jobs of a trace into pipelines and jobs of mixed parallelism.
 *
 * <p>Jobs of 2 to {@value TrainingPlan#MOST_GPUS} GPUs are drawn, all runs of a group alike, until they are as many
 * as the share of all jobs; there may be too few. Each gets one of the six models of {@link ModelArchitectures} and
 * a plan: half are planned by DAPPLE, three in ten by SPP, two in ten have mixed parallelism. Durations stay those
 * of the trace, on the ideal placement. The proportions are our own.
 */
public final class PlannedShare {
    private static final List<String> PLANS = List.of(
            "pipeline:dapple",
            "pipeline:dapple",
            "pipeline:dapple",
            "pipeline:dapple",
            "pipeline:dapple",
            "pipeline:spp",
            "pipeline:spp",
            "pipeline:spp",
            "mixed:sbp",
            "mixed:sbp");

    private PlannedShare() {}

    /** @param share of all jobs, 0..1 */
    public static List<TraceJob> of(List<TraceJob> jobs, double share, long seed) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("share (%s) must be 0 to 1".formatted(share));
        }
        long wide = jobs.stream().filter(PlannedShare::isWide).count();
        double chance = wide == 0 ? 0 : Math.min(1, share * jobs.size() / wide);
        Map<String, TrainingPlan> plans = new HashMap<>();
        List<TraceJob> mixed = new ArrayList<>(jobs.size());
        for (TraceJob job : jobs) {
            String who = job.group() == null ? "job " + job.id() : "group " + job.group();
            TrainingPlan plan = isWide(job) ? plans.computeIfAbsent(who, key -> drawn(key, chance, seed)) : job.plan();
            mixed.add(plan instanceof TrainingPlan.Planned ? job.parallel(plan) : job);
        }
        return mixed;
    }

    private static boolean isWide(TraceJob job) {
        return job.gpus() > 1
                && job.gpus() <= TrainingPlan.MOST_GPUS
                && !job.demand().isElastic();
    }

    private static TrainingPlan drawn(String who, double chance, long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "plan of " + who);
        if (random.nextDouble() >= chance) {
            return TrainingPlan.RingAllReduce.INSTANCE;
        }
        List<String> models = ModelArchitectures.names();
        String model = models.get(random.nextInt(models.size()));
        String plan = PLANS.get(random.nextInt(PLANS.size()));
        return Objects.requireNonNull(TrainingPlan.parse(plan, model));
    }
}
