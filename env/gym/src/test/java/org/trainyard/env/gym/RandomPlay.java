package org.trainyard.env.gym;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;

/** Plays random legal decisions, for tests of what holds in every state. */
public final class RandomPlay {
    private final Simulator simulator;
    private final Check check;
    private final PlacementBuilder placement;
    private final List<Integer> servers;
    private final Random random;

    private RandomPlay(long seed, Simulator simulator, Check check) {
        this.simulator = simulator;
        this.check = check;
        Topology topology = simulator.view().topology();
        placement = new PlacementBuilder(topology, simulator.view().cluster());
        servers = new ArrayList<>(IntStream.range(0, topology.servers()).boxed().toList());
        random = new Random(seed);
    }

    /** Called after every decision, and after time has passed. */
    public interface Check {
        void at(SimView view);
    }

    /** Plays one episode with preemption. */
    public static void play(long seed, Topology topology, Check check) {
        play(
                seed,
                TestScenarios.known(topology).simulator(RandomWorkloads.ofFewModels(seed, 60, topology.gpus())),
                0.3,
                check);
    }

    /**
     * Plays to the end.
     *
     * @param preemption part of the decisions that preempt a job, below the half
     */
    public static void play(long seed, Simulator simulator, double preemption, Check check) {
        RandomPlay play = new RandomPlay(seed, simulator, check);
        while (simulator.advance()) {
            check.at(simulator.view());
            play.decide(preemption);
        }
    }

    private void decide(double preemption) {
        SimView view = simulator.view();
        boolean goesOn = true;
        while (goesOn) {
            double lot = random.nextDouble();
            boolean mayWait = view.runningCount() > 0 && lot >= 0.8;
            Decision decision = mayWait ? null : lot < preemption ? preempt(view) : start(view);
            goesOn = decision != null;
            simulator.apply(decision == null ? Decision.WAIT : decision);
            if (goesOn) {
                check.at(view);
            }
        }
    }

    private @Nullable Decision preempt(SimView view) {
        if (view.runningCount() == 0) {
            return start(view);
        }
        int job = view.firstRunning();
        for (int skipped = random.nextInt(view.runningCount()); skipped > 0; skipped--) {
            job = view.nextRunning(job);
        }
        return new Decision.Preempt(job);
    }

    /** Starts a waiting job on servers in random order; null when no job fits. */
    private @Nullable Decision start(SimView view) {
        List<Integer> waiting = new ArrayList<>();
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            waiting.add(job);
        }
        Collections.shuffle(waiting, random);
        Collections.shuffle(servers, random);
        for (int job : waiting) {
            int gpus = view.job(job).gpus();
            placement.clear();
            for (int server : servers) {
                int taken = Math.min(placement.available(server), gpus - placement.count());
                if (taken > 0) {
                    placement.take(server, taken);
                }
            }
            if (placement.count() == gpus) {
                return new Decision.Start(job, placement.build());
            }
        }
        return null;
    }
}
