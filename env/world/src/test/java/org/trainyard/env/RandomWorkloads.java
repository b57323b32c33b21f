package org.trainyard.env;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;

/** Small random workloads for property tests. */
public final class RandomWorkloads {
    private static final int[] DEMANDS = {1, 1, 1, 2, 2, 3, 4, 4, 6, 8, 12, 20};

    private RandomWorkloads() {}

    /** A model with random pressures. */
    public static ModelProfile model(RandomGenerator random) {
        return new ModelProfile(
                "model" + random.nextInt(1000),
                0.05 + random.nextDouble(),
                random.nextDouble() * 1e9,
                1L << 30,
                new Pressure(random.nextDouble(), random.nextDouble(), random.nextDouble()),
                new Pressure(random.nextDouble(), random.nextDouble(), random.nextDouble()));
    }

    /** {@code jobs} jobs of at most {@code maxGpus} GPUs, a minute to some hours long, arriving in bursts. */
    public static Workload of(long seed, int jobs, int maxGpus) {
        return of(seed, jobs, maxGpus, RandomWorkloads::model);
    }

    /** The same of a few models that come again and again. */
    public static Workload ofFewModels(long seed, int jobs, int maxGpus) {
        RandomGenerator models = RandomStreams.stream(0, "test/models");
        List<ModelProfile> few = Stream.generate(() -> model(models)).limit(3).toList();
        return of(seed, jobs, maxGpus, random -> few.get(random.nextInt(few.size())));
    }

    private static Workload of(long seed, int jobs, int maxGpus, Function<RandomGenerator, ModelProfile> models) {
        RandomGenerator random = RandomStreams.stream(seed, "test/workload");
        List<JobSpec> specs = new ArrayList<>();
        double[] iterations = new double[jobs];
        long submit = 0;
        for (int i = 0; i < jobs; i++) {
            submit += random.nextInt(3) == 0 ? 0 : random.nextLong(1_200_000_000_000L);
            int gpus = Math.min(maxGpus, DEMANDS[random.nextInt(DEMANDS.length)]);
            ModelProfile model = models.apply(random);
            double ideal = 1 / model.computeSeconds();
            String user = "user" + random.nextInt(3);
            specs.add(new JobSpec(i, "job" + i, submit, gpus, model, ideal).by(user, null, null));
            iterations[i] = ideal * (60 + random.nextDouble() * random.nextInt(20_000));
        }
        return new Workload(specs, iterations);
    }
}
