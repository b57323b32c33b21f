package org.trainyard.env.scheduling.migration;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

class OwnSlowdownBoundTest {
    private static final Topology TOPOLOGY = Topologies.medium();

    @Test
    void no_server_is_below_a_limit_exactly_where_none_with_room_is_predicted_to_be() {
        int[] found = new int[2];
        for (long seed = 1; seed <= 4; seed++) {
            OwnSlowdownBound bound = new OwnSlowdownBound(TOPOLOGY, AnalyticInterference.DEFAULT);
            RandomPlay.play(seed, TOPOLOGY, view -> {
                for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                    for (double limit = 1; limit < 1.5 && fitsOnOne(view, job); limit += 0.11) {
                        boolean isNone = bound.isNoneBelow(view, job, limit);
                        assertThat(isNone).isEqualTo(least(view, job) >= limit);
                        found[isNone ? 1 : 0]++;
                    }
                }
            });
        }
        assertThat(found[0]).isPositive();
        assertThat(found[1]).isPositive();
    }

    private static boolean fitsOnOne(SimView view, int job) {
        return view.job(job).gpus() <= TOPOLOGY.widestServer();
    }

    private static double least(SimView view, int job) {
        InterferenceCost costs =
                new InterferenceCost(TOPOLOGY, AnalyticInterference.DEFAULT, ResidualTimeFloor::seconds);
        double least = Double.POSITIVE_INFINITY;
        for (int server = 0; server < TOPOLOGY.servers(); server++) {
            if (view.cluster().freeOn(server) >= view.job(job).gpus()) {
                costs.predictOwn(view, job, server, view.job(job).gpus(), false);
                least = Math.min(least, costs.own());
            }
        }
        return least;
    }
}
