package org.trainyard.interference.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.interference.fit.FittedFiles;
import org.trainyard.interference.fit.FittedInterference;
import org.trainyard.interference.fit.LearnedInterference;

/**
 * What the shipped predictor costs as the simulator asks it: one table answer, and 10,000 places of 1 to 3 neighbours.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class InterferenceBenchmark {
    private static final int BATCH = 10_000;
    private static final FittedInterference FITTED = FittedFiles.shipped();
    private final LearnedInterference model = new LearnedInterference(FITTED);
    private final List<ModelProfile> victims = new ArrayList<>();
    private final List<Colocation> places = new ArrayList<>();
    private int next;

    @Setup
    public void draw() {
        List<ModelProfile> profiles = ModelCatalog.standard().profiles();
        RandomGenerator random = RandomStreams.stream(1, "bench");
        for (int i = 0; i < BATCH; i++) {
            victims.add(profiles.get(random.nextInt(profiles.size())));
            Colocation place = new Colocation();
            place.reset(8, 2, true);
            for (int k = random.nextInt(3); k >= 0; k--) {
                place.add(profiles.get(random.nextInt(profiles.size())), 2, true, false, random.nextBoolean());
            }
            places.add(place);
        }
        batch();
    }

    /** One place, all of whose pairs were asked before. */
    @Benchmark
    public double cached() {
        next = (next + 1) % BATCH;
        return model.slowdown(victims.get(next), places.get(next));
    }

    /** 10,000 places, all of whose pairs were asked before. */
    @Benchmark
    public double batch() {
        double sum = 0;
        for (int i = 0; i < BATCH; i++) {
            sum += model.slowdown(victims.get(i), places.get(i));
        }
        return sum;
    }

    /** 10,000 places asked of a model that knows no pair yet. */
    @Benchmark
    public double coldBatch() {
        LearnedInterference fresh = new LearnedInterference(FITTED);
        double sum = 0;
        for (int i = 0; i < BATCH; i++) {
            sum += fresh.slowdown(victims.get(i), places.get(i));
        }
        return sum;
    }
}
