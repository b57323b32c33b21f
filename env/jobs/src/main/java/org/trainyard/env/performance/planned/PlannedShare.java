package org.trainyard.env.performance.planned;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.pipeline.ModelArchitectures;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.generator.JobMaker;
import org.trainyard.env.workload.generator.PlannedSettings;

/**
 * Turns a share of the jobs of a trace into pipelines and jobs of mixed parallelism.
 *
 * <p>Jobs of 2 to {@value Planned#MOST_GPUS} GPUs are drawn, all runs of a group alike, until they are as many as the
 * share of all jobs; there may be too few. Each gets one of the six models of {@link ModelArchitectures} and a plan:
 * half are planned by DAPPLE, three in ten by SPP, two in ten have mixed parallelism. Durations stay those of the
 * trace, on the ideal placement. The proportions are our own.
 */
public final class PlannedShare implements JobMaker<PlannedSettings> {
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

    @Override
    public Class<PlannedSettings> settings() {
        return PlannedSettings.class;
    }

    @Override
    public List<TraceJob> make(PlannedSettings settings, Supplier<List<TraceJob>> others, Episode episode) {
        List<TraceJob> jobs = others.get();
        long wide = jobs.stream().filter(PlannedShare::isWide).count();
        double chance = wide == 0 ? 0 : Math.min(1, settings.share() * jobs.size() / wide);
        Map<String, TrainingPlan> plans = new HashMap<>();
        List<TraceJob> mixed = new ArrayList<>(jobs.size());
        for (TraceJob job : jobs) {
            String who = job.group() == null ? "job " + job.id() : "group " + job.group();
            TrainingPlan plan =
                    isWide(job) ? plans.computeIfAbsent(who, key -> drawn(key, chance, episode.seed())) : job.plan();
            mixed.add(plan instanceof Planned ? job.parallel(plan) : job);
        }
        return mixed;
    }

    private static boolean isWide(TraceJob job) {
        return job.gpus() > 1
                && job.gpus() <= Planned.MOST_GPUS
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
