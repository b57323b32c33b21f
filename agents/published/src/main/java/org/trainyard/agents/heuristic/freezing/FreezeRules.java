package org.trainyard.agents.heuristic.freezing;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.freezing.AutoFreeze;
import org.trainyard.env.workload.freezing.Egeria;
import org.trainyard.env.workload.freezing.FreezableNetwork;
import org.trainyard.env.workload.freezing.FreezingProfile;
import org.trainyard.env.workload.freezing.PipeTransformerSchedule;

/** The freeze rules that can stand beside any scheduler, by name: {@code freeze=autofreeze:fifo} and so on. */
public final class FreezeRules {
    /** How the names of schedulers with a freeze rule begin. */
    public static final String PREFIX = "freeze=";

    private record Row(String description, Function<Topology, FreezeRule> rule) {}

    private static final Map<String, Row> ROWS = new LinkedHashMap<>();

    static {
        ROWS.put(
                "pipetransformer",
                new Row(
                        "freezes a third of the active layers after each epoch (PipeTransformer)",
                        on -> EpochSchedule.PUBLISHED));
        ROWS.put(
                "epochs",
                new Row(
                        "freezes one part in as many as there are epochs of the active layers after each epoch",
                        on -> EpochSchedule.BY_EPOCHS));
        ROWS.put(
                "autofreeze",
                new Row(
                        "freezes layers before the first whose gradients change much (AutoFreeze)",
                        on -> new GradientChanges()));
        ROWS.put(
                "egeria",
                new Row(
                        "freezes the first active layer when its plasticity is stationary (Egeria)",
                        on -> new PlasticityWatch()));
        ROWS.put(
                "progress",
                new Row(
                        "freezes the layers with the largest effective progress (IceFrog's knob alone)",
                        on -> new EffectiveGoodput(on, true)));
    }

    private FreezeRules() {}

    /** The names of the rules. */
    public static List<String> names() {
        return List.copyOf(ROWS.keySet());
    }

    public static String description(String rule) {
        return row(rule).description();
    }

    public static Scheduler beside(String rule, Topology topology, Scheduler placing) {
        return new FreezingScheduler(placing, row(rule).rule().apply(topology));
    }

    private static Row row(String rule) {
        Row row = ROWS.get(rule);
        if (row == null) {
            throw InputException.at("scheduler, freeze rule", rule, "one of " + String.join(", ", names()));
        }
        return row;
    }

    /** {@link PipeTransformerSchedule} by the epochs that a job has completed. */
    private static final class EpochSchedule implements FreezeRule {
        /** The conservative alpha of the paper. */
        static final FreezeRule PUBLISHED = new EpochSchedule(network -> 1.0 / 3);
        /** An alpha of one over the number of epochs, as in the training scripts of IceFrog's author. */
        static final FreezeRule BY_EPOCHS = new EpochSchedule(network -> 1.0 / Math.max(2, network.epochs()));

        private final ToDoubleFunction<FreezableNetwork> alpha;

        private EpochSchedule(ToDoubleFunction<FreezableNetwork> alpha) {
            this.alpha = alpha;
        }

        @Override
        public double layers(SimView view, int job, FreezingProfile freezing) {
            FreezableNetwork network = freezing.network();
            return new PipeTransformerSchedule(alpha.applyAsDouble(network))
                    .layers(network.shares().layers(), (int) (view.trainedShare(job) * network.epochs()));
        }
    }

    /**
     * {@link Egeria} with one evaluation in each hundredth of the training of a job.
     *
     * <p>Our reading: (1) its layers are the blocks that can be frozen; (2) the plasticity of a block is its gradient
     * energy, for nothing is known of activations.
     */
    private static final class PlasticityWatch implements FreezeRule {
        private static final int EVALUATIONS = 100;

        private final Map<Integer, Egeria> rules = new HashMap<>();
        private final Map<Integer, Integer> evaluated = new HashMap<>();

        @Override
        public double layers(SimView view, int job, FreezingProfile freezing) {
            FreezableNetwork network = freezing.network();
            Egeria rule = rules.computeIfAbsent(job, key -> new Egeria());
            int now = (int) (view.trainedShare(job) * EVALUATIONS);
            for (int i = evaluated.getOrDefault(job, 0) + 1; i <= now; i++) {
                double at = (double) i / EVALUATIONS;
                if (freezing.dropsBetween((i - 1.0) / EVALUATIONS, at)) {
                    rule.rateDropped();
                }
                rule.evaluate(
                        network.blockEnergy(rule.layers(), at), network.shares().blocks());
                evaluated.put(job, i);
            }
            return rule.layers() * network.shares().blockLayers();
        }
    }

    /**
     * {@link AutoFreeze} on the gradients that a job would measure, twenty times in its training.
     *
     * <p>Our reading: (1) its layers are the blocks that can be frozen, and the rest of the network is one more; (2)
     * the norm of a block is the integral of the root of its gradient energy since the beginning of the training. With
     * norms of one interval alone, as in one implementation, no block of our reconstructed energies would ever be
     * frozen: those of an active block stay the same.
     */
    private static final class GradientChanges implements FreezeRule {
        static final int INTERVALS = 20;

        private final Map<Integer, Integer> evaluated = new HashMap<>();
        private final Map<Integer, Integer> blocks = new HashMap<>();

        @Override
        public double layers(SimView view, int job, FreezingProfile freezing) {
            int now = (int) (view.trainedShare(job) * INTERVALS);
            int frozen = blocks.getOrDefault(job, 0);
            for (int interval = evaluated.getOrDefault(job, 1) + 1; interval <= now; interval++) {
                frozen = Math.min(
                        freezing.network().shares().blocks(),
                        AutoFreeze.DEFAULT.layers(frozen, norms(freezing, interval - 1), norms(freezing, interval)));
                evaluated.put(job, interval);
            }
            blocks.put(job, frozen);
            return frozen * freezing.network().shares().blockLayers();
        }

        private static double[] norms(FreezingProfile freezing, int intervals) {
            double[] norms = new double[freezing.network().shares().blocks() + 1];
            int stages = freezing.stages() * intervals / INTERVALS;
            for (int stage = 0; stage < stages; stage++) {
                for (int block = 0; block < norms.length; block++) {
                    norms[block] += Math.sqrt(freezing.network().blockEnergy(block, (stage + 0.5) / freezing.stages()));
                }
            }
            return norms;
        }
    }
}
