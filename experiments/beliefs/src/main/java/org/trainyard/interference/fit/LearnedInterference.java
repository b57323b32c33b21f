package org.trainyard.interference.fit;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.interference.data.ArchitectureResources;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairModel;

/**
 * A fitted predictor as an {@link InterferenceModel}: a table of pairs, each predicted once.
 *
 * <p>The GPU scope counts neighbours on a GPU of the victim's, the socket scope those on a socket of the victim's, the
 * network-card scope pairs in which both jobs span servers. Scopes that the predictor was not fitted on have a slowdown
 * of 1. Neutral, monotone and at least 1; safe for several threads.
 */
public final class LearnedInterference implements InterferenceModel {
    private static final Scope[] SCOPES = {Scope.GPU, Scope.SOCKET, Scope.NIC};

    private final @Nullable PairModel[] models = new PairModel[SCOPES.length];
    private final Domain[] domains = new Domain[SCOPES.length];
    private final Map<String, Victim> victims = new ConcurrentHashMap<>();

    /** The pairs of one victim, by the neighbour's name. */
    private record Victim(ModelProfile profile, Map<String, Beside> neighbours) {}

    /** Slowdowns by scope, in the order of {@link #SCOPES}. */
    private record Beside(ModelProfile profile, double gpu, double socket, double nic) {
        double slowdown(int scope) {
            return scope == 0 ? gpu : scope == 1 ? socket : nic;
        }
    }

    public LearnedInterference(FittedInterference fitted) {
        for (int i = 0; i < SCOPES.length; i++) {
            if (fitted.models().containsKey(SCOPES[i])) {
                domains[i] = fitted.domain(SCOPES[i]);
                models[i] = fitted.model(SCOPES[i]).remembering();
            }
        }
    }

    @Override
    public double slowdown(ModelProfile victim, Colocation place) {
        double product = 1;
        for (int i = 0; i < place.count(); i++) {
            boolean gpu = place.sharesGpu(i);
            boolean socket = place.sharesSocket(i);
            boolean nic = place.victimSpansServers() && place.spansServers(i);
            if (gpu || socket || nic) {
                Beside beside = beside(victim, place.model(i));
                product *= (gpu ? beside.slowdown(0) : 1)
                        * (socket ? beside.slowdown(1) : 1)
                        * (nic ? beside.slowdown(2) : 1);
            }
        }
        return product;
    }

    @SuppressWarnings("ReferenceEquality") // Identity first; equals decides where it fails.
    private Beside beside(ModelProfile victim, ModelProfile neighbour) {
        Victim row = victims.get(victim.name());
        if (row == null) {
            row = victims.computeIfAbsent(victim.name(), name -> new Victim(victim, new ConcurrentHashMap<>()));
        }
        if (row.profile() != victim && !row.profile().equals(victim)) {
            return ask(victim, neighbour);
        }
        Beside beside = row.neighbours().get(neighbour.name());
        if (beside == null) {
            beside = row.neighbours().computeIfAbsent(neighbour.name(), name -> ask(victim, neighbour));
        }
        return beside.profile() == neighbour || beside.profile().equals(neighbour) ? beside : ask(victim, neighbour);
    }

    private Beside ask(ModelProfile victim, ModelProfile neighbour) {
        double[] slowdowns = {1, 1, 1};
        for (int i = 0; i < SCOPES.length; i++) {
            PairModel model = models[i];
            if (model != null) {
                Pair pair = new Pair(type(victim), type(neighbour), domains[i]);
                slowdowns[i] = 1 / model.ratios(List.of(pair))[0];
            }
        }
        return new Beside(neighbour, slowdowns[0], slowdowns[1], slowdowns[2]);
    }

    private static JobType type(ModelProfile profile) {
        return new JobType(
                profile.name(), ArchitectureResources.canonical(profile.name()), ArchitectureResources.of(profile));
    }
}
