package org.trainyard.interference.profiled;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.interference.data.ArchitectureResources;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairModel;
import org.trainyard.interference.trainers.GaussianProcessTrainer;

/**
 * Slowdowns of a cluster's own pairs of jobs, predicted by a Gaussian process that was fitted to some of them: the kind
 * of {@link Placing} stands for its hardware, and the neighbour's GPUs are a trait. One fit of all placings lets each
 * learn from the others.
 *
 * <p>A predictor fitted to pairs that were measured on the cluster itself is that of X. Zhao, C. Wu: Scheduling of
 * distributed training jobs by multi-agent reinforcement learning with graph networks, arXiv 2112.13354; the Gaussian
 * process is ours. Several neighbours multiply. Neutral, monotone and at least 1; safe for several threads. A pair is
 * predicted once, O(models^2); answers are rounded to a millionth, because matrix products differ in their last bits
 * between machines.
 */
public final class ProfiledInterference implements InterferenceModel {
    private static final double DIGITS = 1e-6;

    private final PairModel model;
    private final int serverGpus;
    private final int widest;
    private final Set<Placing> placings = EnumSet.noneOf(Placing.class);
    /** The placing that answers for two jobs, by {@link #shared}. */
    private final @Nullable Placing[] nearest = new Placing[8];

    private final Map<String, Map<String, Beside>> victims = new ConcurrentHashMap<>();

    /** Two models and their slowdowns, by placing and GPUs of the neighbour. */
    private record Beside(ModelProfile victim, ModelProfile neighbour, Map<Placing, double[]> slowdowns) {}

    /**
     * One measured pair.
     *
     * @param gpus of the neighbour, on a server of as many as the fit is told
     * @param slowdown rate alone over rate beside the neighbour, above zero
     */
    public record Sample(ModelProfile victim, ModelProfile neighbour, Placing placing, int gpus, double slowdown) {}

    /**
     * Fits it.
     *
     * @param samples one at least
     * @param serverGpus of the servers on which they were taken; elsewhere the neighbour's part of the server counts
     */
    public static ProfiledInterference fit(List<Sample> samples, int serverGpus, long seed) {
        return new ProfiledInterference(samples, serverGpus, seed);
    }

    private ProfiledInterference(List<Sample> samples, int serverGpus, long seed) {
        this.serverGpus = serverGpus;
        List<Measurement> rows = new ArrayList<>();
        int most = 1;
        for (Sample sample : samples) {
            Pair pair = pair(sample.victim(), sample.neighbour(), sample.placing(), sample.gpus());
            Domain domain = pair.domain();
            rows.add(new Measurement(
                    pair.victim(),
                    pair.neighbour(),
                    domain.scope(),
                    domain.hardware(),
                    sample.slowdown(),
                    "own cluster",
                    1,
                    false));
            placings.add(sample.placing());
            most = Math.max(most, sample.gpus());
        }
        widest = most;
        for (int shared = 0; shared < nearest.length; shared++) {
            nearest[shared] = Placing.of((shared & 4) > 0, (shared & 2) > 0, (shared & 1) > 0, placings);
        }
        model = GaussianProcessTrainer.train(rows, seed).remembering();
    }

    private static Pair pair(ModelProfile victim, ModelProfile neighbour, Placing placing, int gpus) {
        Map<Trait, Double> width = new HashMap<>();
        width.put(Trait.GPUS, Math.log(gpus) / Math.log(2));
        return new Pair(
                type(victim, victim.name(), Map.of()),
                type(neighbour, neighbour.name() + "," + gpus, width),
                new Domain(Scope.SERVER, placing.name()));
    }

    private static JobType type(ModelProfile profile, String label, Map<Trait, Double> traits) {
        return new JobType(label, ArchitectureResources.canonical(profile.name()), traits)
                .with(ArchitectureResources.of(profile));
    }

    @Override
    public double slowdown(ModelProfile victim, Colocation place) {
        double product = 1;
        for (int i = 0; i < place.count(); i++) {
            Placing placing = nearest[shared(place, i)];
            if (placing != null) {
                long alike = Math.round((double) place.gpus(i) * serverGpus / place.serverGpus());
                int gpus = placing == Placing.GPU ? 1 : (int) Math.max(1, Math.min(widest, alike));
                product *= Objects.requireNonNull(
                        beside(victim, place.model(i)).slowdowns().get(placing))[gpus - 1];
            }
        }
        return product;
    }

    private static int shared(Colocation place, int neighbour) {
        boolean nic = place.victimSpansServers() && place.spansServers(neighbour);
        return (place.sharesGpu(neighbour) ? 4 : 0) + (place.sharesSocket(neighbour) ? 2 : 0) + (nic ? 1 : 0);
    }

    @SuppressWarnings("ReferenceEquality") // Identity first; equals decides where it fails.
    private Beside beside(ModelProfile victim, ModelProfile neighbour) {
        Map<String, Beside> row = victims.get(victim.name());
        if (row == null) {
            row = victims.computeIfAbsent(victim.name(), name -> new ConcurrentHashMap<>());
        }
        Beside known = row.get(neighbour.name());
        if (known == null) {
            known = row.computeIfAbsent(neighbour.name(), name -> ask(victim, neighbour));
        }
        boolean isTheirs = (known.victim() == victim || known.victim().equals(victim))
                && (known.neighbour() == neighbour || known.neighbour().equals(neighbour));
        return isTheirs ? known : ask(victim, neighbour);
    }

    private Beside ask(ModelProfile victim, ModelProfile neighbour) {
        Map<Placing, double[]> slowdowns = new EnumMap<>(Placing.class);
        for (Placing placing : placings) {
            double[] byGpus = new double[widest];
            slowdowns.put(placing, byGpus);
            for (int gpus = 1; gpus <= widest; gpus++) {
                double ratio = model.ratios(List.of(pair(victim, neighbour, placing, gpus)))[0];
                byGpus[gpus - 1] = Math.rint(1 / ratio / DIGITS) * DIGITS;
            }
        }
        return new Beside(victim, neighbour, slowdowns);
    }
}
