package org.trainyard.experiments.stress;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.distributed.ThreadWorkerPool;

/**
 * An evolution strategy over {@link ShuffledWorkload shuffled workloads}: the workload on which a scheduler is worst,
 * among those that the generator could have drawn.
 *
 * <p>The first generation are {@value #RANDOM} generated workloads. The {@value #LINEAGES} hardest found lineages; in
 * every further generation each of {@value #CHILDREN} children is a mutation of the hardest lineage or of a random one,
 * and takes its parent's place when it is harder. Lineages share no jobs, so that the pool is as diverse as its seeds.
 * No workload overloads the cluster more than the generated one with the same jobs: a mutation whose
 * {@link WorkloadShape#peakBacklogHours peak backlog} is greater is drawn again. Every generation draws from a stream
 * of its own, so a search that is resumed goes on as if it had not stopped, on any number of threads.
 */
public final class StressSearch {
    /** Workloads of the first generation. */
    public static final int RANDOM = 32;

    /** Workloads that the search keeps. */
    public static final int LINEAGES = 8;

    /** Workloads of a further generation. */
    public static final int CHILDREN = 16;

    private static final int ATTEMPTS = 50;

    /** A workload with its hardness. */
    record Found(ShuffledWorkload workload, double hardness) {}

    private final StressTrial trial;
    private final LongFunction<List<TraceJob>> generator;
    private final int gpus;
    private final long seed;
    private final Map<Long, List<TraceJob>> generated = new HashMap<>();
    /** Hardness of the first generation. */
    private final List<Double> random = new ArrayList<>();
    /** The hardest first. */
    private final List<Found> lineages = new ArrayList<>();

    private int generations;

    /**
     * A search before its first generation.
     *
     * @param generator from a seed to its jobs, sorted by submission
     * @param gpus of the cluster
     */
    public StressSearch(StressTrial trial, LongFunction<List<TraceJob>> generator, int gpus, long seed) {
        this.trial = trial;
        this.generator = generator;
        this.gpus = gpus;
        this.seed = seed;
    }

    /** Workloads tried so far. */
    public int evaluations() {
        return generations == 0 ? 0 : RANDOM + (generations - 1) * CHILDREN;
    }

    /** Tries the workloads of one generation. */
    public void advance(ThreadWorkerPool workers) {
        if (generations == 0) {
            draw(workers);
        } else {
            evolve(workers);
        }
        lineages.sort(Comparator.comparingDouble(Found::hardness).reversed());
        generations++;
    }

    private void draw(ThreadWorkerPool workers) {
        List<ShuffledWorkload> drawn = new ArrayList<>();
        for (int i = 0; i < RANDOM; i++) {
            long workload = RandomStreams.derive(seed, "workload/" + i);
            drawn.add(ShuffledWorkload.generated(workload, generated(workload)));
        }
        random.addAll(hardness(drawn, workers));
        List<Found> found = new ArrayList<>();
        for (int i = 0; i < RANDOM; i++) {
            found.add(new Found(drawn.get(i), random.get(i)));
        }
        found.sort(Comparator.comparingDouble(Found::hardness).reversed());
        lineages.addAll(found.subList(0, LINEAGES));
    }

    private void evolve(ThreadWorkerPool workers) {
        RandomGenerator stream = RandomStreams.stream(seed, "generation/" + generations);
        List<ShuffledWorkload> children = new ArrayList<>();
        int[] parents = new int[CHILDREN];
        for (int i = 0; i < CHILDREN; i++) {
            parents[i] = stream.nextBoolean() ? 0 : stream.nextInt(LINEAGES);
            children.add(child(lineages.get(parents[i]).workload(), stream));
        }
        List<Double> hardness = hardness(children, workers);
        for (int i = 0; i < CHILDREN; i++) {
            if (hardness.get(i) > lineages.get(parents[i]).hardness()) {
                lineages.set(parents[i], new Found(children.get(i), hardness.get(i)));
            }
        }
    }

    /** A mutation that overloads the cluster no more than the generated workload; the parent itself when many do. */
    private ShuffledWorkload child(ShuffledWorkload parent, RandomGenerator stream) {
        double most = WorkloadShape.peakBacklogHours(generated(parent.seed()), gpus);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            ShuffledWorkload child = parent.mutated(stream);
            if (WorkloadShape.peakBacklogHours(jobs(child), gpus) <= most) {
                return child;
            }
        }
        return parent;
    }

    private List<Double> hardness(List<ShuffledWorkload> workloads, ThreadWorkerPool workers) {
        List<List<TraceJob>> jobs = workloads.stream().map(this::jobs).toList();
        return workers.map(jobs.size(), i -> trial.hardness(jobs.get(i)));
    }

    private List<TraceJob> generated(long workload) {
        return generated.computeIfAbsent(workload, generator::apply);
    }

    List<TraceJob> jobs(ShuffledWorkload workload) {
        return workload.jobs(generated(workload.seed()));
    }

    /** Hardness of the random workloads. */
    public List<Double> random() {
        return List.copyOf(random);
    }

    /** Mean hardness of the random workloads. */
    public double randomMean() {
        return random.stream().mapToDouble(value -> value).average().orElse(Double.NaN);
    }

    /** Mean shape of the random workloads. */
    WorkloadShape randomShape() {
        List<WorkloadShape> shapes = new ArrayList<>();
        for (int i = 0; i < random.size(); i++) {
            shapes.add(WorkloadShape.of(generated(RandomStreams.derive(seed, "workload/" + i)), gpus));
        }
        return WorkloadShape.mean(shapes);
    }

    /** The shape of the generated workload whose jobs the hardest one has in another order. */
    WorkloadShape unshuffledShape() {
        return WorkloadShape.of(generated(lineages.get(0).workload().seed()), gpus);
    }

    WorkloadShape hardestShape() {
        return WorkloadShape.of(pool().get(0), gpus);
    }

    /** Hardness of the workloads kept, the greatest first. */
    public List<Double> hardness() {
        return lineages.stream().map(Found::hardness).toList();
    }

    /** The workloads kept, the hardest first. */
    public List<List<TraceJob>> pool() {
        return lineages.stream().map(found -> jobs(found.workload())).toList();
    }

    StressTrial trial() {
        return trial;
    }

    /** State of the search, from which the next generation follows. */
    StressState state() {
        return new StressState(generations, random, lineages);
    }

    /** Continues from the state of a search with equal arguments. */
    void restore(StressState state) {
        generations = state.generations();
        random.clear();
        random.addAll(state.random());
        lineages.clear();
        lineages.addAll(state.lineages());
    }
}
