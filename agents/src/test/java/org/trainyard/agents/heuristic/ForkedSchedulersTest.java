package org.trainyard.agents.heuristic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.agents.heuristic.scenario.RandomScenario;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.RuntimePredictor;

/**
 * What a scheduler of the catalogue does when a simulation is copied in mid-run and a fresh one is put in charge of
 * the copy.
 */
class ForkedSchedulersTest {
    private static final int SEEDS = 4;
    /**
     * Those whose next decisions hang on more than the journal tells: random draws, or when they last made a plan,
     * or when a turn or a round began. A new scheduler that is one of them must be named here.
     */
    private static final Set<String> REMEMBER = Set.of(
            "random",
            "fifo/random",
            "fifo-backfill/random",
            "sjf/random",
            "conservative",
            "slurm",
            "srtf/random",
            "las/random",
            "gandiva",
            "themis",
            "gavel",
            "gadget",
            "smd",
            "esw",
            "pd-ors",
            "oasis",
            "drf",
            "sjf-bco-plan",
            "ls-plan",
            "ff-plan",
            "rand-plan");

    /**
     * A run in which nobody has decided yet at an instant after half of the jobs have come, and what was in charge
     * of it.
     */
    private record MidRun(RandomScenario world, Simulator simulator, Scheduler scheduler) {
        static MidRun of(String name, long seed) {
            RandomScenario world = RandomScenario.of(seed);
            Simulator simulator = world.simulator();
            Scheduler scheduler = fresh(name, world, seed);
            while (simulator.advance()
                    && simulator.view().arrived() < world.workload().size() / 2) {
                simulator.decide(scheduler);
            }
            return new MidRun(world, simulator, scheduler);
        }

        Simulator fork() {
            return simulator.fork(RuntimePredictor.oracle(world.workload()));
        }
    }

    private static Scheduler fresh(String name, RandomScenario world, long seed) {
        return SchedulerRegistry.named(name).create(world.topology(), AnalyticInterference.DEFAULT, seed);
    }

    private static RunResult finish(Simulator simulator, Scheduler scheduler) {
        do {
            simulator.decide(scheduler);
        } while (simulator.advance());
        return simulator.result();
    }

    @ParameterizedTest
    @MethodSource("org.trainyard.agents.heuristic.scenario.RegisteredSchedulers#names")
    void a_fresh_one_finishes_all_jobs_of_a_fork_and_twice_alike(String name) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            MidRun run = MidRun.of(name, seed);
            Simulator one = run.fork();
            Simulator other = run.fork();

            String log = finish(one, fresh(name, run.world(), seed)).eventLogSha256();
            assertThat(one.isDone()).as("seed %d", seed).isTrue();
            assertThat(finish(other, fresh(name, run.world(), seed)).eventLogSha256())
                    .isEqualTo(log);
        }
    }

    @ParameterizedTest
    @MethodSource("org.trainyard.agents.heuristic.scenario.RegisteredSchedulers#names")
    void a_fork_that_runs_on_does_not_change_the_run_it_came_from(String name) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            RandomScenario world = RandomScenario.of(seed);
            String alone = world.simulator().run(fresh(name, world, seed)).eventLogSha256();
            MidRun run = MidRun.of(name, seed);

            finish(run.fork(), fresh(name, world, seed));

            assertThat(finish(run.simulator(), run.scheduler()).eventLogSha256())
                    .as("seed %d", seed)
                    .isEqualTo(alone);
        }
    }

    /** All that such a scheduler knows it reads in the view and its journal, so it can be replaced at any time. */
    @ParameterizedTest
    @MethodSource("org.trainyard.agents.heuristic.scenario.RegisteredSchedulers#names")
    void who_remembers_nothing_but_the_journal_goes_on_as_the_one_before_would_have(String name) {
        boolean same = true;
        for (long seed = 1; seed <= SEEDS; seed++) {
            MidRun run = MidRun.of(name, seed);
            String forked = finish(run.fork(), fresh(name, run.world(), seed)).eventLogSha256();

            same &= finish(run.simulator(), run.scheduler()).eventLogSha256().equals(forked);
        }
        assertThat(same).isEqualTo(!REMEMBER.contains(name));
    }
}
