package org.trainyard.experiments.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LoggedFacts;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;

class FreeWaitTest {
    private static final long SECOND = 1_000_000_000L;
    private static final LoggedFacts NO_FACTS = new LoggedFacts(null, null, null, null, 0, 0);

    private static TraceJob job(int id, long submit, long wait, long seconds, Demand demand) {
        return new TraceJob("j" + id, submit * SECOND, demand, seconds * SECOND, null, null, null, null)
                .ran(new LoggedRun((submit + wait) * SECOND, (submit + wait + seconds) * SECOND, NO_FACTS));
    }

    /** Second by second, as the definition has it. */
    private static double counted(Topology topology, List<TraceJob> jobs, long skip) {
        double free = 0;
        for (TraceJob job : jobs) {
            List<String> types = job.demand().gpuTypes();
            long start = job.past().startNanos() / SECOND;
            for (long now = job.submitNanos() / SECOND + skip; now < start; now++) {
                long left = left(topology, jobs, now, List.of());
                left = types.isEmpty() ? left : Math.min(left, left(topology, jobs, now, types));
                free += left >= (long) job.gpus() * job.demand().gpuMilli() ? 1 : 0;
            }
        }
        return free;
    }

    private static long left(Topology topology, List<TraceJob> jobs, long now, List<String> types) {
        long left = 0;
        for (int server = 0; server < topology.servers(); server++) {
            boolean isIn = types.isEmpty()
                    || types.contains(topology.server(server).gpuType().name());
            left += isIn ? 1000L * topology.gpusOn(server) : 0;
        }
        for (TraceJob job : jobs) {
            List<String> own = job.demand().gpuTypes();
            boolean isIn = types.isEmpty() || (!own.isEmpty() && types.containsAll(own));
            long start = job.past().startNanos();
            boolean holds = now * SECOND >= start && now * SECOND < start + job.durationNanos();
            left -= isIn && holds ? (long) job.gpus() * job.demand().gpuMilli() : 0;
        }
        return left;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void the_wait_while_gpus_were_free_is_that_of_a_count_second_by_second(long seed) {
        var random = RandomStreams.stream(seed, "free wait");
        Topology topology = Topologies.parse("2x4:A100");
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Demand demand = Demand.ofGpus(1 + random.nextInt(5));
            demand = random.nextInt(3) == 0 ? demand.onTypes(List.of("A100")) : demand;
            demand = random.nextInt(4) == 0 ? Demand.ofGpus(1).withGpuMilli(300) : demand;
            jobs.add(job(i, random.nextInt(100), random.nextInt(30), 1 + random.nextInt(40), demand));
        }
        jobs.sort(Comparator.comparingLong(TraceJob::submitNanos));

        FreeWait free = FreeWait.of(topology, jobs);

        double waits = jobs.stream()
                .mapToDouble(job -> (job.past().startNanos() - job.submitNanos()) / 1e9)
                .sum();
        assertThat(free.waitSeconds()).isCloseTo(waits, within(1e-6));
        assertThat(free.freeSeconds()).isCloseTo(counted(topology, jobs, 0), within(1e-6));
        double[] same = jobs.stream()
                .mapToDouble(job -> (job.past().startNanos() - job.submitNanos()) / 1e9)
                .toArray();
        assertThat(FreeWait.freeSeconds(topology, jobs, same, 7)).isCloseTo(counted(topology, jobs, 7), within(1e-6));
    }

    @Test
    void the_time_of_a_start_is_the_median_wait_of_jobs_that_found_room() {
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < 21; i++) {
            jobs.add(job(i, 1000L * i, 50 + i % 3, 600, Demand.ofGpus(4)));
        }
        // It waits for room, which says nothing of the time that a start takes.
        jobs.add(job(21, 30_000, 0, 600, Demand.ofGpus(8)));
        jobs.add(job(22, 30_100, 500, 600, Demand.ofGpus(8)));

        FreeWait free = FreeWait.of(Topologies.parse("1x8"), jobs);

        assertThat(free.delaySeconds()).isEqualTo(51);
        assertThat(free.delayWords()).isEqualTo("51 s pass between decision and start");
        assertThat(FreeWait.of(Topologies.parse("1x8"), jobs.subList(0, 9)).delaySeconds())
                .isZero();
    }

    @Test
    void what_a_replay_does_not_have_is_unexplained() {
        Topology topology = Topologies.parse("1x8");
        List<TraceJob> jobs = List.of(
                job(0, 0, 0, 3600, Demand.ofGpus(1)),
                job(1, 0, 3600, 3600, Demand.ofGpus(1)),
                job(2, 0, 7200, 3600, Demand.ofGpus(8)));

        FreeWait free = FreeWait.of(topology, jobs);

        assertThat(free.share()).isCloseTo(1 / 3.0, within(1e-9));
        assertThat(free.words()).isEqualTo("33 % of the wait was while enough GPUs were free");
        double[] replay = {0, 0, 3600};
        assertThat(free.unexplained(FreeWait.freeSeconds(topology, jobs, replay, 0)))
                .isCloseTo(1 / 3.0, within(1e-9));
    }
}
