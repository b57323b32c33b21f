package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trainyard.experiments.advice.AnswerOfFour.FIFO;
import static org.trainyard.experiments.advice.AnswerOfFour.PAST;
import static org.trainyard.experiments.advice.AnswerOfFour.waiting;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.simulation.LoggedCluster;

/** What is said of answers, to the letter: jobs waited for an hour in the past, and in a replay of FIFO. */
class AdviceTextTest {
    private static final LogOutcome EASY = waiting("easy", 0, 30);
    private static final LogOutcome SJF = waiting("sjf", 0, 20);
    private static final LogOutcome SRTF = waiting("srtf", 8, 10);
    private static final String ABOUT_EASY =
            "easy would change the simulated mean wait from 1 h to 30 min, 30 min less (20 min .. 40 min)";

    /** Easy saves 20 to 40 minutes, and others save more that no manager runs. */
    private static AnswerOfFour gain() {
        return new AnswerOfFour()
                .with(SRTF, 40, 55)
                .with(SJF, 35, 45)
                .with(EASY, 20, 40)
                .with(FIFO, 0, 0);
    }

    private static JsonNode json(AnswerOfFour answer) {
        return JsonText.read(AdviceText.json(answer.advice()));
    }

    @Test
    void a_gain_is_told_with_its_settings_its_price_and_what_drivers_would_gain() {
        AnswerOfFour answer = gain().restart(300, 1200, "sjf", "easy", "fifo");

        assertThat(answer.text().lines())
                .containsExactly(
                        "Answer: " + ABOUT_EASY
                                + "; slurm.conf: SchedulerType=sched/backfill; slurm.conf: PriorityType=priority/basic;"
                                + " slurm.conf: SchedulerParameters=bf_continue,bf_job_part_count_reserve=1; this turns off"
                                + " weights of priority and fair share; it costs no preemptions.",
                        "Past: 4 jobs in 30 days; wait 1 h on average, 1 h at p95; 50 % of the GPUs held.",
                        "Nearest: fifo, simulated, waits 1 h on average, 1 h at p95.",
                        "Trust: good, of only 4 jobs; the simulation reproduces your past; nothing was fitted; the mean wait"
                                + " is off by 0 % and the p95 by 0 %; 100 % of the jobs start within a minute of their start.",
                        "With a driver, without preemption: sjf would change the simulated mean wait from 1 h to 20 min,"
                                + " 40 min less (35 min .. 45 min).",
                        "Best of all: srtf would change the simulated mean wait from 1 h to 10 min, 50 min less"
                                + " (40 min .. 55 min); it costs 8 preemptions a month, each with a restart of 30 s.",
                        "To run them: easy never preempts, reads predicted run times or limits, Slurm runs it; sjf never"
                                + " preempts, reads predicted run times or limits, Trainyard decides (serve); srtf preempts"
                                + " running jobs, reads predicted run times or limits, Trainyard decides (serve).",
                        "Restarts: as they cost more, the answer turns over: fifo at 30 s (1 h); sjf, easy, fifo at 5 min"
                                + " (20 min).",
                        "",
                        "scheduler  mean wait  95 % interval  p95 wait  p99 wait  mean JCT  longest wait  GPUs  preempt/month",
                        "as it was  1 h  1 h  1 h  1 h 2 min  1 h  50 %  -",
                        "srtf  10 min  9 min .. 11 min  10 min  10 min  11 min 40 s  10 min  50 %  8  best",
                        "sjf  20 min  19 min .. 21 min  20 min  20 min  21 min 40 s  20 min  50 %  0",
                        "easy  30 min  29 min .. 31 min  30 min  30 min  31 min 40 s  30 min  50 %  0",
                        "fifo  1 h  59 min .. 1 h 1 min  1 h  1 h  1 h 2 min  1 h  50 %  0  nearest to the past",
                        "Waits: time between submission and end without GPUs. Intervals: bootstrap over 20 blocks of"
                                + " successive jobs. `list schedulers` says what each does.",
                        "Rows by kind: our reading: easy.");
    }

    @Test
    void a_gain_is_told_to_machines_with_every_name() {
        JsonNode json = json(gain().restart(300, 1200, "sjf", "easy", "fifo"));

        assertThat(List.of(
                        json.get("best").asText(),
                        json.get("best_without_preemption").asText(),
                        json.get("best_configurable").asText(),
                        json.get("nearest").asText(),
                        json.get("trust").asText(),
                        json.get("metric").asText()))
                .containsExactly("srtf", "sjf", "easy", "fifo", "good", "mean-wait");
        assertThat(List.of(json.get("keep").isNull(), json.get("no_answer").isNull(), json.has("bound")))
                .containsExactly(true, true, false);
        assertThat(json.get("schedulers").findValuesAsText("name")).containsExactly("srtf", "sjf", "easy", "fifo");
        assertThat(json.at("/schedulers/0/kind").asText()).isEqualTo("textbook");
        assertThat(json.at("/schedulers/0/preemptions").asInt()).isEqualTo(8);
        assertThat(json.at("/schedulers/0/value_s").asDouble()).isEqualTo(600);
        assertThat(json.at("/schedulers/0/needs/preemption").asBoolean()).isTrue();
        assertThat(json.at("/schedulers/0/interval_s/1").asDouble()).isEqualTo(660);
        assertThat(json.at("/schedulers/0").has("fairness")).isFalse();
        assertThat(json.get("restart_costs_s").findValuesAsText("best")).containsExactly("fifo", "sjf");
        assertThat(json.get("wait_while_gpus_free").isNull()).isTrue();
        assertThat(json.get("start_delay_s").isNull()).isTrue();
        assertThat(json.get("notes").get(0).asText()).isEqualTo("A note.");
        assertThat(json.get("days").asDouble()).isEqualTo(30);
        assertThat(json.at("/past/gpus_held").asDouble()).isEqualTo(0.5);
    }

    /** Nothing that a manager runs saves something for certain: what is the best of it is said as it is. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "58|-20|UNKNOWN|keep fifo; nothing else that a resource manager runs as configured gives a significant gain"
                        + " (best: easy, mean wait 58 min, saves -20 min .. 40 min).",
                "60|-20|UNKNOWN|keep fifo; nothing else that a resource manager runs as configured has a shorter mean wait"
                        + " (1 h, simulated).",
                "61|-20|SLURM|keep fifo; nothing else that Slurm runs as configured shortens the mean wait (with easy, the best"
                        + " of them, 1 h 1 min, today 1 h); --search tunes more settings of Slurm.",
                "58|0|KUBERNETES|none"
            })
    void what_runs_today_is_kept_where_nothing_is_gained_for_certain(
            double minutes, double low, ResourceManager manager, String answer) {
        AnswerOfFour easy = new AnswerOfFour().with(waiting("easy", 0, minutes), low, 40);
        easy.manager = manager;

        if (answer.equals("none")) {
            assertThat(easy.line("Answer"))
                    .as("easy is none of Kubernetes, and the best of all")
                    .isEqualTo(
                            "no scheduler gives a significant gain (best: easy, mean wait 58 min, saves 0 s .. 40 min).");
            assertThat(json(easy).get("keep").isNull()).isTrue();
        } else {
            assertThat(easy.line("Answer")).isEqualTo(answer);
            assertThat(json(easy).get("keep").asText()).isEqualTo("fifo");
        }
    }

    /** The nearest to the past is none that the manager runs, or like nothing in the past. */
    @ParameterizedTest
    @CsvSource({"srtf, 60, 'keep what runs today; '", "fifo, 30, ''", "'fifo (packed)', 60, 'keep fifo; '"})
    void what_runs_today_is_named_as_far_as_it_is_known(String nearest, double minutes, String keep) {
        AnswerOfFour answer = new AnswerOfFour().with(waiting("easy", 0, 59), -1, 1);
        LogOutcome replay = waiting(nearest, 0, minutes);
        answer.reproduction = new Reproduction(PAST, replay, List.of(), 1, replay, replay, replay, null);

        assertThat(answer.line("Answer")).startsWith(keep + "nothing else that a resource manager runs");
    }

    @Test
    void own_settings_are_kept_where_no_other_is_better() {
        LogOutcome own = waiting("slurm:/c/slurm.conf", 0, 60);
        AnswerOfFour answer = new AnswerOfFour()
                .with(waiting("slurm (bf_window=60)", 0, 59), -1, 2)
                .with(own, 0, 0)
                .with(EASY, 20, 40);
        answer.manager = ResourceManager.SLURM;

        assertThat(answer.line("Answer"))
                .isEqualTo(
                        "keep your settings; no setting of Slurm tried gives a significant gain (best: slurm"
                                + " (bf_window=60), mean wait 59 min, saves -1 min .. 2 min); --search tunes more settings of Slurm.");
    }

    @Test
    void weak_trust_gives_no_answer_to_act_on() {
        AnswerOfFour answer = gain();
        answer.leftOut = List.of(new LeftOut("too wide", 1, 50));

        assertThat(answer.line("Answer")).isEqualTo("none to act on, for trust is weak; " + ABOUT_EASY + ".");
        assertThat(answer.line("Trust"))
                .startsWith("weak, of only 4 jobs; ")
                .endsWith("; 33 % of the load was left out.");
        assertThat(json(answer).get("trust").asText()).isEqualTo("weak");
        assertThat(json(answer).get("left_out_share").asDouble()).isEqualTo(1 / 3.0);
    }

    /** Three of four hours waited while GPUs were free, and half of all in no replay. */
    @Test
    void no_gain_is_told_where_much_of_the_wait_is_not_explained() {
        AnswerOfFour answer = gain().held(3, 55, 0.5, 0.5, false);
        String none =
                "none; 75 % of the wait was while enough GPUs were free, and no scheduler that Slurm, Kueue or Volcano"
                        + " runs explains it, so no gain is promised; limits, earlier jobs, or CPUs and memory held jobs then, and"
                        + " the cluster does not say the CPUs and memory of its servers";

        assertThat(answer.line("Answer")).isEqualTo(none + ".");
        assertThat(answer.line("Trust"))
                .endsWith(
                        "start within a minute of their start; 50 % of the wait was while enough GPUs were free, and is not so in"
                                + " the nearest replay of what a manager runs.");
        assertThat(answer.line("Starts"))
                .isEqualTo(
                        "55 s pass between decision and start, as for the jobs that found room and nobody before them;"
                                + " every wait has them, and no scheduler saves them.");
        assertThat(answer.text()).doesNotContain("Free GPUs", "Best of all", "  best");
        JsonNode json = json(answer);
        assertThat(json.get("no_answer").asText()).isEqualTo(none);
        assertThat(json.get("best").isNull()).isTrue();
        assertThat(json.get("best_configurable").isNull()).isTrue();
        assertThat(json.get("restart_costs_s")).isEmpty();
        assertThat(json.get("wait_while_gpus_free").asDouble()).isEqualTo(0.75);
        assertThat(json.get("start_delay_s").asDouble()).isEqualTo(55);
    }

    @ParameterizedTest
    @CsvSource({"0.25, true", "0.2501, false"})
    void a_quarter_of_the_wait_may_be_unexplained(double unexplained, boolean promises) {
        assertThat(gain().held(3, 0, unexplained, unexplained, true).advice().promises())
                .isEqualTo(promises);
    }

    /** Where servers say their CPUs, limits and earlier jobs are left. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "false|75 % of the wait was while enough GPUs were free; limits, earlier jobs, or CPUs and memory held jobs then,"
                        + " and the cluster does not say the CPUs and memory of its servers.|fair",
                "true||good"
            })
    void waits_while_gpus_were_free_are_said_beside_a_gain(boolean isReckoned, @Nullable String line, String trust) {
        AnswerOfFour answer = gain().held(3, 0, 0.1, 0.1, isReckoned);

        assertThat(answer.line("Free GPUs")).isEqualTo(line == null ? "" : line);
        assertThat(answer.line("Starts")).isEmpty();
        assertThat(answer.line("Trust")).startsWith(trust + ", ");
        assertThat(answer.line("Answer")).startsWith("easy would change");
    }

    @Test
    void what_limits_held_is_said_where_the_cluster_says_its_cpus() {
        assertThat(gain().held(3, 0, 0.5, 0.5, true).line("Answer"))
                .endsWith("so no gain is promised; limits or earlier jobs held jobs then.");
    }

    /** Slurm's limits of partitions explain the waits under it alone. */
    @Test
    void gains_of_schedulers_that_do_not_explain_the_waits_are_not_promised() {
        LogOutcome setting = waiting("slurm (bf_window=60)", 0, 40);
        AnswerOfFour answer = new AnswerOfFour()
                .with(SRTF, 40, 55)
                .with(setting, 10, 30)
                .with(waiting("slurm:/c/slurm.conf", 0, 60), 0, 0)
                .held(3, 0, 0.1, 0.9, true);
        answer.manager = ResourceManager.SLURM;

        assertThat(answer.line("Other schedulers"))
                .isEqualTo("no gain is promised, for 75 % of the wait was while enough GPUs were free, which slurm"
                        + " (bf_window=60) explains and they do not: its limits of partitions hold under Slurm alone.");
        assertThat(answer.text()).doesNotContain("Best of all", "With a driver");
        assertThat(answer.line("To run them"))
                .isEqualTo("slurm (bf_window=60) never preempts, reads predicted run times or limits, Slurm runs it;"
                        + " --search tunes more settings of Slurm.");
        Advice advice = answer.advice();
        assertThat(advice.ranking().stream().map(advice::promises)).containsExactly(false, true, true);
    }

    /** Of an hour of wait a replay has 3 min 55 s, of which 55 s are the start: a twentieth; or one second more. */
    @ParameterizedTest
    @CsvSource({"235, true", "236, false"})
    void nothing_is_gained_where_hardly_a_job_queues(double replayed, boolean isWithoutQueue) {
        AnswerOfFour answer = gain().held(0, 55, 0, 0, true);
        LogOutcome replay = waiting("fifo", 0, replayed / 60);
        answer.reproduction = new Reproduction(PAST, replay, List.of(), 1, replay, replay, replay, null);

        assertThat(answer.advice().isWithoutQueue()).isEqualTo(isWithoutQueue);
        assertThat(answer.line("Answer")
                        .startsWith("nothing is to be gained, for hardly a job queues in the replay nearest to"
                                + " the past, of a wait of 1 h on average."))
                .isEqualTo(isWithoutQueue);
        assertThat(json(answer).get("best").isNull()).isEqualTo(isWithoutQueue);
    }

    @Test
    void without_a_past_values_stand_alone() {
        AnswerOfFour answer = new AnswerOfFour().with(SRTF, true).with(EASY, false);
        answer.reproduction = null;

        assertThat(answer.line("Answer"))
                .isEqualTo(
                        "easy would have a mean wait of 30 min (29 min .. 31 min); slurm.conf: SchedulerType=sched/backfill;"
                                + " slurm.conf: PriorityType=priority/basic; slurm.conf:"
                                + " SchedulerParameters=bf_continue,bf_job_part_count_reserve=1; this turns off weights of priority"
                                + " and fair share; it costs no preemptions.");
        assertThat(answer.line("Past"))
                .isEqualTo(
                        "the log of 4 jobs does not say when jobs ran (columns start_s and end_s, or Start and End), so"
                                + " nothing shows whether a simulation is like your cluster.");
        assertThat(answer.line("Too close to call")).isEqualTo("srtf.");
        assertThat(answer.text()).doesNotContain("Nearest", "Trust", "as it was");
        assertThat(json(answer).get("trust").asText()).isEqualTo("unknown");
        assertThat(json(answer).get("nearest").isNull()).isTrue();
        assertThat(json(answer).get("too_close_to_call").get(0).asText()).isEqualTo("srtf");
    }

    /** The log tells a past of some jobs, over hours, that several schedulers reproduce after a fit. */
    @Test
    void the_past_is_told_with_its_jobs_its_span_and_who_is_as_near() {
        AnswerOfFour answer = gain();
        answer.jobs = 9;
        answer.days = 1.5;
        answer.limits = LoggedCluster.Limits.KEPT;
        answer.reproduction =
                new Reproduction(PAST, FIFO, List.of("a", "b", "c", "d", "e"), 1.1, FIFO, FIFO, FIFO, 0.9);

        assertThat(answer.line("Past"))
                .isEqualTo("4 jobs in 1 d 12 h; wait 1 h on average, 1 h at p95; 9 jobs ran in all.");
        assertThat(answer.line("Nearest"))
                .isEqualTo(
                        "fifo (as near, so the log does not tell which ran: a, b, c, d and 1 more), simulated, waits 1 h on"
                                + " average, 1 h at p95, with all durations times 1.10.");
        assertThat(answer.line("Trust"))
                .isEqualTo(
                        "good, of only 4 jobs; the simulation reproduces your past; durations were fitted to the mean wait,"
                                + " which was off by 0 %; the p95, which was not fitted, is off by 0 %; 100 % of the jobs start within"
                                + " a minute of their start, and 90 % of the starts of the controller's log are made from the state"
                                + " of their cycle; every scheduler keeps the limits of QOS and accounts in slurm.conf.");
        assertThat(answer.text()).contains("as it was  1 h  1 h  1 h  1 h 2 min  1 h  50 %  -  4 of 9 jobs\n");
        assertThat(answer.line("Answer"))
                .as("no replay of today")
                .startsWith("easy would have a mean wait of 30 min (");
        answer.days = 2;
        answer.reproduction = new Reproduction(PAST, FIFO, List.of("a", "b"), 1, FIFO, FIFO, FIFO, null);
        answer.limits = LoggedCluster.Limits.UNKNOWN;
        assertThat(answer.line("Past")).startsWith("4 jobs in 2 days; ");
        assertThat(answer.line("Nearest")).startsWith("fifo (as near: a, b), simulated, waits");
        assertThat(answer.line("Trust"))
                .endsWith(
                        "; not known are the limits of QOS and accounts, under which jobs may wait longer than here.");
    }

    @Test
    void jobs_that_only_slurm_keeps_on_some_servers_are_said_beside_a_driver() {
        AnswerOfFour answer = gain();
        answer.unequal = "3 jobs";

        assertThat(answer.line("With a driver, without preemption"))
                .endsWith(
                        "(35 min .. 45 min); not on equal terms with Slurm, for 3 jobs run on any server of the type there.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "srtf, sjf, fifo|srtf, sjf, fifo|the first three stay",
                "srtf, sjf, fifo|srtf, easy, fifo|the answer stays and the first three turn over",
                "srtf, sjf, fifo|sjf, srtf, fifo|the answer turns over"
            })
    void restarts_that_cost_more_turn_the_answer_over_or_not(String first, String second, String says) {
        AnswerOfFour answer = gain();
        answer.restarts.clear();
        answer.restart(30, 600, first.split(", ", -1)).restart(900, 700, second.split(", ", -1));

        assertThat(answer.line("Restarts"))
                .isEqualTo("as they cost more, %s: %s at 30 s (10 min); %s at 15 min (11 min 40 s)."
                        .formatted(says, first, second));
    }

    @Test
    void nothing_is_said_of_restarts_where_nobody_preempts_or_one_cost_was_tried() {
        assertThat(gain().line("Restarts")).isEmpty();
        assertThat(new AnswerOfFour()
                        .with(SJF, 35, 45)
                        .with(EASY, 20, 40)
                        .restart(300, 1200, "sjf")
                        .line("Restarts"))
                .isEmpty();
    }

    @Test
    void a_bound_says_who_keeps_it() {
        AnswerOfFour answer = gain();
        WaitBound bound = WaitBound.parse("--bound", "p95 of all: 5 %");
        answer.pays = new WhoPays(FIFO, List.of(), bound, List.of("sjf", "easy"));

        assertThat(answer.line("Within the bound (p95 of all: 5 %)"))
                .isEqualTo(
                        "2 of 4 schedulers; sjf would change the simulated mean wait from 1 h to 20 min, 40 min less (35 min"
                                + " .. 45 min).");
        assertThat(json(answer).get("bound").asText()).isEqualTo("p95 of all: 5 %");
        assertThat(json(answer).get("best_within_bound").asText()).isEqualTo("sjf");
        assertThat(json(answer).get("within_bound").get(1).asText()).isEqualTo("easy");
        answer.pays = new WhoPays(FIFO, List.of(), bound, List.of());
        assertThat(answer.line("Within the bound (p95 of all: 5 %)")).isEqualTo("no scheduler.");
        assertThat(json(answer).get("best_within_bound").isNull()).isTrue();
    }

    /**
     * Of fifteen schedulers the first twelve, the learned policy and those that the answer names; the nearest has a row
     * of its own.
     */
    @Test
    void the_table_has_the_first_rows_and_those_that_are_named() {
        AnswerOfFour answer = new AnswerOfFour();
        IntStream.rangeClosed(1, 14).forEach(i -> answer.with(waiting("p" + i, 3, 10 + i), false));
        answer.with(waiting(Advice.LEARNED, 3, 25), false).with(waiting("easy", 0, 26), 20, 40);
        answer.with(waiting("conservative", 0, 26), false);

        List<String> rows = answer.text()
                .lines()
                .dropWhile(line -> !line.startsWith("as it was"))
                .takeWhile(line -> !line.startsWith("17 schedulers ran"))
                .map(line -> line.replaceFirst("  .*", ""))
                .toList();

        assertThat(rows)
                .containsExactly(
                        "as it was",
                        "fifo",
                        "p1",
                        "p2",
                        "p3",
                        "p4",
                        "p5",
                        "p6",
                        "p7",
                        "p8",
                        "p9",
                        "p10",
                        "p11",
                        "p12",
                        "learned",
                        "easy");
        assertThat(answer.text()).contains("17 schedulers ran; --json has all of them.", "  0  = conservative\n");
    }

    @Test
    void schedulers_level_with_the_best_are_named_and_marked() {
        AnswerOfFour answer = new AnswerOfFour()
                .with(EASY, 20, 40)
                .with(waiting("conservative", 0, 31), true)
                .with(waiting("sjf", 0, 31), true)
                .with(waiting("srtf", 2, 32), true);

        assertThat(answer.line("Too close to call")).isEqualTo("conservative, srtf.");
        assertThat(answer.text()).contains("  too close to call  = sjf\n");
    }

    @Test
    void preemptions_count_by_thirty_days_and_by_an_hour_at_least() {
        AnswerOfFour answer = gain();

        answer.days = 60;
        assertThat(answer.advice().preemptionsAMonth(SRTF)).isEqualTo(4);
        answer.days = 0;
        assertThat(answer.advice().preemptionsAMonth(SRTF)).isEqualTo(8 * 24 * 30.0);
        assertThat(answer.advice().noting(List.of("More.")).notes()).containsExactly("A note.", "More.");
        assertThat(answer.advice().pastValue()).isEqualTo(3600);
    }
}
