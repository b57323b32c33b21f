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
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.Placement;
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
}
