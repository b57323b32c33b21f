package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Checked in states that random play leads to. */
class PreemptionPlanBoundsTest {
    private static final Topology TOPOLOGY = Topologies.medium();

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, 3})
    void a_limit_leaves_out_dearer_plans_and_no_others(double weight) {
        PreemptionCharge charge = new PreemptionCharge(weight);
        int[] found = new int[2];
        play(view -> {
            // Estimates without rhyme or reason.
            Rank estimate = (v, job) -> 100 + 7919L * (job + 1) % 9973;
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                double limit = 0.02 + job * 31 % 17 / 8.0;
                PreemptionPlan any = planner(view, 0, TOPOLOGY.servers(), estimate, false, charge)
                        .plan(job);
                PreemptionPlan cheap = planner(view, 0, TOPOLOGY.servers(), estimate, false, charge)
                        .plan(job, limit);
                if (any != null && any.cost() < limit) {
                    assertThat(victims(cheap)).isEqualTo(victims(any));
                    found[0]++;
                } else {
                    assertThat(cheap).isNull();
                    found[1] += any == null ? 0 : 1;
                }
            }
        });
        assertThat(found[0]).isPositive();
        assertThat(found[1]).isPositive();
    }

    @Test
    void a_plan_that_keeps_to_racks_is_the_cheapest_of_those_of_the_racks_and_the_first_of_equals() {
        int[] found = new int[2];
        play(view -> {
            for (int salt = 1; salt <= 3; salt++) {
                int several = salt;
                // Few different estimates, so that racks cost the same.
                Rank estimate = (v, job) -> 30 * (1 + (job + 1L) * 7919 * several % (3L * several));
                for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                    @Nullable PreemptionPlan cheapest = null;
                    int equals = 0;
                    boolean hasRoom = view.job(job).gpus() <= TOPOLOGY.widestServer();
                    for (int rack = 0; rack < TOPOLOGY.racks(); rack++) {
                        int first = TOPOLOGY.firstServer(rack);
                        @Nullable PreemptionPlan plan = planner(view, first, first + TOPOLOGY.serversIn(rack), estimate, false)
                                .plan(job);
                        hasRoom |= view.cluster().freeIn(rack) >= view.job(job).gpus();
                        equals += plan != null && cheapest != null && plan.cost() == cheapest.cost() ? 1 : 0;
                        cheapest =
                                plan != null && (cheapest == null || plan.cost() < cheapest.cost()) ? plan : cheapest;
                    }
                    if (cheapest != null && !hasRoom) {
                        PreemptionPlanner planner = planner(view, 0, TOPOLOGY.servers(), estimate, true);
                        assertThat(victims(planner.plan(job))).isEqualTo(victims(cheapest));
                        found[0]++;
                        found[1] += equals;
                    }
                }
            }
        });
        assertThat(found[0]).isPositive();
        assertThat(found[1]).isPositive();
    }

    @Test
    void with_a_limit_a_plan_that_keeps_to_racks_is_the_one_without_or_there_is_none() {
        int[] found = new int[3];
        play(view -> {
            PreemptionPlanner planner = planner(view, 0, TOPOLOGY.servers(), SimView::predictedRemainingSeconds, true);
            double[] failedAt = new double[TOPOLOGY.gpus() + 1];
            double[] failedFrom = new double[failedAt.length];
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                double limit = 0.02 + job * 31 % 17 / 8.0;
                int gpus = view.job(job).gpus();
                double seconds = view.predictedRemainingSeconds(job);
                PreemptionPlan any = planner(view, 0, TOPOLOGY.servers(), SimView::predictedRemainingSeconds, true)
                        .plan(job);
                PreemptionPlan cheap = planner.plan(job, limit);
                if (cheap != null) {
                    assertThat(cheap.cost()).isLessThan(limit);
                    assertThat(victims(cheap)).isEqualTo(victims(any));
                    found[0]++;
                } else if (any != null && any.cost() < limit) {
                    boolean failedBefore = limit <= failedAt[gpus] && seconds >= failedFrom[gpus];
                    assertThat(failedBefore || gpus > TOPOLOGY.widestServer()).isTrue();
                    found[1]++;
                } else {
                    found[2]++;
                }
                if (cheap == null) {
                    failedAt[gpus] = limit;
                    failedFrom[gpus] = seconds;
                }
            }
        });
        assertThat(found[0]).isPositive();
        assertThat(found[2]).isPositive();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_planner_that_has_planned_before_plans_as_a_new_one(boolean keepsToRacks) {
        int[] found = new int[2];
        for (long seed = 1; seed <= 2; seed++) {
            RemainingTimeEstimator estimator = new RemainingTimeEstimator();
            PreemptionPlanner[] old = new PreemptionPlanner[1];
            RandomPlay.play(seed, TOPOLOGY, view -> {
                old[0] = old[0] == null ? planner(view, 0, TOPOLOGY.servers(), estimator, keepsToRacks) : old[0];
                PreemptionPlanner fresh = planner(view, 0, TOPOLOGY.servers(), estimator, keepsToRacks);
                for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                    PreemptionPlan plan = fresh.plan(job);
                    PreemptionPlan again = old[0].plan(job);
                    found[plan == null ? 0 : 1]++;
                    assertThat(again == null ? "none" : victims(again))
                            .isEqualTo(plan == null ? "none" : victims(plan));
                }
            });
        }
        assertThat(found[0]).isPositive();
        assertThat(found[1]).isPositive();
    }

    private static void play(RandomPlay.Check check) {
        for (long seed = 1; seed <= 2; seed++) {
            RandomPlay.play(seed, TOPOLOGY, check);
        }
    }

    private static String victims(@Nullable PreemptionPlan plan) {
        StringBuilder text = new StringBuilder();
        for (int v = 0; v < Objects.requireNonNull(plan).size(); v++) {
            text.append(plan.victim(v)).append(" to ").append(plan.target(v)).append("; ");
        }
        return text.append(plan.cost()).toString();
    }

    private static PreemptionPlanner planner(SimView view, int from, int to, Rank remaining, boolean keepsToRacks) {
        return planner(view, from, to, remaining, keepsToRacks, PreemptionCharge.NONE);
    }

    private static PreemptionPlanner planner(
            SimView view, int from, int to, Rank remaining, boolean keepsToRacks, PreemptionCharge charge) {
        return new PreemptionPlanner(
                view,
                from,
                to,
                remaining,
                new PlacementPreview(TOPOLOGY, AnalyticInterference.DEFAULT),
                keepsToRacks,
                charge);
    }
}
