package org.trainyard.agents.heuristic.freezing;

import java.util.function.ToDoubleFunction;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.freezing.FreezableNetwork;
import org.trainyard.env.workload.freezing.FreezingProfile;
import org.trainyard.env.workload.freezing.PipeTransformerSchedule;

/** {@link PipeTransformerSchedule} by the epochs that a job has completed. */
final class EpochSchedule implements FreezeRule {
    /** The conservative alpha of the paper. */
    static final FreezeRule PUBLISHED = new EpochSchedule(network -> 1.0 / 3);
    /** One over the number of epochs, as in the training scripts of IceFrog's author. */
    static final FreezeRule BY_EPOCHS = new EpochSchedule(network -> 1.0 / Math.max(2, network.epochs()));

    private final ToDoubleFunction<FreezableNetwork> alpha;

    private EpochSchedule(ToDoubleFunction<FreezableNetwork> alpha) {
        this.alpha = alpha;
    }

    @Override
    public double layers(SimView view, int job, FreezingProfile freezing) {
        FreezableNetwork network = freezing.network();
        return new PipeTransformerSchedule(alpha.applyAsDouble(network))
                .layers(network.shares().layers(), (int) (view.trainedShare(job) * network.epochs()));
    }
}
