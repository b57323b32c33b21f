package org.trainyard.env.scheduling.gang;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingSlowdown;
import org.trainyard.env.scheduling.gpusets.GpuRule;
import org.trainyard.env.scheduling.gpusets.GpuSets;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/** Every state of episodes of random actions on a DGX-1V, a Minsky and a server without an interior. */
class GpuCandidatesTest {
    private static final ServerSpec PLAIN = new ServerSpec(GpuType.V100, 2, 8, false);

    private static Topology topology() {
        return new Topology.Builder("interiors", Fabric.DEFAULT)
                .rack(List.of(PLAIN.with(Interiors.named("dgx1v")), PLAIN, PLAIN.with(Interiors.named("minsky"))))
                .build();
    }

    private interface Check {
        void at(SimView view, int job, GangCandidates sets, int found);
    }

    private static int everywhere(GpuRule rule, Check check) {
        int[] calls = {0};
        Topology topology = topology();
        GangCandidates sets = new GangCandidates(topology, InterferenceModel.NONE, 100, rule);
        for (long seed = 1; seed <= 3; seed++) {
            RandomPlay.play(seed, topology, view -> {
                for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                    int found = sets.find(view, job);
                    if (found > 0 && sets.servers(0) == 1) {
                        check.at(view, job, sets, found);
                        calls[0]++;
                    }
                }
            });
        }
        return calls[0];
    }

    @Test
    void a_placement_is_the_set_that_was_priced() {
        int calls = everywhere(GpuRule.BOTH, (view, job, sets, found) -> {
            PlacementBuilder builder = new PlacementBuilder(view.topology(), view.cluster());
            RingSlowdown slowdown = new RingSlowdown(view.topology());
            Set<Placement> seen = new HashSet<>();
            for (int set = 0; set < found; set++) {
                Placement placement = sets.placement(set, builder);
                assertThat(seen.add(placement)).isTrue();
                assertThat(sets.mask(set) == SetChoice.ANY || sets.mask(set) == placement.maskOn(0))
                        .isTrue();
                assertThat(sets.ring(set)).isGreaterThanOrEqualTo(slowdown.of(view.job(job), placement));
            }
        });
        assertThat(calls).isGreaterThan(100);
    }

    /** Of all sets of free GPUs of a server, none has a wider ring, and none with such a ring leaves more to others. */
    @Test
    void the_widest_set_is_the_best_of_all_sets_of_free_gpus() {
        int[] better = {0};
        everywhere(GpuRule.WIDEST, (view, job, sets, found) -> {
            GpuSets quality = new GpuSets(view.topology());
            for (int set = 0; set < found; set++) {
                int server = sets.server(set, 0);
                if (view.job(job).gpus() > 1 && sets.mask(set) != SetChoice.ANY) {
                    ServerInterior interior = view.topology().inside().of(server);
                    long free = GpuSets.free(view, server);
                    double ring = interior.ring(sets.mask(set));
                    double left = quality.quality(server, free & ~sets.mask(set));
                    for (long other = free; other != 0; other = (other - 1) & free) {
                        if (Long.bitCount(other) == view.job(job).gpus()) {
                            assertThat(interior.ring(other)).isLessThanOrEqualTo(ring);
                            if (interior.ring(other) == ring) {
                                assertThat(quality.quality(server, free & ~other))
                                        .isLessThanOrEqualTo(left);
                            } else {
                                better[0]++;
                            }
                        }
                    }
                }
            }
        });
        assertThat(better[0]).isGreaterThan(100);
    }

    @Test
    void the_cheapest_set_comes_first_and_counts_its_ring() {
        everywhere(GpuRule.BOTH, (view, job, sets, found) -> {
            for (int set = 0; set < found; set++) {
                assertThat(sets.cost(set)).isGreaterThanOrEqualTo(sets.ring(set) - 1);
                if (set > 0) {
                    assertThat(sets.cost(set)).isGreaterThanOrEqualTo(sets.cost(set - 1));
                }
            }
        });
    }

    @Test
    void two_gpus_of_a_full_dgx_1v_take_a_double_link_and_one_takes_what_harms_least() {
        Topology topology = topology();
        GpuSets sets = new GpuSets(topology);
        ServerInterior dgx = topology.inside().of(0);

        assertThat(dgx.ring(sets.widest(0, 0xff, 2))).isEqualTo(44);
        assertThat(dgx.ring(sets.widest(0, 0xff, 4))).isEqualTo(88);
        // GPU 4 has no ring with any two of the others.
        assertThat(sets.sparing(0, 0b10111, 1)).isEqualTo(0b10000);
        assertThat(sets.quality(0, 0xff)).isGreaterThan(sets.quality(0, 0x7f));
    }
}
