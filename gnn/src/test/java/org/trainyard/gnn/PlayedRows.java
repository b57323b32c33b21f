package org.trainyard.gnn;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.ClusterEnv;
import org.trainyard.env.gym.ClusterScenario;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.gym.reward.DelayReward;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;

/** What agents really see while they play by chance on a cluster that is about nine tenths full. */
final class PlayedRows {
    private static final AnalyticInterference BELIEF = AnalyticInterference.DEFAULT;
    private static final int[] DEMANDS = {1, 1, 1, 2, 2, 4, 4, 8, 8, 16};
    private static final double MEAN_DEMAND = 4.7;
    private static final double MEAN_SECONDS = 3600;
    private static final int WINDOW = 32;

    private final ClusterEnv env;
    private final RandomGenerator random = RandomStreams.stream(1, "test/play");
    private final int[] actions;

    PlayedRows(Topology topology, Domains domains) {
        ClusterScenario world = new ClusterScenario(
                topology,
                new RingPerformance(topology, BELIEF),
                BELIEF,
                RuntimePredictor::oracle,
                Simulator.Options.DEFAULT);
        env = new ClusterEnv(
                world,
                new ClusterEnv.Settings(domains, WINDOW, 2, false, Double.POSITIVE_INFINITY, 0.5, 0),
                episode -> workload(topology, 2 * topology.gpus()),
                new DelayReward(topology, BELIEF));
        actions = new int[env.agents()];
        env.reset(0);
        while (env.simulator().view().cluster().free() > topology.gpus() / 10) {
            step();
        }
    }

    private static Workload workload(Topology topology, int jobs) {
        RandomGenerator random = RandomStreams.stream(2, "test/workload");
        List<JobSpec> specs = new ArrayList<>();
        double[] iterations = new double[jobs];
        double gapNanos = MEAN_DEMAND * MEAN_SECONDS / (0.9 * topology.gpus()) * 1e9;
        long submit = 0;
        for (int i = 0; i < jobs; i++) {
            submit += (long) (-Math.log(1 - random.nextDouble()) * gapNanos);
            ModelProfile model = ModelCatalog.standard().draw(random);
            int gpus = DEMANDS[random.nextInt(DEMANDS.length)];
            specs.add(new JobSpec(
                    i,
                    "job" + i,
                    submit,
                    gpus,
                    model,
                    TrainingPlan.RingAllReduce.INSTANCE,
                    1 / model.computeSeconds(),
                    null,
                    null,
                    null));
            iterations[i] = specs.get(i).idealIterationsPerSecond() * -Math.log(1 - random.nextDouble()) * MEAN_SECONDS;
        }
        return new Workload(specs, iterations);
    }

    ObservationSpace spec() {
        return env.spec();
    }

    int agents() {
        return env.agents();
    }

    boolean isActive(int agent) {
        return env.isActive(agent);
    }

    void observe(int agent, float[] out, int at) {
        env.observe(agent, out, at);
    }

    /** One action of every agent that has a choice, any but waiting when there is one. */
    void step() {
        float[] row = new float[spec().size()];
        for (int agent = 0; agent < env.agents(); agent++) {
            actions[agent] = ActionSpace.WAIT;
            if (env.isActive(agent)) {
                env.observe(agent, row, 0);
                actions[agent] = choose(row);
            }
        }
        if (env.step(actions, 0).done()) {
            env.reset(0);
        }
    }

    private int choose(float[] row) {
        ActionSpace layout = spec().actions();
        int chosen = ActionSpace.WAIT;
        int seen = 0;
        for (int action = 1; action < layout.size(); action++) {
            boolean works = layout.forwardOf(action) < 0 && action != layout.hold();
            if (works && row[spec().maskAt() + action] != 0 && random.nextInt(++seen) == 0) {
                chosen = action;
            }
        }
        if (seen == 0 && row[spec().maskAt() + layout.hold()] != 0) {
            return layout.hold();
        }
        return chosen;
    }

    /** The rows of agents that had a choice, one after another, up to so many. */
    float[] collect(int count) {
        float[] rows = new float[count * spec().size()];
        int filled = 0;
        while (filled < count) {
            for (int agent = 0; agent < env.agents() && filled < count; agent++) {
                if (env.isActive(agent)) {
                    env.observe(agent, rows, filled++ * spec().size());
                }
            }
            step();
        }
        return rows;
    }
}
