package org.trainyard.interference.profiling;

import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;

/**
 * A learned predictor of slowdown: {@code exp(sum over scopes of beta x feature)} on the features of {@link PressureFeatures}.
 *
 * <p>No beta is negative, so it is neutral, monotone and never below 1 by construction. Pressures multiply here, where those of
 * {@code AnalyticInterference} add up: it is not the physics of the simulator in another coat, and cannot fit it
 * perfectly. Stateless
 * and without allocation.
 *
 * @param socket beta of the socket, finite and not negative
 * @param pcie beta of the PCIe tree
 * @param nic beta of the network card
 */
public record PressureModel(double socket, double pcie, double nic) implements InterferenceModel {
    public PressureModel {
        if (!isBeta(socket) || !isBeta(pcie) || !isBeta(nic)) {
            throw new IllegalArgumentException(
                    "betas (socket %s, pcie %s, nic %s) must be finite and not negative".formatted(socket, pcie, nic));
        }
    }

    private static boolean isBeta(double value) {
        return value >= 0 && !Double.isInfinite(value);
    }

    /** The model that ships with the project, fitted by its own code on co-locations measured in the simulator. */
    public static PressureModel shipped() {
        return PressureFile.shipped().model();
    }

    @Override
    public double slowdown(ModelProfile victim, Colocation place) {
        return Math.exp(socket * PressureFeatures.socket(victim, place)
                + pcie * PressureFeatures.pcie(victim, place)
                + nic * PressureFeatures.nic(victim, place));
    }
}
