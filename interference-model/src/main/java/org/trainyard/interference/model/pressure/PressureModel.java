package org.trainyard.interference.model.pressure;

import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;

/**
 * Slowdown of a co-location from the pressures and sensitivities of the jobs' profiles:
 * {@code exp(sum over scopes of beta x feature)}.
 *
 * <p>The feature of a scope is the victim's sensitivity times the sum over neighbours of their pressure times their
 * share of the server's GPUs. The socket scope counts only neighbours on a socket of the victim's; the network-card
 * scope only pairs in which both jobs span servers, with a share of 1. A feature is 0 without neighbours and never
 * falls when a neighbour is added, and no beta is negative, so the model is neutral, monotone and never below 1.
 * Pressures multiply here where {@code AnalyticInterference} adds them: the model cannot reproduce the simulator's
 * physics exactly. Stateless; allocates nothing.
 *
 * @param socket beta of the socket, finite and not negative
 * @param pcie beta of the PCIe tree
 * @param nic beta of the network card
 */
public record PressureModel(double socket, double pcie, double nic) implements InterferenceModel {
    /** Number of features: socket, PCIe, network card, in this order. */
    public static final int FEATURES = 3;

    public PressureModel {
        if (!isBeta(socket) || !isBeta(pcie) || !isBeta(nic)) {
            throw new IllegalArgumentException(
                    "betas (socket %s, pcie %s, nic %s) must be finite and not negative".formatted(socket, pcie, nic));
        }
    }

    private static boolean isBeta(double value) {
        return value >= 0 && !Double.isInfinite(value);
    }

    @Override
    public double slowdown(ModelProfile victim, Colocation place) {
        return Math.exp(socket * socketFeature(victim, place)
                + pcie * pcieFeature(victim, place)
                + nic * nicFeature(victim, place));
    }

    /** The features of a co-location as a row of a design matrix. */
    public static double[] features(ModelProfile victim, Colocation place) {
        return new double[] {socketFeature(victim, place), pcieFeature(victim, place), nicFeature(victim, place)};
    }

    private static double socketFeature(ModelProfile victim, Colocation place) {
        double sum = 0;
        for (int i = 0; i < place.count(); i++) {
            if (place.sharesSocket(i)) {
                sum += place.model(i).pressure().socket() * place.gpus(i);
            }
        }
        return victim.sensitivity().socket() * sum / place.serverGpus();
    }

    private static double pcieFeature(ModelProfile victim, Colocation place) {
        double sum = 0;
        for (int i = 0; i < place.count(); i++) {
            sum += place.model(i).pressure().pcie() * place.gpus(i);
        }
        return victim.sensitivity().pcie() * sum / place.serverGpus();
    }

    private static double nicFeature(ModelProfile victim, Colocation place) {
        if (!place.victimSpansServers()) {
            return 0;
        }
        double sum = 0;
        for (int i = 0; i < place.count(); i++) {
            if (place.spansServers(i)) {
                sum += place.model(i).pressure().nic();
            }
        }
        return victim.sensitivity().nic() * sum;
    }
}
