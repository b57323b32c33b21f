package org.trainyard.agents.heuristic.smd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Arrays;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.pipeline.ModelArchitectures;
import org.trainyard.env.synchronisation.LayerOverlap;
import org.trainyard.env.synchronisation.ParameterServer;
import org.trainyard.env.synchronisation.SynchronisationModel;
import org.trainyard.env.synchronisation.UnevenWorkers;

class WorkerChoiceTest {
    private static final LayerOverlap VGG = new LayerOverlap(Objects.requireNonNull(ModelArchitectures.find("vgg19")));
    private static final ServerIteration ITERATION = new ServerIteration(0.002, 512, 100, 1000, 0.001, 0.02, null);
    private static final double[] WORKER = {1, 4};
    private static final double[] SERVER = {0, 2};

    @Test
    void the_known_instance_has_six_workers_and_twelve_servers() {
        WorkerChoice choice = new WorkerChoice(ITERATION, WORKER, SERVER, new double[] {8, 48});
        WorkerChoice.Choice best = Objects.requireNonNull(choice.exact());

        assertThat(best.workers()).isEqualTo(6);
        assertThat(best.servers()).isEqualTo(12);
        assertThat(best.seconds()).isCloseTo(0.2911667, within(5e-8));
        assertThat(ITERATION.seconds(5, 14)).isCloseTo(0.2965857, within(5e-8));
        assertThat(ITERATION.seconds(6, 11)).isCloseTo(0.3003030, within(5e-8));
        assertThat(ITERATION.seconds(8, 8)).isCloseTo(0.3490, within(5e-8));
    }

    @Test
    void an_iteration_with_one_sample_per_worker_takes_as_long_as_in_pd_ors() {
        RandomGenerator random = RandomStreams.stream(1, "smd and pd-ors");
        for (int instance = 0; instance < 300; instance++) {
            int perServer = random.nextInt(1, 9);
            int servers = random.nextInt(1, 30);
            int workers = perServer * servers;
            ParameterServer plan = new ParameterServer(
                    random.nextDouble(1e-5, 1e-1),
                    workers,
                    perServer,
                    random.nextDouble(3e7, 6e8),
                    1e11,
                    random.nextDouble(1e8, 5e9));

            assertThat(ServerIteration.of(plan).seconds(workers, servers))
                    .as("%s", plan)
                    .isCloseTo(1 / plan.iterationsPerSecond(workers, false), withinPercentage(1e-9));
        }
    }

    @Test
    void equal_workers_under_bsp_take_as_long_as_an_iteration() {
        RandomGenerator random = RandomStreams.stream(1, "smd and bsp");
        for (int instance = 0; instance < 300; instance++) {
            int workers = random.nextInt(1, 30);
            int servers = random.nextInt(1, 30);
            ServerIteration iteration = new ServerIteration(
                    random.nextDouble(1e-5, 1e-1),
                    512,
                    random.nextDouble(3e5, 6e6),
                    random.nextDouble(1e8, 5e9),
                    0,
                    0,
                    null);
            double[] speeds = new double[workers];
            Arrays.fill(speeds, workers / (iteration.secondsPerSample() * iteration.batch()));
            double commit = 2 * iteration.gradientBytes() * workers / (servers * iteration.bytesPerSecond());

            double steps = new SynchronisationModel.Bsp()
                    .pace(UnevenWorkers.of(commit, speeds))
                    .stepsPerSecond();
            assertThat(workers / steps).isCloseTo(iteration.seconds(workers, servers), withinPercentage(1e-9));
        }
    }

    @Test
    void a_grid_is_never_longer_than_its_guarantee_and_a_larger_limit_never_slower() {
        RandomGenerator random = RandomStreams.stream(1, "smd inner");
        for (int instance = 0; instance < 300; instance++) {
            ServerIteration iteration = new ServerIteration(
                    random.nextDouble(1e-4, 1e-2),
                    random.nextInt(1, 200),
                    random.nextDouble(1, 500),
                    1000,
                    random.nextDouble(0, 0.01),
                    random.nextDouble(0, 0.1),
                    instance % 2 == 0 ? null : VGG);
            double[] worker = {random.nextInt(1, 4), random.nextInt(1, 8)};
            double[] server = {0, random.nextInt(1, 8)};
            double[] limit = {random.nextInt(4, 60), random.nextInt(16, 160)};
            WorkerChoice choice = new WorkerChoice(iteration, worker, server, limit);
            double exact = Objects.requireNonNull(choice.exact()).seconds();
            for (double epsilon : new double[] {0.05, 0.3, 1}) {
                assertThat(Objects.requireNonNull(choice.onGrid(epsilon)).seconds())
                        .as("instance %d", instance)
                        .isBetween(exact - 1e-12, exact * (1 + epsilon) + 1e-12);
            }
            double[] more = {limit[0] + random.nextInt(0, 9), limit[1] + random.nextInt(0, 20)};
            assertThat(Objects.requireNonNull(new WorkerChoice(iteration, worker, server, more).exact())
                            .seconds())
                    .isLessThanOrEqualTo(exact);
        }
    }

    @Test
    void a_limit_below_one_worker_and_one_server_has_no_choice() {
        WorkerChoice choice = new WorkerChoice(ITERATION, WORKER, SERVER, new double[] {8, 5});
        assertThat(choice.exact()).isNull();
        assertThat(choice.onGrid(0.1)).isNull();
    }
}
