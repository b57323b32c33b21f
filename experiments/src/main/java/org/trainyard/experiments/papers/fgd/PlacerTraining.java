package org.trainyard.experiments.papers.fgd;

import java.util.List;
import java.util.function.Consumer;
import org.trainyard.agents.learned.training.CrossEntropy;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;

/**
 * Training of {@link PotentialPlacer} on draws of pods like those of the FGD paper, with other seeds: what is
 * maximised is the mean of the GPUs allocated at 100 and at 130 % of demand. Generations are compared on draws of a
 * third kind.
 */
public final class PlacerTraining {
    static final double INFLATION = 1.3;
    private static final int FULL = 100;
    private static final int LAST = 130;
    private static final CrossEntropy.Settings SEARCH = new CrossEntropy.Settings(30, 28, 7, 0.4, 0.02);
    private static final int TRAINED = 2;
    private static final int VALIDATED = 6;
    private static final long FIRST_VALIDATION = 5_000;
    private static final long FIRST_TRAINING = 10_000;
    private static final long SEEDS_APART = 1_000;

    private final List<TraceJob> pods;
    private final Topology topology;
    private final PodKinds kinds;

    /** @param pods from which training and validation are drawn */
    public PlacerTraining(OpenbData data, List<TraceJob> pods) {
        this(pods, data.gpuNodes());
    }

    PlacerTraining(List<TraceJob> pods, Topology topology) {
        this.pods = pods;
        this.topology = topology;
        kinds = new PodKinds(pods, pods);
    }

    /** Per cent of the GPUs that are allocated over the demand that has arrived, as in {@link Arrivals}. */
    double[] allocated(double[] weights, long seed) {
        PotentialPlacer placer = new PotentialPlacer(topology, kinds, weights);
        DemandCurve curve = new DemandCurve(LAST, 0);
        double percent = topology.gpus() * Demand.WHOLE / 100.0;
        long arrived = 0;
        long held = 0;
        for (TraceJob pod : Inflation.of(pods, INFLATION * topology.gpus() * Demand.WHOLE, seed)) {
            long milli = Inflation.milli(pod.demand());
            arrived += milli;
            held += placer.take(kinds.of(pod.demand())) == SimView.NONE ? 0 : milli;
            curve.add(arrived / percent, held / percent);
        }
        return curve.values();
    }

    private double mean(double[] weights, long first, int draws) {
        double sum = 0;
        for (int draw = 0; draw < draws; draw++) {
            double[] curve = allocated(weights, first + draw);
            sum += curve[FULL] + curve[LAST];
        }
        return sum / draws / 2;
    }

    /** On validation draws, which are the same for all seeds. */
    double validation(double[] weights) {
        return mean(weights, FIRST_VALIDATION, VALIDATED);
    }

    /** The weights of the generation that is best on validation draws. */
    public double[] run(long seed, Consumer<String> told) {
        long first = FIRST_TRAINING + SEEDS_APART * seed;
        return new CrossEntropy(SEARCH, seed)
                .best(
                        ServerPotential.untrained(),
                        (weights, generation) -> -mean(weights, first + (long) generation * TRAINED, TRAINED),
                        (weights, generation) -> {
                            double percent = validation(weights);
                            told.accept(
                                    generation == 0
                                            ? "untrained %.3f %%".formatted(percent)
                                            : "generation %d: %.3f %%".formatted(generation, percent));
                            return -percent;
                        })
                .weights();
    }
}
