package org.trainyard.env.performance;

import static org.trainyard.env.InvalidFieldException.atLeast;

import org.trainyard.env.workload.ModelProfile;

/**
 * Slowdown linear in the neighbours' pressure: {@code 1 + sum over scopes of weight x sensitivity x sum over neighbours
 * of pressure x share}.
 *
 * <p>A neighbour's share of a scope is the part of the server's GPUs it holds; the socket scope counts only neighbours
 * on one of the victim's sockets, the NIC scope only pairs of jobs that both span servers (with a share of 1, because
 * one ring fills a NIC), the GPU scope only neighbours on one of the victim's GPUs (with a share of 1, because jobs
 * take turns). The form is ours; its weights put two average jobs on one server at a slowdown of about 1.1 to 1.4, the
 * range of the published measurements of network co-location (DeepShare's 36 x 36 matrix: mean throughput ratio 0.79).
 *
 * @param socketWeight weight of pressure inside a socket
 * @param pcieWeight weight of pressure on the server's PCIe tree
 * @param nicWeight weight of pressure on the server's network card
 * @param gpuWeight weight of pressure on a GPU that is shared; at 1, two jobs that use it all the time run at half
 *     speed
 */
public record AnalyticInterference(double socketWeight, double pcieWeight, double nicWeight, double gpuWeight)
        implements InterferenceModel {
    public static final AnalyticInterference DEFAULT = new AnalyticInterference(0.6, 1.0, 0.8, 1.0);

    public AnalyticInterference {
        atLeast(0, "socketWeight", socketWeight);
        atLeast(0, "pcieWeight", pcieWeight);
        atLeast(0, "nicWeight", nicWeight);
        atLeast(0, "gpuWeight", gpuWeight);
    }

    @Override
    public double slowdown(ModelProfile victim, Colocation place) {
        double socket = 0;
        double pcie = 0;
        double nic = 0;
        double gpu = 0;
        for (int i = 0; i < place.count(); i++) {
            ModelProfile neighbour = place.model(i);
            double share = (double) place.gpus(i) / place.serverGpus();
            pcie += neighbour.pressure().pcie() * share;
            if (place.sharesSocket(i)) {
                socket += neighbour.pressure().socket() * share;
            }
            if (place.sharesGpu(i)) {
                gpu += neighbour.pressure().gpu();
            }
            if (place.victimSpansServers() && place.spansServers(i)) {
                nic += neighbour.pressure().nic();
            }
        }
        return 1
                + socketWeight * victim.sensitivity().socket() * socket
                + pcieWeight * victim.sensitivity().pcie() * pcie
                + nicWeight * victim.sensitivity().nic() * nic
                + gpuWeight * victim.sensitivity().gpu() * gpu;
    }
}
