package org.trainyard.env.gym.action;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.gym.ClusterEnv;
import org.trainyard.env.gym.TestScenarios;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;

/**
 * Two agents with a server of four GPUs each, who both take up whatever they can, and two jobs of two GPUs; a third
 * one comes when they run.
 */
class ConflictResolverTest {
    private static final Topology TOPOLOGY = Objects.requireNonNull(Topologies.parse("2x1x4"));

    private static Workload jobs(double pressure) {
        Pressure strong = new Pressure(pressure, pressure, pressure);
        ModelProfile model = new ModelProfile("model", 0.1, 1e8, 1L << 30, strong, strong);
        List<JobSpec> specs = IntStream.range(0, 3)
                .mapToObj(i -> new JobSpec(
                        i,
                        "job" + i,
                        i < 2 ? 0 : 600_000_000_000L,
                        2,
                        model,
                        TrainingPlan.RingAllReduce.INSTANCE,
                        10,
                        "user",
                        null,
                        null))
                .toList();
        return new Workload(specs, new double[] {36_000, 36_000, 36_000});
    }

    /**
     * Jobs that disturb each other are parted; of those that do not the second fills the server that the first has
     * begun.
     */
    @ParameterizedTest
    @CsvSource({"1, false", "0, true"})
    void of_agents_that_want_the_same_job_the_one_with_the_kindest_place_goes_first(double pressure, boolean together) {
        ClusterEnv env = new ClusterEnv(
                TestScenarios.known(TOPOLOGY),
                new ClusterEnv.Settings(Domains.racks(TOPOLOGY), 8, 2, false, Double.POSITIVE_INFINITY, 0.5, 0),
                episode -> jobs(pressure),
                new JctReward());
        env.reset(0);
        ActionSpace actions = env.spec().actions();
        SimView view = env.simulator().view();
        while (view.runningCount() < 2) {
            int[] chosen = new int[2];
            Arrays.setAll(chosen, agent -> firstOffered(env, agent, actions.slot(0), actions.server(0)));
            env.step(chosen, 0);
        }
        int first = view.placement(0).server(0);
        assertThat(view.placement(1).server(0)).isEqualTo(together ? first : 1 - first);
    }

    private static int firstOffered(ClusterEnv env, int agent, int... preferences) {
        float[] row = new float[env.spec().size()];
        env.observe(agent, row, 0);
        return Arrays.stream(preferences)
                .filter(action -> row[env.spec().maskAt() + action] != 0)
                .findFirst()
                .orElse(ActionSpace.WAIT);
    }
}
