package org.trainyard.interference.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.trainyard.env.RandomStreams;
import org.trainyard.interference.data.ArchitectureResources;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.fit.ModelKind;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairModel;

/** What each kind of model costs uncached: 10,000 random pairs of 36 types, as many as DeepShare's, trained on all of their rows. One thread. */
@State(org.openjdk.jmh.annotations.Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@org.openjdk.jmh.annotations.Measurement(iterations = 5, time = 1)
public class PairModelBenchmark {
    private static final int BATCH = 10_000;
    private static final String[] ARCHITECTURES = {"resnet50", "bert", "lstm", "dlrm", "vgg16", "gpt2"};

    @Param({"PROCESS", "PRESSURE", "FOREST"})
    public ModelKind kind = ModelKind.PROCESS;

    private final List<Pair> pairs = new ArrayList<>();
    private PairModel model = asked -> new double[0];

    @Setup
    public void train() {
        List<JobType> types = new ArrayList<>();
        for (String architecture : ARCHITECTURES) {
            for (int shape = 0; shape < 6; shape++) {
                Map<Trait, Double> traits = new EnumMap<>(Trait.class);
                traits.put(Trait.GPUS, 1.0 + shape % 3);
                traits.put(Trait.SERVERS, shape < 3 ? 1.0 : 2.0);
                types.add(new JobType(architecture + "," + shape, architecture, traits)
                        .with(ArchitectureResources.of(architecture)));
            }
        }
        RandomGenerator random = RandomStreams.stream(1, "bench");
        List<Measurement> rows = new ArrayList<>();
        for (JobType victim : types) {
            for (JobType neighbour : types) {
                double slowdown =
                        1 + victim.trait(Trait.NIC_LOAD) * neighbour.trait(Trait.NIC_LOAD) * random.nextDouble();
                rows.add(new Measurement(victim, neighbour, Scope.NIC, "bench", slowdown, "bench", 1, slowdown == 1));
            }
        }
        for (int i = 0; i < BATCH; i++) {
            Measurement row = rows.get(random.nextInt(rows.size()));
            pairs.add(Pair.of(row));
        }
        model = kind.trainer().train(rows, 1);
    }

    /** All pairs at once. */
    @Benchmark
    public double[] batch() {
        return model.ratios(pairs);
    }
}
