package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.agents.heuristic.scenario.RandomScenario;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/** Limits of Slurm that hold for every scheduler; also those whose agents bid under a mask. */
class SlurmLimitsTest {
    private static final SlurmFiles FILES = new SlurmFiles(
            "slurm.conf",
            List.of("AccountingStorageEnforce=limits,qos", "Licenses=lic:2"),
            null,
            List.of("Name|MaxTRESPU|MaxJobsPU", "normal||", "short||1"),
            List.of(
                    "Account|User|Share|GrpTRES|MaxJobs",
                    "root||1||",
                    "a||1|gres/gpu=24|",
                    "a|ann|1||2",
                    "b||1||",
                    "b|eve|1||"),
            null);

    /** Jobs of ann's and bob's account a and of eve's account b; every third needs a licence, every fifth is short. */
    private static Workload workload(RandomScenario world) {
        List<JobSpec> jobs = new ArrayList<>();
        double[] iterations = new double[world.workload().size()];
        for (int job = 0; job < iterations.length; job++) {
            JobSpec plain = world.workload().job(job);
            String user =
                    plain.gpus() > 24 ? "eve" : List.of("ann", "bob", "eve").get(job % 3);
            boolean needs = job % 4 == 0;
            String qos = job % 5 == 0 ? "short" : "normal";
            JobSpec owned = plain.by(user, null, null);
            jobs.add(owned.saying(owned.terms()
                    .but()
                    .account(user.equals("eve") ? "b" : "a")
                    .qos(qos)
                    .licenses(needs ? "lic" : null)
                    .build()));
            iterations[job] = world.workload().trueIterations(job);
        }
        return new Workload(jobs, iterations);
    }

    private static void check(SimView view) {
        Map<String, Integer> held = new HashMap<>();
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            JobSpec spec = view.submitted(job);
            held.merge("GPUs of " + spec.terms().account(), spec.gpus(), Integer::sum);
            held.merge("jobs of " + spec.user(), 1, Integer::sum);
            held.merge("licences", spec.terms().licenses() == null ? 0 : 1, Integer::sum);
            held.merge(spec.user() + " " + spec.terms().qos(), 1, Integer::sum);
        }
        assertThat(held.getOrDefault("GPUs of a", 0)).isLessThanOrEqualTo(24);
        assertThat(held.getOrDefault("jobs of ann", 0)).isLessThanOrEqualTo(2);
        assertThat(held.getOrDefault("licences", 0)).isLessThanOrEqualTo(2);
        for (String user : List.of("ann", "bob", "eve")) {
            assertThat(held.getOrDefault(user + " short", 0)).isLessThanOrEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("org.trainyard.agents.heuristic.scenario.RegisteredSchedulers#names")
    void every_scheduler_keeps_to_them_and_comes_to_an_end(String name) {
        for (long seed = 1; seed <= 4; seed++) {
            RandomScenario world = RandomScenario.of(seed);
            Topology topology = world.topology();
            Workload workload = workload(world);
            Simulator simulator = new World(
                            topology,
                            new RingPerformance(topology, AnalyticInterference.DEFAULT),
                            new Simulator.Options(30_000_000_000L, true)
                                    .with(new Quotas(Map.of(), () -> new SlurmLimits(FILES, topology))))
                    .simulator(workload);
            Scheduler scheduler = SchedulerRegistry.named(name).create(topology, AnalyticInterference.DEFAULT, seed);

            simulator.run(view -> {
                check(view);
                return scheduler.decide(view);
            });

            assertThat(simulator.isDone()).as("seed %d", seed).isTrue();
        }
    }

    @Test
    void a_file_that_limits_nothing_is_refused() {
        Topology topology = Objects.requireNonNull(RandomScenario.of(1).topology());

        assertThatThrownBy(() -> new SlurmLimits(SlurmFiles.DEFAULT, topology))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("AccountingStorageEnforce=limits");
    }
}
