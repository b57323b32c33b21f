package org.trainyard.experiments.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.config.topology.Clusters;

/** {@code simulate stream}. */
class StreamedSimulationTest {
    private static final String PREEMPTIVE =
            "srtf,las,tiresias,dally,gandiva,themis,gavel,pollux,smd,gadget,drf,patient,allox";
    private static final String OTHERS = "fifo-backfill,random,sjf,fgd,lif,hived,lucid,tetris,a-srpt,optimus,sjf-bco";

    private static JsonNode rows(String cluster, String schedulers, String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of(
                "simulate", "--trace", "generated", "--jobs", "250", "--cluster", cluster, "--json", "--scheduler"));
        args.add(schedulers);
        args.addAll(List.of(more));
        Shell shell = Shell.run(args);
        assertThat(shell.code()).as(shell.err()).isZero();
        return new ObjectMapper().readTree(shell.out()).at("/schedulers");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"2x4x8;0.9;" + PREEMPTIVE, "2x4x8;0.9;" + OTHERS, "4x8x8;0.3;" + PREEMPTIVE, "4x8x8;0.3;" + OTHERS
            })
    void event_logs_are_those_of_jobs_in_memory_and_figures_agree(String cluster, String load, String schedulers)
            throws IOException {
        JsonNode whole = rows(cluster, schedulers, "--load", load);
        JsonNode streamed = rows(cluster, schedulers, "--load", load, "--stream");

        assertThat(streamed).hasSameSizeAs(whole);
        for (int i = 0; i < whole.size(); i++) {
            JsonNode one = streamed.get(i);
            String name = whole.get(i).get("name").asText();
            for (String exact : List.of("name", "jobs", "event_log_sha256", "decisions", "preemptions", "makespan_s")) {
                assertThat(one.get(exact))
                        .as("%s of %s", exact, name)
                        .isEqualTo(whole.get(i).get(exact));
            }
            for (String mean :
                    List.of("/jct/mean", "/wait/mean", "/jct_slowdown/mean", "/slowdown_mean", "/gpu_utilisation")) {
                double expected = whole.get(i).at(mean).asDouble();
                assertThat(one.at(mean).asDouble())
                        .as("%s of %s", mean, name)
                        .isCloseTo(expected, within(1e-8 * (1 + expected)));
            }
        }
    }

    /** A scheduler that starts waiting jobs on the first GPUs that are free. */
    @Test
    void a_job_is_known_until_the_end_of_the_instant_of_its_completion() {
        Topology topology = Clusters.resolve("--cluster", "1x4x8");
        PerformanceModel truth = new RingPerformance(topology, InterferenceModel.NONE);
        TraceGenerator generator = new TraceGenerator(GeneratorSettings.DEFAULT, 60, ModelCatalog.standard());
        Workload workload = Workload.streamed(
                new StreamedTrace(generator.stream(1, topology.gpus()), topology, ModelCatalog.standard(), truth));
        Simulator simulator = new World(topology, truth, Simulator.Options.DEFAULT).simulator(workload);
        List<JobOutcome> outcomes = new ArrayList<>();
        simulator.run(StreamedSimulationTest::startOne, outcomes::add);

        assertThat(outcomes)
                .hasSize(60)
                .extracting(outcome -> outcome.job().id())
                .doesNotHaveDuplicates();
        assertThat(outcomes).isSortedAccordingTo((a, b) -> Long.compare(a.endNanos(), b.endNanos()));
        assertThat(simulator.isDone()).isTrue();
        assertThat(workload.size()).isEqualTo(60);
        assertThatThrownBy(() -> simulator.view().job(0)).hasMessage("job (0) has ended and is forgotten");
    }

    @Test
    void a_failure_names_the_scheduler_whose_decision_was_refused() {
        SchedulerRegistry.Entry early = SchedulerRegistry.Entry.plugin(
                "starts-a-job-of-tomorrow",
                "starts a job that has not come",
                (topology, belief, seed) -> view -> new Decision.Start(59, Placement.of(topology, 0)));
        StreamedSimulation simulation = new StreamedSimulation(
                List.of(early),
                SimulationSetup.of(
                        List.of(early),
                        new SimulationSetup.Options(null, null, null, false),
                        Clusters.resolve("--cluster", "1x4x8"),
                        List.of(),
                        1),
                GeneratorSettings.DEFAULT,
                60);

        assertThatThrownBy(() -> simulation.run(null)).hasMessageStartingWith("scheduler starts-a-job-of-tomorrow: ");
    }

    private static Decision startOne(SimView view) {
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            if (view.job(job).gpus() <= view.cluster().free()) {
                int[] gpus = new int[view.job(job).gpus()];
                int found = 0;
                for (int gpu = 0; found < gpus.length; gpu++) {
                    if (view.cluster().owner(gpu) == -1) {
                        gpus[found++] = gpu;
                    }
                }
                return new Decision.Start(job, Placement.of(view.topology(), gpus));
            }
        }
        return Decision.WAIT;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--trace generated --scheduler fifo; Result: fifo has a mean JCT of ",
                "stream --scheduler fifo; Result: fifo has a mean JCT of ",
                "stream --scheduler fifo,sjf; Result: sjf has the shortest mean JCT, "
            })
    void the_result_is_said_first(String words, String result) {
        Shell shell = Shell.run(("simulate %s --jobs 60 --cluster 2x8".formatted(words)).split(" "));

        assertThat(shell.out().lines().filter(line -> !line.isEmpty()).skip(2).findFirst())
                .hasValueSatisfying(line -> assertThat(line).startsWith(result));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "stream --trace jobs.csv --scheduler fifo; Unknown options: '--trace', 'jobs.csv'",
                "stream --scheduler all; --scheduler: 'all' is not valid: expected named schedulers",
                "stream --jobs 10; --scheduler: '' is not valid: expected named schedulers",
                "stream --scheduler fifo --demand 1.3; Unknown options: '--demand', '1.3'",
                "stream --scheduler fifo --events e.jsonl; Unknown options: '--events', 'e.jsonl'",
                "stream --scheduler fifo --freezing 0.5; Unknown options: '--freezing', '0.5'",
                "stream --scheduler fifo --jobs 0; --jobs: '0' is not valid",
                "stream --scheduler fifo --load 0; --load: '0.0' is not valid: expected a number in 0.01..100",
                "--trace jobs.csv --scheduler fifo --load 0.5; --load: '0.5' is not valid: expected nothing with a trace file",
                "stream --scheduler helios-fifo; no preset that replays a published simulator"
            })
    void what_needs_the_jobs_is_refused(String line, String fragment) {
        Shell shell = Shell.run(("simulate %s --cluster 2x4".formatted(line)).split(" "));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains(fragment);
        assertThat(shell.err().lines()).hasSizeLessThanOrEqualTo(2);
    }
}
