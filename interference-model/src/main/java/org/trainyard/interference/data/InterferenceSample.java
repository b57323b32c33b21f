package org.trainyard.interference.data;

import java.util.List;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.workload.ModelProfile;

/**
 * One measured co-location: the jobs that shared a server with the victim, and the victim's slowdown.
 *
 * @param victimSpansServers whether the victim also has GPUs on other servers
 * @param slowdown rate alone on the same placement over the rate measured, above zero; noise may put it below 1
 */
public record InterferenceSample(
        ModelProfile victim,
        int serverGpus,
        int victimGpus,
        boolean victimSpansServers,
        List<Neighbour> neighbours,
        double slowdown) {

    /**
     * A job on the victim's server.
     *
     * @param gpus GPUs it holds on this server
     * @param spansServers whether it also has GPUs on other servers
     * @param sharesSocket whether it has a GPU on a socket where the victim has one
     */
    public record Neighbour(ModelProfile model, int gpus, boolean spansServers, boolean sharesSocket) {}

    public InterferenceSample {
        if (!(slowdown > 0) || Double.isInfinite(slowdown)) {
            throw new IllegalArgumentException("slowdown (%s) must be finite and above zero".formatted(slowdown));
        }
        neighbours = List.copyOf(neighbours);
        int used = victimGpus;
        for (Neighbour neighbour : neighbours) {
            used += neighbour.gpus();
        }
        if (victimGpus < 1 || used > serverGpus) {
            throw new IllegalArgumentException("(%d) GPUs of the victim and (%d) in all do not go on a server of (%d)"
                    .formatted(victimGpus, used, serverGpus));
        }
    }

    /** Writes the co-location into a row for an interference model. */
    public void fill(Colocation row) {
        row.reset(serverGpus, victimGpus, victimSpansServers);
        for (Neighbour neighbour : neighbours) {
            row.add(neighbour.model(), neighbour.gpus(), neighbour.spansServers(), neighbour.sharesSocket());
        }
    }
}
