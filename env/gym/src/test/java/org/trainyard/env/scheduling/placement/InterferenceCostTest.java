package org.trainyard.env.scheduling.placement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

class InterferenceCostTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void cached_predictions_equal_new_ones(long seed) {
        Topology crowded = Topologies.small();
        InterferenceCost kept = new InterferenceCost(crowded, AnalyticInterference.DEFAULT, ResidualTimeFloor::seconds);
        RandomPlay.play(seed, crowded, view -> {
            int job = view.firstWaiting();
            if (job == SimView.NONE) {
                return;
            }
            for (int server = 0; server < crowded.servers(); server++) {
                InterferenceCost anew =
                        new InterferenceCost(crowded, AnalyticInterference.DEFAULT, ResidualTimeFloor::seconds);
                for (boolean spans : new boolean[] {false, true}) {
                    kept.predict(view, job, server, 1, spans);
                    anew.predict(view, job, server, 1, spans);
                    assertThat(kept.own()).isEqualTo(anew.own()).isGreaterThanOrEqualTo(1);
                    assertThat(kept.harm()).isEqualTo(anew.harm()).isGreaterThanOrEqualTo(0);
                }
            }
        });
    }
}
