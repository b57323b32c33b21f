package org.trainyard.env.scheduling.gpusets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.performance.ring.RingSlowdown;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;

/** Against all sets of free GPUs of a DGX-1V, of a server without an interior, of a Minsky and of one GPU. */
class GpuSetsTest {
    private static final ServerSpec PLAIN = new ServerSpec(GpuType.V100, 2, 8, false);
    private static final Topology TOPOLOGY = new Topology.Builder("interiors", Fabric.DEFAULT)
            .rack(List.of(
                    PLAIN.with(Interiors.named("dgx1v")),
                    PLAIN,
                    PLAIN.with(Interiors.named("minsky")),
                    new ServerSpec(GpuType.V100, 1, 1, false)))
            .build();
    private static final Pressure NONE = new Pressure(0, 0, 0);
    private static final ModelProfile CHATTY = new ModelProfile("chatty", 0.01, 1L << 30, 1, NONE, NONE);
    private static final ModelProfile QUIET = new ModelProfile("quiet", 10, 1L << 20, 1, NONE, NONE);

    private final GpuSets sets = new GpuSets(TOPOLOGY);

    private static double ring(int server, long set) {
        return Long.bitCount(set) < 2 ? 0 : TOPOLOGY.inside().of(server).ring(set);
    }

    /** The mean, over all sizes of a gang, of the widest ring of that size among these over the widest anywhere. */
    private static double quality(int server, long free) {
        double[] widest = new double[65];
        for (long set = free; set != 0; set = set - 1 & free) {
            widest[Long.bitCount(set)] = Math.max(widest[Long.bitCount(set)], ring(server, set));
        }
        double sum = 0;
        for (int size = 2; size <= TOPOLOGY.gpusOn(server); size++) {
            sum += widest[size] / TOPOLOGY.inside().best(size);
        }
        return sum / Math.max(1, TOPOLOGY.gpusOn(server) - 1);
    }

    private static long best(int server, long free, int size, boolean spares, double[] quality) {
        long best = 0;
        for (long set = 1; set <= free; set++) {
            if ((set & ~free) == 0 && Long.bitCount(set) == size) {
                int byRing = best == 0 ? 1 : Double.compare(ring(server, set), ring(server, best));
                int byRest =
                        best == 0 ? 1 : Double.compare(quality[(int) (free & ~set)], quality[(int) (free & ~best)]);
                boolean isBetter =
                        spares ? byRest > 0 || byRest == 0 && byRing > 0 : byRing > 0 || byRing == 0 && byRest > 0;
                best = isBetter ? set : best;
            }
        }
        return best;
    }

    @Test
    void every_set_of_free_gpus_has_the_widest_and_the_most_sparing_choice_of_all() {
        for (int server : new int[] {0, 2}) {
            double[] quality = new double[1 << TOPOLOGY.gpusOn(server)];
            for (int free = 0; free < quality.length; free++) {
                quality[free] = quality(server, free);
                assertThat(sets.quality(server, free)).isCloseTo(quality[free], within(1e-12));
                quality[free] = sets.quality(server, free);
            }
            for (int free = 1; free < quality.length; free++) {
                for (int size = 1; size <= Integer.bitCount(free); size += free % 5 == 0 ? 1 : 2) {
                    assertThat(sets.widest(server, free, size)).isEqualTo(best(server, free, size, false, quality));
                    assertThat(sets.sparing(server, free, size)).isEqualTo(best(server, free, size, true, quality));
                }
            }
            assertThat(sets.loss(server, 0b1111, 0b0101)).isCloseTo(quality[0b1111] - quality[0b1010], within(1e-12));
        }
    }

    @Test
    void of_a_server_without_an_interior_only_the_number_of_free_gpus_counts() {
        for (int free = 0; free < 256; free += 3) {
            assertThat(sets.quality(1, free)).isCloseTo(quality(1, free), within(1e-12));
        }
        assertThat(sets.qualityOfAll(1))
                .isCloseTo(quality(1, 255), within(1e-12))
                .isLessThan(1);
        assertThat(sets.qualityOfAll(0)).isCloseTo(quality(0, 255), within(1e-12));
        assertThat(sets.qualityOfAll(2)).as("three sizes").isCloseTo(quality(2, 15), within(1e-12));
        assertThat(sets.qualityOfAll(3)).isZero();
        assertThat(new GpuSets(new Topology.Builder("dgx", Fabric.DEFAULT)
                                .rack(List.of(PLAIN.with(Interiors.named("dgx1v"))))
                                .build())
                        .qualityOfAll(0))
                .isEqualTo(1);
    }

    /** A chatty and a quiet gang of two wait; GPUs 2 and 3 of the DGX-1V are held. */
    private static Simulator simulator() {
        Simulator simulator = TimedJobs.list()
                .job(CHATTY, 2, 0, 100)
                .job(QUIET, 2, 0, 100)
                .job(QUIET, 1, 0, 100)
                .job(QUIET, 1, 0, 100)
                .job(CHATTY, 2, 0, 100)
                .job(QUIET, Demand.ofGpus(1).withGpuMilli(500), 0, 100)
                .simulator(TOPOLOGY);
        simulator.advance();
        simulator.apply(new Decision.Start(2, Placement.of(TOPOLOGY, 2)));
        simulator.apply(new Decision.Start(3, Placement.of(TOPOLOGY, 3)));
        return simulator;
    }

    @Test
    void each_rule_takes_its_set_at_its_cost() {
        SimView view = simulator().view();
        long free = 0xf3;
        assertThat(GpuSets.free(view, 0)).isEqualTo(free);
        assertThat(GpuSets.free(view, 2)).isEqualTo(0xf);
        long wide = sets.widest(0, free, 2);
        long spare = sets.sparing(0, free, 2);
        assertThat(wide).isNotEqualTo(spare);
        RingSlowdown slowdown = new RingSlowdown(TOPOLOGY);
        JobSpec[] jobs = {view.job(0), view.job(1)};
        assertThat(slowdown.most(jobs[0])).isGreaterThan(SetChoice.SENSITIVE);
        assertThat(slowdown.most(jobs[1])).isBetween(1.0, SetChoice.SENSITIVE);
        for (GpuRule rule : GpuRule.values()) {
            SetChoice choice = new SetChoice(TOPOLOGY, rule);
            assertThat(choice.counts()).isEqualTo(rule != GpuRule.SOCKET);
            assertThat(choice.most()).isEqualTo(rule == GpuRule.BOTH ? 2 : 1);
            for (JobSpec job : jobs) {
                double least = rule == GpuRule.SOCKET ? 0 : Double.POSITIVE_INFINITY;
                for (int i = 0; i < choice.most(); i++) {
                    long expected = switch (rule) {
                        case SOCKET -> SetChoice.ANY;
                        case WIDEST -> wide;
                        case PRESERVE -> job == jobs[0] ? wide : spare;
                        case BOTH -> i == 0 ? wide : spare;
                    };
                    assertThat(choice.set(view, job, 0, 2, i))
                            .as("%s of %s", rule, job.name())
                            .isEqualTo(expected);
                    assertThat(choice.set(view, job, 1, 2, i)).isEqualTo(SetChoice.ANY);
                    double ring = rule == GpuRule.SOCKET ? 1 : slowdown.of(job, 0, expected);
                    double loss = rule == GpuRule.SOCKET ? 0 : sets.loss(0, free, expected);
                    double own = rule == GpuRule.PRESERVE && job == jobs[1] ? 0 : ring - 1;
                    assertThat(choice.slowdown(view, job, 0, expected, 2)).isEqualTo(ring);
                    assertThat(choice.loss(view, 0, expected, 2)).isEqualTo(loss);
                    assertThat(choice.cost(view, job, 0, expected, 2)).isCloseTo(own + loss / 4, within(1e-12));
                    least = Math.min(least, own + loss / 4);
                }
                assertThat(choice.leastCost(view, job, 0, 2)).isCloseTo(least, within(1e-12));
            }
        }
    }

    @Test
    void sets_that_cannot_be_chosen_are_any_and_count_the_lowest_free_gpus() {
        SimView view = simulator().view();
        SetChoice choice = new SetChoice(TOPOLOGY, GpuRule.WIDEST);
        assertThat(choice.set(view, view.job(0), 0, 7, 0)).as("6 are free").isEqualTo(SetChoice.ANY);
        assertThat(choice.set(view, view.job(0), 0, 6, 0)).isEqualTo(0xf3);
        assertThat(choice.set(view, view.job(5), 0, 1, 0)).as("half a GPU").isEqualTo(SetChoice.ANY);
        assertThat(choice.loss(view, 1, SetChoice.ANY, 2)).isEqualTo(sets.loss(1, 0xff, 0b11));
        assertThat(choice.slowdown(view, view.job(0), 1, SetChoice.ANY, 2))
                .isEqualTo(new RingSlowdown(TOPOLOGY).of(view.job(0), 1, 0b11))
                .isGreaterThan(1);
        assertThat(choice.slowdown(view, view.job(2), 1, SetChoice.ANY, 1)).isEqualTo(1);
        assertThat(choice.most(view.job(0))).isEqualTo(new RingSlowdown(TOPOLOGY).most(view.job(0)));
        assertThat(new SetChoice(TOPOLOGY, GpuRule.SOCKET).most(view.job(0))).isEqualTo(1);
        assertThat(choice.qualityOfAll(2)).isEqualTo(sets.qualityOfAll(2));
    }

    @Test
    void the_widest_of_some_gpus_is_what_a_job_alone_there_loses() {
        SetChoice choice = new SetChoice(TOPOLOGY, GpuRule.WIDEST);
        JobSpec job = simulator().view().job(0);
        RingSlowdown slowdown = new RingSlowdown(TOPOLOGY);
        long some = 0b10111;
        assertThat(choice.widestOf(job, 0, some, 2)).isEqualTo(slowdown.of(job, 0, sets.widest(0, some, 2)));
        assertThat(choice.widestOf(job, 1, some, 2))
                .isEqualTo(slowdown.of(job, 1, 0b11))
                .isGreaterThan(1);
        assertThat(choice.widestOf(job, 1, 0b11, 2)).isEqualTo(slowdown.of(job, 1, 0b11));
        assertThat(choice.widestOf(job, 1, some, 5)).isEqualTo(1);
        assertThat(choice.widestOf(job, 1, some, 1)).isEqualTo(1);
        assertThat(new SetChoice(TOPOLOGY, GpuRule.SOCKET).widestOf(job, 1, some, 2))
                .isEqualTo(1);
    }

    /** Two gangs on one DGX-1V over PCIe share it with each other, not with a job of one GPU. */
    @Test
    void a_running_gang_is_slowed_by_its_ring_and_by_its_neighbours_on_one_server() {
        Simulator simulator = simulator();
        SimView view = simulator.view();
        SetChoice choice = new SetChoice(TOPOLOGY, GpuRule.WIDEST);
        ServerInterior dgx = TOPOLOGY.inside().of(0);
        assertThat(dgx.overNvlink(0b1000010)).isFalse();
        simulator.apply(new Decision.Start(0, Placement.of(TOPOLOGY, 1, 6)));
        double alone = new RingSlowdown(TOPOLOGY).of(view.job(0), 0, 0b1000010);
        assertThat(choice.ofRunning(view, 0)).isEqualTo(alone).isGreaterThan(1);
        assertThat(new SetChoice(TOPOLOGY, GpuRule.SOCKET).ofRunning(view, 0)).isEqualTo(1);
        assertThat(choice.ofRunning(view, 2)).as("one GPU").isEqualTo(1);

        simulator.apply(new Decision.Start(4, Placement.of(TOPOLOGY, 0, 7)));
        assertThat(choice.ofRunning(view, 0)).isGreaterThan(alone).isEqualTo(choice.ofRunning(view, 4));
        simulator.apply(new Decision.Preempt(4));
        assertThat(choice.ofRunning(view, 0)).isEqualTo(alone);
        simulator.apply(new Decision.Start(4, Placement.of(TOPOLOGY, 0, 9)));
        assertThat(choice.ofRunning(view, 0)).as("a neighbour on two servers").isEqualTo(alone);
        assertThat(choice.ofRunning(view, 4)).isEqualTo(1);
    }
}
