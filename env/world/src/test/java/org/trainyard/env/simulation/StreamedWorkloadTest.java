package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.StreamedJob;
import org.trainyard.env.workload.Workload;

/** Jobs that are drawn while they run and forgotten afterwards; audits are on. */
class StreamedWorkloadTest {
    private static final int JOBS = 500;

    private final Topology topology = Topology.uniform("tree", Fabric.DEFAULT, 6, 4, ServerSpec.ofV100(4), 2);

    /** Jobs of which one needs so many times the work of its own. */
    private Workload jobs(long seed, double timesLonger) {
        Workload drawn = RandomWorkloads.of(seed, JOBS, topology.gpus());
        double[] iterations = IntStream.range(0, JOBS)
                .mapToDouble(job -> drawn.trueIterations(job) * (job == 20 ? timesLonger : 1))
                .toArray();
        return new Workload(IntStream.range(0, JOBS).mapToObj(drawn::job).toList(), iterations);
    }

    private static Workload streamed(Workload whole) {
        return Workload.streamed(IntStream.range(0, JOBS)
                .mapToObj(job -> new StreamedJob(whole.job(job), whole.trueIterations(job)))
                .iterator());
    }

    private Simulator simulator(Workload workload) {
        return new World(
                        topology,
                        new RingPerformance(topology, AnalyticInterference.DEFAULT, new Contention.MaxMin()),
                        new Simulator.Options(30_000_000_000L, true)
                                .with(new Outages.Exponential(300, 900, 2, 1), 600_000_000_000L))
                .simulator(workload);
    }

    /** Rejects, preempts, and starts at random on any free GPUs. */
    private Decision scatter(SimView view, RandomGenerator random) {
        if (view.runningCount() > 1 && random.nextInt(30) == 0) {
            return new Decision.Preempt(view.firstRunning());
        }
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            if (job % 50 == 49 && view.firstStartNanos(job) < 0) {
                return new Decision.Reject(job);
            }
            int[] free = IntStream.range(0, topology.gpus())
                    .filter(gpu -> view.cluster().owner(gpu) == Cluster.FREE)
                    .toArray();
            if (view.job(job).gpus() <= free.length) {
                return new Decision.Start(
                        job,
                        Placement.of(
                                topology,
                                IntStream.of(free).limit(view.job(job).gpus()).toArray()));
            }
        }
        return Decision.WAIT;
    }

    private Scheduler scatter(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/scatter");
        return view -> scatter(view, random);
    }

    /** The table of slots begins with 64 numbers: it wraps, and doubles while one job lives on. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 300"})
    void runs_are_those_of_the_same_jobs_in_memory(long seed, double timesLonger) {
        Workload whole = jobs(seed, timesLonger);
        Simulator inMemory = simulator(whole);
        RunResult expected = inMemory.run(scatter(seed));

        Workload workload = streamed(whole);
        Simulator simulator = simulator(workload);
        List<JobOutcome> outcomes = new ArrayList<>();
        simulator.run(scatter(seed), outcomes::add);

        assertThat(simulator.eventLog().sha256()).isEqualTo(expected.eventLogSha256());
        assertThat(simulator.decisions()).isEqualTo(expected.decisions());
        assertThat(outcomes).containsExactlyInAnyOrderElementsOf(expected.jobs());
        assertThat(expected.rejected()).isNotEmpty();
        assertThat(expected.jobs()).extracting(JobOutcome::kills).anyMatch(kills -> kills > 0);
        assertThat(workload.slots().room()).isLessThan(JOBS / 2);
        assertThat(workload.slots().oldest()).isEqualTo(JOBS);
    }

    @Test
    void jobs_before_the_oldest_that_lives_and_their_events_are_forgotten() {
        Workload workload = streamed(jobs(1, 1));
        Simulator simulator = simulator(workload);
        Scheduler scheduler = scatter(1);
        int[] start = {0};
        simulator.run(
                view -> {
                    if (view.journalStart() > start[0]) {
                        start[0] = view.journalStart();
                        assertThat(view.journalJob(view.journalStart()))
                                .isEqualTo(workload.slots().oldest());
                        assertThat(view.journalKind(view.journalStart())).isEqualTo(EventKind.ARRIVE);
                    }
                    return scheduler.decide(view);
                },
                outcome -> {});
        SimView view = simulator.view();

        assertThat(start[0]).isGreaterThan(JOBS / 4);
        assertThat(view.journalStart()).isEqualTo(view.journalSize());
        assertThat(view.state(0)).isEqualTo(JobState.DONE);
        assertThatThrownBy(() -> view.job(0)).hasMessage("job (0) has ended and is forgotten");
        assertThatThrownBy(() -> view.preemptions(JOBS - 1)).hasMessageContaining("is forgotten");
        assertThatThrownBy(() -> view.job(JOBS)).hasMessage("job (500) has not been submitted yet");
        assertThatThrownBy(() -> view.journalKind(3)).hasMessageContaining("entry (3) of the journal is forgotten");
        assertThatThrownBy(() -> simulator.apply(new Decision.Preempt(0))).hasMessageContaining("job (0): it is");
    }
}
