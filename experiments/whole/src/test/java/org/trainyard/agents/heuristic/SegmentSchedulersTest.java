package org.trainyard.agents.heuristic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;

/** Schedulers on three NVL72 whose jobs come in segments, with gangs that any border may cut among them. */
class SegmentSchedulersTest {
    private static final Topology RACKS = Objects.requireNonNull(Topologies.parse("nvl72:3"));

    private static Workload workload(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/segments");
        ModelProfile model = ModelCatalog.standard().neutral();
        List<JobSpec> jobs = new ArrayList<>();
        long submit = 0;
        for (int id = 0; id < 60; id++) {
            int segment = 8 << random.nextInt(3);
            Demand demand = random.nextInt(3) == 0
                    ? Demand.ofGpus(1 + random.nextInt(80))
                    : Demand.ofGpus(segment * (1 + random.nextInt(4))).inSegments(segment);
            submit += random.nextLong(200_000_000_000L);
            jobs.add(new JobSpec(id, "job" + id, submit, demand, model, 1));
        }
        return new Workload(jobs, random.doubles(jobs.size(), 50, 3_000).toArray());
    }

    @Test
    void schedulers_that_keep_segments_start_and_end_every_job_and_cut_none() {
        List<String> names = List.of(
                "fifo", "fifo-backfill", "sjf", "sjf/first-fit", "srtf", "las", "tuned:srtf+sets", "tuned:fifo+sets");
        for (long seed = 1; seed <= 3; seed++) {
            Workload workload = workload(seed);
            for (String name : names) {
                SchedulerRegistry.Entry entry = SchedulerRegistry.named(name);
                for (int job = 0; job < workload.size(); job++) {
                    entry.requireServes("job", workload.job(job).demand());
                }
                // The simulator refuses a start that cuts a segment.
                Simulator simulator = new World(
                                RACKS, new RatedPerformance(), new Simulator.Options(30_000_000_000L, true))
                        .simulator(workload);
                simulator.run(entry.create(RACKS, AnalyticInterference.DEFAULT, seed));
                assertThat(simulator.isDone()).as(name).isTrue();
            }
        }
    }

    @Test
    void other_schedulers_refuse_segments_in_one_line() {
        Demand segments = Demand.ofGpus(64).inSegments(32);
        for (String name : List.of("patient", "slurm", "kueue", "volcano", "easy", "sjf/fgd", "tuned:srtf+best-fit")) {
            assertThat(SchedulerRegistry.named(name).serves(segments)).as(name).isFalse();
            assertThatThrownBy(() -> SchedulerRegistry.named(name).requireServes("job a", segments))
                    .hasMessage(
                            "job a: 'segment 32' is not valid: expected no segment, for %s may cut it; fifo, sjf, srtf and las do not"
                                    .formatted(name));
        }
    }
}
