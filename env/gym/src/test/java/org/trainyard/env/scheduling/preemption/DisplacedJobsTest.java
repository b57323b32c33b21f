package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Checked in states that random play leads to. */
class DisplacedJobsTest {
    private static final Topology TOPOLOGY = Topologies.small();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void no_search_finds_a_plan_for_a_job_that_lacks_targets(boolean keepsToRacks) {
        int[] lacking = new int[2];
        int[] found = new int[1];
        for (long seed = 1; seed <= 4; seed++) {
            RandomPlay.play(seed, TOPOLOGY, view -> {
                for (int salt = 1; salt <= 3; salt++) {
                    long several = 7919L * salt;
                    // Running jobs mostly have less time left than those that wait, so they can only migrate.
                    Rank estimate =
                            (v, job) -> (v.state(job) == JobState.RUNNING ? 1 : 9) * (100 + several * (job + 1) % 997);
                    LeastLoss losses = new LeastLoss(view, 0, TOPOLOGY.servers(), estimate, PreemptionCharge.NONE);
                    UnsharedEviction eviction = new UnsharedEviction(view, 0, TOPOLOGY.servers(), losses);
                    RoomSearch search = new RoomSearch(TOPOLOGY, 0, TOPOLOGY.servers(), keepsToRacks);
                    losses.update();
                    for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                        int gpus = view.job(job).gpus();
                        double seconds = estimate.of(view, job);
                        eviction.begin(seconds);
                        boolean isFound = search.find(eviction, gpus, Double.POSITIVE_INFINITY, new PreemptionPlan());
                        boolean isLacking = losses.displaced().lackTargets(gpus, seconds);
                        assertThat(isFound && isLacking).isFalse();
                        boolean isNew = isLacking && !losses.clearable().isImpossible(gpus, seconds);
                        lacking[gpus > TOPOLOGY.widestServer() ? 1 : 0] += isNew ? 1 : 0;
                        found[0] += isFound ? 1 : 0;
                    }
                }
            });
        }
        assertThat(lacking).doesNotContain(0);
        assertThat(found[0]).isPositive();
    }
}
