package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.tuning.SuccessiveHalving;

/** The opponent that is chosen on validation episodes. */
class TuningTest {
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs", "auction/small.yaml");
    private static final List<String> SMALL = List.of(
            "episodes.jobs=40", "episodes.validation=3", "episodes.test=2", "workload.generator.offered_load=1.1");

    @TempDir
    private Path folder;

    private static double meanJctSeconds(Experiment experiment, String name) {
        List<Workload> episodes = experiment.validation();
        // Summed as the search sums, to the last digit.
        return IntStream.range(0, episodes.size())
                        .mapToDouble(i -> {
                            Scheduler scheduler = experiment.scheduler(name, i);
                            return experiment
                                    .world()
                                    .simulator(episodes.get(i))
                                    .run(scheduler)
                                    .meanJctSeconds();
                        })
                        .sum()
                / episodes.size();
    }

    private static SuccessiveHalving.Found found(Experiment experiment) {
        return (SuccessiveHalving.Found) new SuccessiveHalving().of(experiment);
    }

    @Test
    void the_choice_is_the_best_of_the_finalists_on_validation_episodes_and_always_the_same() {
        Experiment experiment = new Experiment(ConfigReader.read(CONFIG, SMALL));

        SuccessiveHalving.Found outcome = found(experiment);
        SuccessiveHalving.Found again = found(new Experiment(ConfigReader.read(CONFIG, SMALL)));

        assertThat(again).isEqualTo(outcome);
        assertThat(outcome.episodes()).isEqualTo(3);
        assertThat(outcome.members()).isGreaterThan(125);
        for (SuccessiveHalving.Candidate finalist : outcome.finalists()) {
            String name = finalist.name();
            assertThat(meanJctSeconds(experiment, name)).as(name).isEqualTo(finalist.meanJctSeconds());
            assertThat(outcome.best().meanJctSeconds()).isLessThanOrEqualTo(finalist.meanJctSeconds());
        }
    }

    @Test
    void the_chosen_member_competes_as_tuned_and_is_named() throws Exception {
        Path out = folder.resolve("run");
        List<String> args = new ArrayList<>(List.of(
                "evaluate", CONFIG.toString(), "--tune", "--schedulers", "fifo,random", "--out", out.toString()));
        SMALL.forEach(value -> args.addAll(List.of("--set", value)));
        Shell shell = Shell.run(args);

        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode tuning = new ObjectMapper().readTree(Files.readString(out.resolve("tuning.json")));
        String member = tuning.get("member").asText();
        assertThat(SchedulerRegistry.named(member).name()).isEqualTo(member);
        assertThat(shell.out()).contains("tuned is " + member).containsPattern("(?m)^tuned( \\*)? ");
        assertThat(Files.readString(out.resolve("report.html"))).contains(member);
        assertThat(Files.readString(out.resolve("summary.json"))).contains("\"name\" : \"tuned\"");
    }

    @Test
    void a_member_that_cannot_be_is_refused_with_the_knob_that_is_wrong() {
        Shell shell = Shell.command("evaluate %s --schedulers fifo,tuned:spwf+best", CONFIG);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .contains("--schedulers", "'best'", "one of best-fit, first-fit, spread, lif, lifw, sets")
                .hasLineCount(1);
    }

    /** Times differ from run to run, so nothing is said of how long it took; but who was asked how often is known. */
    @Test
    void what_each_scheduler_cost_is_told_on_request_and_kept_with_the_run() throws Exception {
        Path out = folder.resolve("timed");
        List<String> args = new ArrayList<>(List.of(
                "evaluate", CONFIG.toString(), "--timing", "--schedulers", "fifo,sjf", "--out", out.toString()));
        SMALL.forEach(value -> args.addAll(List.of("--set", value)));
        Shell shell = Shell.run(args);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).containsPattern("(?m)^scheduler +processor +deciding +calls");
        JsonNode costs = new ObjectMapper()
                .readTree(Files.readString(out.resolve("timing.json")))
                .get("schedulers");
        assertThat(costs).hasSize(2);
        for (JsonNode cost : costs) {
            assertThat(cost.get("jobs").asInt()).isEqualTo(80);
            // Each start is a decision, and at least one call an episode is answered by waiting.
            assertThat(cost.get("calls").asInt()).isGreaterThan(81);
            assertThat(cost.get("deciding_processor_seconds").asDouble())
                    .isPositive()
                    .isLessThanOrEqualTo(cost.get("run_processor_seconds").asDouble());
        }
        assertThat(Files.readString(out.resolve("summary.json"))).doesNotContain("processor");
    }
}
