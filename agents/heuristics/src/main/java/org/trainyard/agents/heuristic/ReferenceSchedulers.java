package org.trainyard.agents.heuristic;

import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NEEDS_PREDICTIONS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.PREEMPTIVE;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.trainyard.agents.heuristic.classic.Fifo;
import org.trainyard.agents.heuristic.placing.FirstFit;
import org.trainyard.agents.heuristic.reference.FreeCapacity;
import org.trainyard.agents.heuristic.reference.HeliosConsolidate;
import org.trainyard.agents.heuristic.reference.HeliosSrtf;
import org.trainyard.agents.heuristic.reference.SimulatorSettings;
import org.trainyard.agents.heuristic.reference.SortedReallocation;
import org.trainyard.agents.heuristic.reference.TiresiasDlas;
import org.trainyard.agents.heuristic.reference.YarnCapacity;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.ReferenceSettings;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;
import org.trainyard.env.gym.registry.SchedulerRegistry.Kind;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/** Presets that replay the simulators of Helios, Tiresias and Muri, each under its assumptions. */
@OwnFamily(module = "agents/heuristics", position = 130)
public final class ReferenceSchedulers implements SchedulerPlugin {
    private static final SortedReallocation.Key TIME = SortedReallocation.Key.REMAINING_TIME;
    private static final SortedReallocation.Key GPU_TIME = SortedReallocation.Key.REMAINING_GPU_TIME;
    private static final String NOT_MURI =
            "another policy of Muri's simulator; Muri's own interleaving is not among the schedulers";

    @Override
    public List<Entry> schedulers() {
        return Stream.of(helios(), tiresias(), muri()).flatMap(List::stream).toList();
    }

    private static List<Entry> helios() {
        String simulator = "Helios simulator";
        return List.of(
                origin(simulator, SimulatorSettings.HELIOS)
                        .row("helios-fifo", "Helios simulator, fifo")
                        .by(on -> new Fifo(false, new HeliosConsolidate(on))),
                origin(simulator, SimulatorSettings.HELIOS, NEEDS_PREDICTIONS)
                        .row("helios-sjf", "Helios simulator, sjf")
                        .by(on -> new HeliosSjf(new HeliosConsolidate(on))),
                origin(simulator, SimulatorSettings.HELIOS_SRTF, PREEMPTIVE, NEEDS_PREDICTIONS)
                        .row("helios-srtf", "Helios simulator, srtf")
                        .by(on -> new HeliosSrtf(new HeliosConsolidate(on))));
    }

    private static List<Entry> tiresias() {
        String simulator = "Tiresias simulator";
        ReferenceSettings settings = SimulatorSettings.AS_TRACED;
        Origin plain = origin(simulator, settings);
        Origin preemptive = origin(simulator, settings, PREEMPTIVE);
        Origin predicting = origin(simulator, settings, PREEMPTIVE, NEEDS_PREDICTIONS);
        return List.of(
                plain.row("tiresias-fifo", "Tiresias simulator, fifo, counting GPUs")
                        .by(on -> new Fifo(false, new FirstFit())),
                plain.row("tiresias-fjf", "Tiresias simulator, fjf, counting GPUs")
                        .by(on -> new Fifo(true, new FirstFit())),
                preemptive
                        .row("tiresias-sjf", "Tiresias simulator, sjf (fewest GPUs), counting GPUs")
                        .by(on -> new SortedReallocation(SortedReallocation.Key.GPUS, new FreeCapacity.Counted())),
                predicting
                        .row("tiresias-srtf", "Tiresias simulator, shortest, counting GPUs")
                        .by(on -> new SortedReallocation(TIME, new FreeCapacity.Counted())),
                predicting
                        .row("tiresias-srsf", "Tiresias simulator, shortest-gpu, counting GPUs")
                        .by(on -> new SortedReallocation(GPU_TIME, new FreeCapacity.Counted())),
                preemptive
                        .row("tiresias-dlas", "Tiresias simulator, dlas-gpu, counting GPUs")
                        .by(on -> new TiresiasDlas(TiresiasDlas.DemotionCheck.TIRESIAS)));
    }

    private static List<Entry> muri() {
        String simulator = "Muri simulator (SIGCOMM 2022)";
        Origin predicting = origin(simulator, SimulatorSettings.MURI, PREEMPTIVE, NEEDS_PREDICTIONS);
        return List.of(
                predicting
                        .row("muri-srtf", "Muri simulator, shortest, on its servers")
                        .but(NOT_MURI)
                        .by(on -> new SortedReallocation(TIME, new YarnCapacity(on))),
                predicting
                        .row("muri-srsf", "Muri simulator, shortest-gpu, on its servers")
                        .but(NOT_MURI)
                        .by(on -> new SortedReallocation(GPU_TIME, new YarnCapacity(on))),
                origin(simulator, SimulatorSettings.MURI, PREEMPTIVE)
                        .row("muri-tiresias", "Muri simulator, dlas-gpu, counting GPUs")
                        .but(NOT_MURI)
                        .by(on -> new TiresiasDlas(TiresiasDlas.DemotionCheck.MURI)));
    }

    private static Origin origin(String simulator, ReferenceSettings settings, Flag... flags) {
        return new Origin(simulator, Kind.AS_PUBLISHED, settings, Set.of(flags));
    }

    /**
     * The {@code sjf} of the Helios simulator: by duration, ties by submission; the head of the queue blocks the rest.
     *
     * <p>Source: simulator of Q. Hu, P. Sun, S. Yan, Y. Wen, T. Zhang: Characterization and prediction of deep learning
     * workloads in large-scale GPU datacenters, SC 2021. Equal to it job by job with predictions of an oracle, at ideal
     * rates.
     */
    static final class HeliosSjf implements Scheduler {
        // Durations are whole seconds; rounding to microseconds keeps ties that division has torn apart.
        private final WaitingJobs waiting =
                new WaitingJobs((view, job) -> Math.round(view.predictedSeconds(job) * 1e6));
        private final Placer placer;

        public HeliosSjf(Placer placer) {
            this.placer = placer;
        }

        @Override
        public Decision decide(SimView view) {
            waiting.update(view);
            return waiting.startHead(view, placer);
        }
    }
}
