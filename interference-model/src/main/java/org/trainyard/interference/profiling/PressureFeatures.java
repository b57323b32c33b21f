package org.trainyard.interference.profiling;

import org.trainyard.env.performance.Colocation;
import org.trainyard.env.workload.ModelProfile;

/**
 * What the pressure model sees of a co-location; the fit and the inference both ask here.
 *
 * <p>One feature per scope: how much the victim minds it, times the sum over neighbours of how hard they press times their share of
 * the server's GPUs. The socket counts only neighbours on a socket of the victim's; the network card only pairs in which both span
 * servers, and there the share is 1. Each is 0 without neighbours and never falls when one is added. Allocates nothing.
 */
final class PressureFeatures {
    /** How many there are: socket, PCIe, network card, in this order. */
    static final int COUNT = 3;

    private PressureFeatures() {}

    static double socket(ModelProfile victim, Colocation place) {
        double sum = 0;
        for (int i = 0; i < place.count(); i++) {
            if (place.sharesSocket(i)) {
                sum += place.model(i).pressure().socket() * place.gpus(i);
            }
        }
        return victim.sensitivity().socket() * sum / place.serverGpus();
    }

    static double pcie(ModelProfile victim, Colocation place) {
        double sum = 0;
        for (int i = 0; i < place.count(); i++) {
            sum += place.model(i).pressure().pcie() * place.gpus(i);
        }
        return victim.sensitivity().pcie() * sum / place.serverGpus();
    }

    static double nic(ModelProfile victim, Colocation place) {
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
