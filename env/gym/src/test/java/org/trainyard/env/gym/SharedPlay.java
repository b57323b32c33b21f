package org.trainyard.env.gym;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;

/** Random decisions about parts of GPUs and small gangs of twenty models on three servers. */
public final class SharedPlay {
    private final Random random;
    private final List<ModelProfile> models = new ArrayList<>();
    private final Topology topology;

    public SharedPlay(long seed, ServerSpec server) {
        random = new Random(seed);
        topology = Topology.uniform("parts", Fabric.DEFAULT, 1, 3, server.with(GpuSharing.FRACTIONS), 1);
        for (int i = 0; i < 20; i++) {
            models.add(new ModelProfile("model" + i, 1, 0, 1, pressure(), pressure()));
        }
    }

    private Pressure pressure() {
        return new Pressure(random.nextDouble(), random.nextDouble(), random.nextDouble(), random.nextDouble());
    }

    public List<ModelProfile> models() {
        return models;
    }

    public Topology topology() {
        return topology;
    }

    /** Plays so many jobs to the end; at every state, and before every decision, something is checked. */
    public void play(int jobs, int mostGpus, Simulator.Options options, Consumer<SimView> check) {
        TimedJobs list = TimedJobs.list();
        for (int job = 0; job < jobs; job++) {
            Demand part = Demand.ofGpus(1).withGpuMilli(random.nextInt(300, 501));
            Demand demand =
                    random.nextInt(mostGpus > 2 ? 3 : 12) == 0 ? Demand.ofGpus(random.nextInt(2, mostGpus + 1)) : part;
            list.job(
                    models.get(random.nextInt(20)),
                    demand.withHost(100L * random.nextInt(10), 0),
                    job * 8L,
                    random.nextInt(30, 300));
        }
        Simulator simulator = new World(topology, new RingPerformance(topology, AnalyticInterference.DEFAULT), options)
                .simulator(list.workload());
        while (simulator.advance()) {
            Decision decision;
            do {
                check.accept(simulator.view());
                decision = decide(simulator.view());
                simulator.apply(decision);
            } while (!(decision instanceof Decision.Wait));
        }
    }

    private Decision decide(SimView view) {
        int job = view.firstWaiting();
        if (view.runningCount() > 0 && random.nextInt(6) == 0 && view.mayPreempt(view.firstRunning())) {
            return new Decision.Preempt(view.firstRunning());
        }
        if (job == SimView.NONE || view.runningCount() > 0 && random.nextInt(5) == 0) {
            return Decision.waitUntil(view.nowNanos() + random.nextInt(1, 40) * TimedJobs.SECOND);
        }
        List<Integer> fit = new ArrayList<>(IntStream.range(0, topology.gpus())
                .filter(gpu -> view.cluster().fitsOn(gpu, view.job(job).demand()))
                .boxed()
                .toList());
        Collections.shuffle(fit, random);
        int[] gpus =
                fit.stream().limit(view.job(job).gpus()).mapToInt(gpu -> gpu).toArray();
        Placement where = gpus.length == 0 ? null : Placement.of(topology, gpus);
        boolean fits = gpus.length == view.job(job).gpus()
                && view.cluster().fits(view.job(job).demand(), where);
        return fits ? new Decision.Start(job, where) : Decision.waitUntil(view.nowNanos() + 20 * TimedJobs.SECOND);
    }
}
