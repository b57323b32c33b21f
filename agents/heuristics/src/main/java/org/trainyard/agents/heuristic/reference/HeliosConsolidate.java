package org.trainyard.agents.heuristic.reference;

import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.CandidateServers;
import org.trainyard.agents.heuristic.placing.GangBuilder;
import org.trainyard.env.InputException;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * The placement {@code consolidate} of the Helios simulator, on servers of 8 GPUs.
 *
 * <p>Up to 8 GPUs go to the fullest server that fits; more take {@code gpus / 8} idle servers and put the rest on the
 * next server in order of most free GPUs. Ties go to the lowest index; a demand that cannot be placed like this does
 * not fit. Source: Q. Hu, P. Sun, S. Yan, Y. Wen, T. Zhang: Characterization and prediction of deep learning workloads
 * in large-scale GPU datacenters, SC 2021, and its simulator.
 */
public final class HeliosConsolidate implements Placer {
    private static final int SERVER_GPUS = 8;

    private final GangBuilder gang = new GangBuilder();

    /** @throws InputException when a server has not 8 GPUs */
    public HeliosConsolidate(Topology topology) {
        for (int server = 0; server < topology.servers(); server++) {
            if (topology.gpusOn(server) != SERVER_GPUS) {
                throw InputException.at(
                        "cluster %s, server %d".formatted(topology.name(), server),
                        topology.gpusOn(server),
                        "8 GPUs, the only servers the Helios simulator knows");
            }
        }
    }

    @Override
    public boolean splitsAnywhere() {
        return false;
    }

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        if (view.cluster().free() < job.gpus()) {
            return null;
        }
        PlacementBuilder builder = gang.on(view, job.demand());
        boolean fits = job.gpus() <= SERVER_GPUS
                ? takeFullest(view, builder, job.gpus())
                : takeWhole(view, builder, job.gpus() / SERVER_GPUS)
                        && takeRest(view, builder, job.gpus() % SERVER_GPUS);
        return fits ? builder.build() : null;
    }

    private static boolean takeFullest(SimView view, PlacementBuilder builder, int gpus) {
        return take(view, builder, gpus, builder::available);
    }

    private static boolean take(SimView view, PlacementBuilder builder, int gpus, IntToDoubleFunction score) {
        int server = CandidateServers.lowest(
                0, view.topology().servers(), candidate -> builder.available(candidate) >= gpus, score);
        if (server == SimView.NONE) {
            return false;
        }
        builder.take(server, gpus);
        return true;
    }

    private static boolean takeWhole(SimView view, PlacementBuilder builder, int wanted) {
        int taken = 0;
        for (int server = 0; server < view.topology().servers() && taken < wanted; server++) {
            if (view.cluster().freeOn(server) == SERVER_GPUS) {
                builder.take(server, SERVER_GPUS);
                taken++;
            }
        }
        return taken == wanted;
    }

    private static boolean takeRest(SimView view, PlacementBuilder builder, int rest) {
        return rest == 0 || take(view, builder, rest, server -> -builder.available(server));
    }
}
