package org.trainyard.experiments.run;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.experiments.config.BeliefConfig;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.profiled.Placing;
import org.trainyard.interference.profiled.ProfiledInterference.Sample;

/**
 * Noisy measurements of pairs of jobs on the cluster that is simulated, and nothing else of it: the slowdown of each
 * model beside each model, in each {@link Placing} that jobs can share, the neighbour on 1, 2, 4, ... GPUs of the
 * widest server. What fits them never sees the law by which the simulator slows jobs.
 */
final class ClusterSamples {
    /** A pair that may be measured. */
    private record Cell(ModelProfile victim, ModelProfile neighbour, Placing placing, int gpus) {}

    private final List<List<Cell>> placings = new ArrayList<>();
    private final int serverGpus;

    /**
     * @param models whose pairs may be measured
     * @param scopes that jobs can share
     */
    ClusterSamples(List<ModelProfile> models, Set<Scope> scopes, int serverGpus) {
        this.serverGpus = serverGpus;
        for (Placing placing : placings(scopes)) {
            List<Cell> cells = new ArrayList<>();
            int most = placing == Placing.GPU ? 1 : serverGpus - 1;
            for (int gpus = 1; gpus <= most; gpus *= 2) {
                for (ModelProfile victim : models) {
                    for (ModelProfile neighbour : models) {
                        cells.add(new Cell(victim, neighbour, placing, gpus));
                    }
                }
            }
            placings.add(cells);
        }
    }

    private static Set<Placing> placings(Set<Scope> scopes) {
        Set<Placing> placings = EnumSet.noneOf(Placing.class);
        boolean nic = scopes.contains(Scope.NIC);
        if (scopes.contains(Scope.SERVER)) {
            placings.addAll(nic ? Set.of(Placing.SERVER, Placing.NIC) : Set.of(Placing.SERVER));
        }
        if (scopes.contains(Scope.SOCKET)) {
            placings.addAll(nic ? Set.of(Placing.SOCKET, Placing.SOCKET_AND_NIC) : Set.of(Placing.SOCKET));
        }
        if (scopes.contains(Scope.GPU)) {
            placings.add(Placing.GPU);
        }
        return placings;
    }

    /** How many pairs there are in all placings. */
    int count() {
        return placings.stream().mapToInt(List::size).sum();
    }

    /**
     * Measures at random, one pair of each placing in turn; stream {@code belief samples}.
     *
     * @param cluster slows the jobs that are measured
     * @return at most {@code share} of {@link #count} pairs, none of them twice
     */
    List<Sample> take(InterferenceModel cluster, BeliefConfig.Samples settings, long seed) {
        int allowed = (int) Math.floor(settings.share() * count());
        if (allowed == 0 && count() > 0) {
            throw InputException.at(
                    "belief.share",
                    settings.share(),
                    Counted.say("at least one in the %,d pairs of this cluster", count()));
        }
        RandomGenerator random = RandomStreams.stream(seed, "belief samples");
        List<List<Cell>> left = new ArrayList<>();
        placings.forEach(cells -> left.add(new ArrayList<>(cells)));
        List<Sample> samples = new ArrayList<>();
        while (samples.size() < allowed) {
            for (int i = 0; i < left.size() && samples.size() < allowed; i++) {
                List<Cell> cells = left.get(i);
                if (!cells.isEmpty()) {
                    int at = random.nextInt(cells.size());
                    Cell cell = cells.set(at, cells.get(cells.size() - 1));
                    cells.remove(cells.size() - 1);
                    samples.add(measured(cluster, cell, Math.exp(settings.noise() * random.nextGaussian())));
                }
            }
        }
        return samples;
    }

    private Sample measured(InterferenceModel cluster, Cell cell, double noise) {
        double slowdown =
                cluster.slowdown(cell.victim(), cell.placing().beside(cell.neighbour(), cell.gpus(), serverGpus));
        return new Sample(cell.victim(), cell.neighbour(), cell.placing(), cell.gpus(), slowdown * noise);
    }
}
