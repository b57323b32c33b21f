package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.StreamedJob;
import org.trainyard.env.workload.Workload;

/**
 * Readers that know who runs from the journal alone, on live clusters whose past is taken back and in streamed runs
 * that forget.
 */
class JournalCursorTest {
    private static final int JOBS = 6;
    private static final Topology SMALL = Topologies.small();

    /** Knows which jobs run. */
    private static final class Reader {
        final JournalCursor journal = new JournalCursor();
        final Set<Integer> running = new HashSet<>();
        int anew;
        int entries;

        void read(SimView view) {
            if (journal.advance(view)) {
                anew++;
                running.clear();
                running.addAll(runningJobs(view));
            }
            for (int entry = journal.first(); entry < journal.end(); entry++) {
                entries++;
                switch (view.journalKind(entry)) {
                    case START -> running.add(view.journalJob(entry));
                    case PREEMPT, FINISH, KILL -> running.remove(view.journalJob(entry));
                    default -> {}
                }
            }
        }
    }

    private static Set<Integer> runningJobs(SimView view) {
        Set<Integer> running = new HashSet<>();
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            running.add(job);
        }
        return running;
    }

    private static LiveCluster live() {
        Worlds worlds = new Worlds();
        IntStream.range(0, JOBS).forEach(job -> worlds.job(1, 0, 60));
        Workload jobs = worlds.workload();
        LiveCluster live = new LiveCluster(new World(SMALL, new RatedPerformance(), new Simulator.Options(0, true))
                .telling(told -> RuntimePredictor.oracle(jobs)));
        IntStream.range(0, JOBS).forEach(job -> live.arrive(jobs.job(job)));
        return live;
    }

    /** The decision that starts a waiting job on the GPU of its number and preempts a running one. */
    private static Decision turn(SimView view, int job) {
        return view.state(job) == JobState.RUNNING
                ? new Decision.Preempt(job)
                : new Decision.Start(job, Placement.of(SMALL, job));
    }

    private static void carryOut(LiveCluster live, int job) {
        if (turn(live.view(), job) instanceof Decision.Start start) {
            live.start(job, start.placement());
        } else {
            live.preempt(job);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void a_reader_knows_the_state_however_much_is_taken_back_and_whenever_it_reads(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/journal");
        LiveCluster live = live();
        SimView view = live.view();
        Reader reader = new Reader();
        for (int step = 0; step < 2_000; step++) {
            if (random.nextInt(4) == 0) {
                List<Decision> decisions = new ArrayList<>();
                random.ints(0, JOBS)
                        .distinct()
                        .limit(random.nextInt(1, 5))
                        .forEach(job -> decisions.add(turn(view, job)));
                boolean reads = random.nextBoolean();
                live.suppose(decisions, () -> {
                    if (reads) {
                        reader.read(view);
                        assertThat(reader.running).isEqualTo(runningJobs(view));
                    }
                });
            } else {
                carryOut(live, random.nextInt(JOBS));
            }
            if (random.nextInt(3) == 0) {
                boolean isAtEnd = reader.journal.isAtEnd(view);
                int before = reader.anew + reader.entries;
                reader.read(view);
                assertThat(reader.running).isEqualTo(runningJobs(view));
                assertThat(isAtEnd).isEqualTo(reader.anew + reader.entries == before);
                assertThat(reader.journal.isAtEnd(view)).isTrue();
            }
        }
        assertThat(reader.anew).isBetween(100, 900);
        assertThat(reader.entries).isGreaterThan(100);
    }

    @Test
    void a_reader_reads_every_entry_once_and_begins_anew_in_another_run() {
        Reader reader = new Reader();
        for (int run = 1; run <= 2; run++) {
            LiveCluster live = live();
            reader.read(live.view());
            assertThat(reader.anew).isEqualTo(run);
            assertThat(reader.entries).isEqualTo((run - 1) * JOBS);
            for (int job = 0; job < JOBS; job++) {
                carryOut(live, job);
                reader.read(live.view());
                assertThat(reader.running).hasSize(job + 1);
            }
        }
        assertThat(reader.anew).isEqualTo(2);
        assertThat(reader.entries).isEqualTo(2 * JOBS);
    }

    @Test
    void a_reader_of_a_streamed_run_begins_anew_after_entries_that_are_forgotten_unread() {
        Worlds worlds = new Worlds();
        IntStream.range(0, 300).forEach(job -> worlds.job(1, 10L * job, 15));
        Workload whole = worlds.workload();
        Workload streamed = Workload.streamed(IntStream.range(0, 300)
                .mapToObj(job -> new StreamedJob(whole.job(job), whole.trueIterations(job)))
                .iterator());
        Simulator simulator =
                new World(SMALL, new RatedPerformance(), new Simulator.Options(0, true)).simulator(streamed);
        Reader always = new Reader();
        Reader seldom = new Reader();
        int[] decisions = {0};
        simulator.run(
                view -> {
                    always.read(view);
                    assertThat(always.running).isEqualTo(runningJobs(view));
                    if (decisions[0]++ % 100 == 0) {
                        seldom.read(view);
                        assertThat(seldom.running).isEqualTo(runningJobs(view));
                    }
                    int job = view.firstWaiting();
                    return job == SimView.NONE
                            ? Decision.WAIT
                            : new Decision.Start(job, Placement.of(SMALL, job % SMALL.gpus()));
                },
                outcome -> {});

        assertThat(always.anew).isEqualTo(1);
        assertThat(seldom.anew).isGreaterThan(3);
    }
}
