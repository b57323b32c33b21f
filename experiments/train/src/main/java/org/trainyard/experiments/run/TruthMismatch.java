package org.trainyard.experiments.run;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.commons.statistics.ranking.NaturalRanking;
import org.trainyard.env.Counted;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.interference.data.Scope;

/**
 * The difference between a believed and a true interference model, for every pair of models of the catalogue, in the
 * scopes that the jobs of an experiment can share.
 *
 * @param scopes the difference in each scope
 * @param all the difference over the places of all these scopes
 */
public record TruthMismatch(Map<Scope, Difference> scopes, Difference all) {
    /** The scopes that two jobs on one server share at most, each alone where that is possible. */
    public static final Set<Scope> ALL = Set.of(Scope.SERVER, Scope.SOCKET, Scope.NIC, Scope.GPU);

    private static final int USUAL_GPUS = 8;

    /**
     * The difference of the slowdowns at some places.
     *
     * @param places number of co-locations: every victim beside every neighbour
     * @param rmse root mean squared difference of the slowdowns
     * @param rankCorrelation Spearman's rank correlation of the slowdowns; 0 where either model gives one slowdown for
     *     all places
     * @param bias mean of believed minus true slowdown
     */
    public record Difference(int places, double rmse, double rankCorrelation, double bias) {
        private static Difference of(List<Double> believed, List<Double> real) {
            double squares = 0;
            double sum = 0;
            for (int i = 0; i < real.size(); i++) {
                double error = believed.get(i) - real.get(i);
                squares += error * error;
                sum += error;
            }
            int places = real.size();
            return new Difference(places, Math.sqrt(squares / places), correlation(believed, real), sum / places);
        }
    }

    public TruthMismatch {
        scopes = Map.copyOf(scopes);
    }

    /**
     * The scopes that two of these jobs can share: a server and its sockets with room for two jobs, network cards of
     * several servers when two jobs can span servers, a GPU when a job asks for a part of one.
     *
     * @param contended whether a model of contention, and not the interference, slows jobs that share a network card
     */
    public static Set<Scope> shared(Topology topology, List<TraceJob> jobs, boolean contended) {
        Set<Scope> shared = new TreeSet<>();
        for (int i = 0; i < topology.servers(); i++) {
            ServerSpec server = topology.server(i);
            if (server.gpus() > 1 && server.sockets() > 1) {
                shared.add(Scope.SERVER);
            }
            if (server.gpus() / server.sockets() > 1) {
                shared.add(Scope.SOCKET);
            }
        }
        boolean spans =
                jobs.stream().map(TraceJob::demand).anyMatch(demand -> demand.maxGpus() > 1 && !demand.oneServer());
        if (!contended && topology.servers() > 1 && topology.widestServer() > 1 && spans) {
            shared.add(Scope.NIC);
        }
        if (jobs.stream().anyMatch(job -> job.demand().gpuMilli() < Demand.WHOLE)) {
            shared.add(Scope.GPU);
        }
        return shared;
    }

    /** Compares the two on the built-in catalogue: each job holds half of a server of 8 GPUs. */
    public static TruthMismatch between(InterferenceModel belief, InterferenceModel truth, Set<Scope> shared) {
        return between(belief, truth, shared, ModelCatalog.standard().profiles());
    }

    /** Compares the two for every pair of some models: each job holds half of a server of 8 GPUs. */
    public static TruthMismatch between(
            InterferenceModel belief, InterferenceModel truth, Set<Scope> shared, List<ModelProfile> models) {
        Map<Scope, Difference> scopes = new EnumMap<>(Scope.class);
        List<Double> allBelieved = new ArrayList<>();
        List<Double> allReal = new ArrayList<>();
        Colocation place = new Colocation();
        for (Scope scope : new TreeSet<>(shared)) {
            List<Double> believed = new ArrayList<>();
            List<Double> real = new ArrayList<>();
            for (ModelProfile victim : models) {
                for (ModelProfile neighbour : models) {
                    place.reset(USUAL_GPUS, USUAL_GPUS / 2, scope == Scope.NIC);
                    place.add(
                            neighbour,
                            USUAL_GPUS / 2,
                            scope == Scope.NIC,
                            scope == Scope.SOCKET || scope == Scope.GPU,
                            scope == Scope.GPU);
                    believed.add(belief.slowdown(victim, place));
                    real.add(truth.slowdown(victim, place));
                }
            }
            scopes.put(scope, Difference.of(believed, real));
            allBelieved.addAll(believed);
            allReal.addAll(real);
        }
        return new TruthMismatch(scopes, Difference.of(allBelieved, allReal));
    }

    /** The highest rank correlation of a scope. */
    public double highestRank() {
        return scopes.values().stream()
                .mapToDouble(Difference::rankCorrelation)
                .max()
                .orElse(0);
    }

    private static double correlation(List<Double> a, List<Double> b) {
        double[] x = ranks(a);
        double[] y = ranks(b);
        double mean = (x.length + 1) / 2.0;
        double xy = 0;
        double xx = 0;
        double yy = 0;
        for (int i = 0; i < x.length; i++) {
            xy += (x[i] - mean) * (y[i] - mean);
            xx += (x[i] - mean) * (x[i] - mean);
            yy += (y[i] - mean) * (y[i] - mean);
        }
        return xx == 0 || yy == 0 ? 0 : xy / Math.sqrt(xx * yy);
    }

    private static double[] ranks(List<Double> values) {
        return new NaturalRanking()
                .apply(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    @Override
    public String toString() {
        String ranks = scopes.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(scope -> String.format(
                        Locale.ROOT,
                        "%s %.3f",
                        scope.getKey().label(),
                        scope.getValue().rankCorrelation()))
                .collect(Collectors.joining(", "));
        return Counted.say(
                "slowdowns of %,d pairs of models differ by %.3f (RMSE), on average %+.3f; ranks correlate by %.3f (%s)",
                all.places(), all.rmse(), all.bias(), all.rankCorrelation(), ranks);
    }
}
