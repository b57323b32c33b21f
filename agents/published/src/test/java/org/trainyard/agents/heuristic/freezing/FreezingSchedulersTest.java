package org.trainyard.agents.heuristic.freezing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.elastic.Pollux;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.freezing.FreezingProfile;
import org.trainyard.env.workload.freezing.FreezingTerms;
import org.trainyard.env.workload.generator.JobMaker;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.PolluxSettings;

class FreezingSchedulersTest {
    private static final Topology CLUSTER = Objects.requireNonNull(Topologies.parse("4x4"));
    private static final long SECOND = 1_000_000_000L;

    /** A decision other than to wait, and its time. */
    private record Made(long nanos, Decision decision) {}

    private static Workload workload(List<TraceJob> jobs) {
        return new WorkloadBuilder(
                        CLUSTER,
                        ModelCatalog.standard(),
                        new WorkloadBuilder.Options(WorkloadBuilder.Models.NEUTRAL, 1, true, true))
                .build(jobs, new RingPerformance(CLUSTER, InterferenceModel.NONE))
                .workload();
    }

    /** Jobs of Pollux' evaluation, all of which allow frozen layers. */
    private static List<TraceJob> drawn(int jobs, long seed) {
        return JobMaker.made(new PolluxSettings(), List::of, new JobMaker.Episode(jobs, CLUSTER.gpus(), seed));
    }

    private static Workload adapting(int jobs, long seed) {
        return workload(drawn(jobs, seed).stream()
                .map(job -> job.attaching(FreezingTerms.class, FreezingTerms.DEFAULT))
                .toList());
    }

    /** Elastic jobs with a constant batch, which allow frozen layers. */
    private static Workload constant() {
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Demand demand = Demand.ofGpus(2).elastic(1, 8);
            String model = List.of("bert", "resnet50", "vgg16").get(i % 3);
            jobs.add(new TraceJob("j" + i, 400L * i * SECOND, demand, 4000 * SECOND, model, null, null, null)
                    .attaching(FreezingTerms.class, FreezingTerms.DEFAULT));
        }
        return workload(jobs);
    }

    private static Workload alone(String model, long seconds) {
        return workload(List.of(new TraceJob("alone", 0, 1, seconds * SECOND, model, null, null, null)
                .attaching(FreezingTerms.class, FreezingTerms.DEFAULT)));
    }

    private static RunResult run(Workload workload, Scheduler scheduler, List<Made> made) {
        Simulator.Options options = new Simulator.Options(RestartCost.ofNanos(30 * SECOND), workload.size() < 30, null);
        return new World(CLUSTER, new RingPerformance(CLUSTER, InterferenceModel.NONE), options)
                .simulator(workload)
                .run(view -> {
                    Decision decision = scheduler.decide(view);
                    if (!(decision instanceof Decision.Wait)) {
                        made.add(new Made(view.nowNanos(), decision));
                    }
                    return decision;
                });
    }

    private static RunResult run(Workload workload, String name) {
        return run(workload, SchedulerRegistry.named(name).create(CLUSTER, 1), new ArrayList<>());
    }

    private static List<Integer> layers(List<Made> made) {
        List<Integer> layers = new ArrayList<>();
        for (Made one : made) {
            if (one.decision() instanceof Decision.Freeze freeze) {
                layers.add(freeze.layers());
            }
        }
        return layers;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void icefrog_that_freezes_nothing_decides_as_pollux_does(long seed) {
        for (Workload workload : List.of(adapting(15, seed), constant())) {
            List<Made> icefrog = new ArrayList<>();
            List<Made> pollux = new ArrayList<>();
            String log = run(workload, IceFrog.withoutFreezing(CLUSTER, seed), icefrog)
                    .eventLogSha256();

            assertThat(log)
                    .isEqualTo(run(workload, new Pollux(CLUSTER, seed), pollux).eventLogSha256());
            assertThat(icefrog).isEqualTo(pollux).hasSizeGreaterThan(workload.size());
        }
    }

    @Test
    void icefrog_completes_jobs_sooner_than_pollux_and_stays_within_their_tolerance() {
        Workload workload = adapting(30, 4);
        RunResult icefrog = run(workload, "icefrog");
        RunResult pollux = run(workload, "pollux");

        assertThat(icefrog.meanJctSeconds()).isLessThan(0.97 * pollux.meanJctSeconds());
        assertThat(icefrog.jobs()).extracting(JobOutcome::accuracyPenalty).allMatch(penalty -> penalty <= 0.03);
        assertThat(icefrog.jobs()).anyMatch(job -> job.accuracyPenalty() > 0);
        assertThat(pollux.jobs()).allMatch(job -> job.accuracyPenalty() == 0);
    }

    @Test
    void icefrog_freezes_jobs_with_a_constant_batch_too() {
        Workload workload = constant();
        List<Made> made = new ArrayList<>();
        run(workload, IceFrog.on(CLUSTER, 1), made);
        assertThat(layers(made)).isNotEmpty();
    }

    @Test
    void no_freeze_exceeds_the_layers_that_the_owner_tolerates_and_none_is_taken_back() {
        List<Integer> caps = new ArrayList<>();
        List<Integer> layers = new ArrayList<>();
        Scheduler icefrog = IceFrog.on(CLUSTER, 1);
        run(
                alone("vgg16", 40_000),
                view -> {
                    Decision decision = icefrog.decide(view);
                    if (decision instanceof Decision.Freeze freeze) {
                        caps.add(cap(view, freeze.job()));
                        layers.add(freeze.layers());
                    }
                    return decision;
                },
                new ArrayList<>());

        assertThat(layers).isSorted().hasSizeGreaterThan(4).isEqualTo(caps);
    }

    private static int cap(SimView view, int job) {
        FreezingProfile freezing =
                Objects.requireNonNull(view.submitted(job).model().of(FreezingProfile.class));
        return freezing.cap(freezing.stage(view.trainedShare(job)));
    }

    /** A third of 20 layers after the first of 50 epochs, at 1000 s; whole blocks of two, on the next minute. */
    @Test
    void pipetransformers_schedule_is_followed_from_epoch_to_epoch() {
        List<Made> made = new ArrayList<>();
        run(
                alone("vgg16", 50_000),
                SchedulerRegistry.named("freeze=pipetransformer:fifo").create(CLUSTER, 1),
                made);
        assertThat(layers(made)).containsExactly(6, 10, 14, 16, 18);
        assertThat(made.get(1)).isEqualTo(new Made(1020 * SECOND, new Decision.Freeze(0, 6)));
    }

    @Test
    void egeria_freezes_a_block_again_after_each_of_the_two_drops_of_the_learning_rate() {
        List<Made> made = new ArrayList<>();
        run(
                alone("resnet18", 50_000),
                SchedulerRegistry.named("freeze=egeria:fifo").create(CLUSTER, 1),
                made);
        assertThat(layers(made)).containsExactly(2, 0, 2, 0, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pipetransformer", "epochs", "autofreeze", "egeria", "progress"})
    void every_rule_freezes_layers_beside_every_kind_of_scheduler(String rule) {
        Workload workload = adapting(25, 5);
        for (String placing : List.of("fifo", "tiresias")) {
            RunResult result = run(workload, "freeze=" + rule + ":" + placing);
            assertThat(result.jobs()).hasSize(25);
            assertThat(result.jobs()).as(rule + " " + placing).anyMatch(job -> job.accuracyPenalty() > 0);
        }
    }

    @Test
    void a_rule_changes_nothing_for_jobs_that_allow_nothing() {
        Workload workload = workload(drawn(25, 6));
        assertThat(run(workload, "freeze=progress:tiresias").eventLogSha256())
                .isEqualTo(run(workload, "tiresias").eventLogSha256());
        assertThat(run(workload, IceFrog.on(CLUSTER, 3), new ArrayList<>()).eventLogSha256())
                .isEqualTo(
                        run(workload, new Pollux(CLUSTER, 3), new ArrayList<>()).eventLogSha256());
    }

    @Test
    void unknown_rules_and_rules_without_a_scheduler_are_refused() {
        assertThatThrownBy(() -> SchedulerRegistry.named("freeze=smartfrz:fifo"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("smartfrz")
                .hasMessageContaining("autofreeze");
        assertThatThrownBy(() -> SchedulerRegistry.named("freeze=egeria"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("NAME");
        assertThatThrownBy(() -> SchedulerRegistry.named("freeze=egeria:nobody"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("nobody");
    }

    /** Two rounds of slack: choices are made once a minute, and the energy of layers falls in between. */
    @ParameterizedTest
    @ValueSource(strings = {"bert", "resnet50", "vgg16"})
    void no_other_choice_of_layers_within_the_tolerance_completes_a_job_sooner(String model) {
        Workload workload = alone(model, 20_000);
        double best = run(workload, "freeze=progress:fifo").meanJctSeconds();
        assertThat(best).isLessThan(0.97 * run(workload, "fifo").meanJctSeconds());

        for (long seed = 1; seed <= 30; seed++) {
            RandomGenerator random = RandomStreams.stream(seed, "layers");
            double often = random.nextDouble();
            double much = random.nextDouble();
            FreezeRule chance = (view, job, freezing) -> {
                int most = freezing.cap(freezing.stage(view.trainedShare(job)));
                return random.nextDouble() < often
                        ? Math.max(view.frozenLayers(job), much * most)
                        : view.frozenLayers(job);
            };
            Scheduler fifo = SchedulerRegistry.named("fifo").create(CLUSTER, 1);
            RunResult other = run(workload, new FreezingScheduler(fifo, chance), new ArrayList<>());
            assertThat(other.jobs().get(0).accuracyPenalty()).isLessThanOrEqualTo(0.03);
            assertThat(other.meanJctSeconds()).as("seed %d", seed).isGreaterThan(best - 120);
        }
    }
}
