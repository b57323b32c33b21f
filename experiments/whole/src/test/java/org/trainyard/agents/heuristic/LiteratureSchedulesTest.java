package org.trainyard.agents.heuristic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.ForSeeds;
import org.trainyard.agents.heuristic.classic.Tetris;
import org.trainyard.agents.heuristic.scenario.RandomScenario;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;

/** Schedules of the literature's schedulers worked out on paper: ideal rates, run times known. */
class LiteratureSchedulesTest {
    private static final Topology ONE_GPU = Topology.uniform(
            "one GPU", Fabric.DEFAULT, 1, 1, ServerSpec.ofV100(1).with(GpuSharing.FRACTIONS), 1);

    /** Takes down whom it asks, and what was decided, in words. */
    private static final class Scribe implements Scheduler {
        final List<String> said = new ArrayList<>();
        private final Scheduler asked;

        Scribe(String name, Topology topology) {
            asked = SchedulerRegistry.named(name).create(topology, AnalyticInterference.DEFAULT, 1);
        }

        @Override
        public Decision decide(SimView view) {
            Decision decision = asked.decide(view);
            long second = view.nowNanos() / TimedJobs.SECOND;
            if (decision instanceof Decision.Start start) {
                said.add("%d: %d on %s".formatted(second, start.job(), gpus(start.placement())));
            } else if (decision instanceof Decision.Resize resize) {
                said.add("%d: %d to %d GPUs"
                        .formatted(second, resize.job(), resize.placement().gpuCount()));
            }
            return decision;
        }

        private static List<Integer> gpus(Placement placement) {
            List<Integer> gpus = new ArrayList<>();
            for (int i = 0; i < placement.gpuCount(); i++) {
                gpus.add(placement.gpu(i));
            }
            return gpus;
        }
    }

    private static Topology cluster(String name) {
        return Objects.requireNonNull(Topologies.parse(name));
    }

    private static List<String> decisions(String scheduler, Topology topology, TimedJobs jobs) {
        Scribe scribe = new Scribe(scheduler, topology);
        jobs.run(topology, scribe, 0);
        return scribe.said;
    }

    /** Workers one by one: first server, second, first; then the second has the smaller load. */
    @Test
    void load_balancing_puts_each_worker_on_the_least_loaded_server() {
        TimedJobs jobs = TimedJobs.list().job(3, 0, 100).job(1, 0, 100);

        assertThat(decisions("load-balancing", cluster("2x4"), jobs))
                .containsExactly("0: 0 on [0, 1, 4]", "0: 1 on [5]");
    }

    /**
     * One GPU splits the eight into cells of 1, 1, 2 and 4; three GPUs want a cell of four, which is whole again at
     * 100.
     */
    @Test
    void hived_takes_the_smallest_free_cell_and_waits_for_one_that_is_large_enough() {
        TimedJobs jobs = TimedJobs.list()
                .job(1, 0, 100)
                .job(2, 0, 100)
                .job(1, 0, 100)
                .job(4, 0, 200)
                .job(3, 10, 50);

        assertThat(decisions("hived", cluster("1x8"), jobs))
                .containsExactly(
                        "0: 0 on [0]", "0: 1 on [2, 3]", "0: 2 on [1]", "0: 3 on [4, 5, 6, 7]", "100: 4 on [0, 1, 2]");
    }

    /** Three free GPUs in one cell of two and one of one are not a cell of four; first in, first out would use them. */
    @Test
    void hived_takes_whole_servers_of_one_rack() {
        TimedJobs jobs = TimedJobs.list().job(1, 0, 100).job(8, 0, 50);

        assertThat(decisions("hived", cluster("2x2x4"), jobs))
                .containsExactly("0: 0 on [0]", "0: 1 on [8, 9, 10, 11, 12, 13, 14, 15]");
    }

    /**
     * Alignments are 8/8 and 2/8 of 8 free GPUs, works 800 and 100 GPU-seconds: scores 1 - 800 x 1.25 / 900 = -0.11 and
     * 0.25 - 100 x 1.25 / 900 = 0.11. Without regard to work the wide job goes first.
     */
    @Test
    void tetris_weighs_alignment_against_work_left() {
        TimedJobs jobs = TimedJobs.list().job(8, 0, 100).job(2, 0, 50);

        assertThat(TimedJobs.endSeconds(jobs.run(cluster("1x8"), "tetris", 0))).containsExactly(150L, 50L);
        assertThat(TimedJobs.endSeconds(jobs.run(cluster("1x8"), new Tetris(cluster("1x8"), 0.1, 0), 0)))
                .containsExactly(100L, 150L);
    }

    private static ModelProfile model(double gpuPressure) {
        Pressure pressure = new Pressure(gpuPressure, 0, 0, 0);
        return new ModelProfile("model", 1, 0, 1, pressure, pressure);
    }

    /**
     * Two that use half of a GPU's time slow each other down by a quarter and may share; those that use all of it may
     * not.
     */
    @Test
    void lucid_packs_two_jobs_that_hardly_disturb_each_other() {
        Demand part = Demand.ofGpus(1).withGpuMilli(300);
        TimedJobs cool = TimedJobs.list()
                .job(model(0.5), part, 0, 100)
                .job(model(0.5), part, 10, 50)
                .job(model(0.5), part, 20, 50);
        TimedJobs hot = TimedJobs.list().job(model(1), part, 0, 100).job(model(1), part, 10, 50);

        assertThat(decisions("lucid", ONE_GPU, cool)).containsExactly("0: 0 on [0]", "10: 1 on [0]", "60: 2 on [0]");
        assertThat(decisions("lucid", ONE_GPU, hot)).containsExactly("0: 0 on [0]", "100: 1 on [0]");
    }

    /**
     * Both want all GPUs: rounds of 360 s; a job that resumes loses 20 s, and with nobody left running a round is over.
     */
    @Test
    void gavel_gives_turns_of_six_minutes() {
        TimedJobs jobs = TimedJobs.list().job(8, 0, 600).job(8, 0, 900);

        // 0 has 240 s left at 360, 1 has 540 s left at 720; 0 ends at 720 + 20 + 240.
        assertThat(TimedJobs.endSeconds(jobs.run(cluster("1x8"), "gavel", 20))).containsExactly(980L, 1540L);
    }

    private static TimedJobs elastic() {
        return TimedJobs.list().job(Demand.ofGpus(4).elastic(1, 8), 0, 5000).job(4, 100, 50);
    }

    /**
     * The first takes all eight; the second must wait for the round in which it gives four up, and has them back in the
     * next.
     */
    @Test
    void optimus_deals_gpus_every_ten_minutes() {
        assertThat(decisions("optimus", cluster("1x8"), elastic()))
                .containsExactly(
                        "0: 0 on [0, 1, 2, 3, 4, 5, 6, 7]",
                        "600: 0 to 4 GPUs",
                        "600: 1 on [4, 5, 6, 7]",
                        "1200: 0 to 8 GPUs");
    }

    @Test
    void pollux_deals_gpus_every_minute() {
        assertThat(decisions("pollux", cluster("1x8"), elastic()))
                .containsExactly(
                        "0: 0 on [0, 1, 2, 3, 4, 5, 6, 7]",
                        "120: 0 to 4 GPUs",
                        "120: 1 on [4, 5, 6, 7]",
                        "180: 0 to 8 GPUs");
    }

    /** Equal jobs, 1 to 8 GPUs each: Optimus gives more to who has more left, Pollux gives both half. */
    @Test
    void optimus_saves_time_where_pollux_is_fair() {
        Demand demand = Demand.ofGpus(4).elastic(1, 8);
        TimedJobs jobs = TimedJobs.list().job(demand, 0, 10_000).job(demand, 0, 1_000);

        // 10,000 s on 4 are 40,000 / w s on w GPUs: 40,000 (1/w - 1/(w + 1)) against 4,000 (1/v - 1/(v + 1)), w + v =
        // 8;
        // from (5, 1) to (6, 1) saves 1,333 s, (5, 2) would save 2,000; from (5, 2) to (6, 2) 1,333, to (5, 3) 667.
        assertThat(decisions("optimus", cluster("1x8"), jobs).subList(0, 2))
                .allMatch(said -> said.startsWith("0: 0 on [0, 1, 2, 3, 4, 5]") || said.startsWith("0: 1 on [6, 7]"));
        assertThat(decisions("pollux", cluster("1x8"), jobs).subList(0, 2))
                .containsExactly("0: 0 on [0, 1, 2, 3]", "0: 1 on [4, 5, 6, 7]");
    }

    /** As in generated workloads: nothing is left of them but the order they are built on. */
    @ForSeeds
    void where_no_job_is_elastic_or_may_share_they_are_what_they_are_built_on(long seed) {
        RandomScenario world = RandomScenario.of(seed);
        Map<String, String> same =
                Map.of("optimus", "fifo-backfill", "pollux", "fifo-backfill", "lucid", "wcs-workload");

        same.forEach((name, order) -> assertThat(eventLog(world, name)).as(name).isEqualTo(eventLog(world, order)));
    }

    private static String eventLog(RandomScenario world, String name) {
        return world.simulator()
                .run(SchedulerRegistry.named(name).create(world.topology(), AnalyticInterference.DEFAULT, 1))
                .eventLogSha256();
    }
}
