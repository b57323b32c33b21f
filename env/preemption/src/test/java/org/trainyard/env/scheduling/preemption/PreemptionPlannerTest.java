package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Checked in states that random play leads to. */
class PreemptionPlannerTest {
    private static final Topology TOPOLOGY = Topologies.medium();
    private static final Domains DOMAINS = Domains.racks(TOPOLOGY);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void preempted_jobs_rank_behind_migrated_jobs_have_room_on_their_targets_and_no_victim_is_needless(long seed) {
        RemainingTimeEstimator[] estimator = new RemainingTimeEstimator[1];
        PreemptionPlanner[] planners = new PreemptionPlanner[DOMAINS.count()];
        PlacementPreview preview = new PlacementPreview(TOPOLOGY, AnalyticInterference.DEFAULT);
        int[] found = new int[3];
        RandomPlay.play(seed, TOPOLOGY, view -> {
            if (estimator[0] == null) {
                estimator[0] = new RemainingTimeEstimator();
                Arrays.setAll(
                        planners,
                        d -> new PreemptionPlanner(
                                view,
                                DOMAINS.firstServer(d),
                                DOMAINS.endServer(d),
                                estimator[0]::seconds,
                                preview,
                                false,
                                PreemptionCharge.NONE));
            }
            estimator[0].update(view, view.journalSize());
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                for (int agent = 0; agent < DOMAINS.count(); agent++) {
                    PreemptionPlan plan = planners[agent].plan(job);
                    if (plan != null) {
                        found[0]++;
                        found[1] += checkVictims(view, plan, estimator[0], agent, job);
                        assertThat(planners[agent].plan(job)).isSameAs(plan);
                        found[2] += carryOut(view, planners[agent], plan, preview);
                    }
                }
            }
        });
        assertThat(found[0]).isPositive();
        assertThat(found[1]).isPositive();
        assertThat(found[2]).isPositive();
    }

    @Test
    void a_plan_stands_until_the_next_event_whatever_is_planned_after_it() {
        PlacementPreview preview = new PlacementPreview(TOPOLOGY, AnalyticInterference.DEFAULT);
        int[] found = new int[1];
        for (long seed = 1; seed <= 3; seed++) {
            RandomPlay.play(seed, TOPOLOGY, view -> {
                for (int salt = 1; salt <= 4; salt++) {
                    // Estimates without rhyme or reason: the greedy search then fails for some jobs shorter than others
                    // with a plan.
                    long factor = 7919L * salt;
                    Rank estimate = (v, job) -> 100 + factor * (job + 1) % 9973;
                    PreemptionPlanner planner = new PreemptionPlanner(
                            view, 0, TOPOLOGY.servers(), estimate, preview, false, PreemptionCharge.NONE);
                    found[0] += plansThatStand(view, planner);
                }
            });
        }
        assertThat(found[0]).isPositive();
    }

    @Test
    void a_plan_that_keeps_to_a_rack_is_the_cheapest_of_all_racks_and_leaves_them_where_none_has_one() {
        int[] found = new int[2];
        for (long seed = 1; seed <= 6; seed++) {
            PreemptionPlanner[] planners = new PreemptionPlanner[TOPOLOGY.racks() + 1];
            RandomPlay.play(seed, TOPOLOGY, view -> {
                if (planners[0] == null) {
                    plan(view, planners);
                }
                for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                    int waiting = job;
                    OptionalDouble cheapest = Arrays.stream(planners, 0, TOPOLOGY.racks())
                            .map(planner -> planner.plan(waiting))
                            .filter(Objects::nonNull)
                            .mapToDouble(PreemptionPlan::cost)
                            .min();
                    PreemptionPlan plan = planners[TOPOLOGY.racks()].plan(job);
                    boolean fits = IntStream.range(0, DOMAINS.count())
                            .anyMatch(rack -> fewestServers(view, rack, waiting, Set.of()));
                    if (fits) {
                        // Nobody needs to make room for a job that can start.
                        assertThat(plan).isNull();
                    } else if (cheapest.isPresent()) {
                        assertThat(Objects.requireNonNull(plan).cost()).isEqualTo(cheapest.getAsDouble());
                        assertThat(plan.racks(TOPOLOGY)).isEqualTo(1);
                        found[0] += plan.servers() > 1 ? 1 : 0;
                    } else if (plan != null) {
                        assertThat(plan.racks(TOPOLOGY)).isGreaterThan(1);
                        found[1]++;
                    }
                }
            });
        }
        assertThat(found[0]).isPositive();
        assertThat(found[1]).isPositive();
    }

    /**
     * Racks of 8 GPUs, and everybody may be preempted for a wider gang. A rack to which a victim has migrated may be
     * left out, so not all plans have the fewest.
     */
    @Test
    void a_plan_for_a_gang_wider_than_a_rack_keeps_to_few_racks() {
        Topology topology = Objects.requireNonNull(Topologies.parse("4x2x4"));
        PlacementPreview preview = new PlacementPreview(topology, AnalyticInterference.DEFAULT);
        Rank remaining = (view, job) -> view.job(job).gpus() > 8 ? 1 : 10_000;
        int[] extra = new int[2];
        int[] plans = new int[1];
        for (long seed = 1; seed <= 6; seed++) {
            RandomPlay.play(seed, topology, view -> {
                for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                    int gpus = view.job(job).gpus();
                    for (int keeps = 0; keeps < 2 && gpus > 8; keeps++) {
                        PreemptionPlan plan = new PreemptionPlanner(
                                        view,
                                        0,
                                        topology.servers(),
                                        remaining,
                                        preview,
                                        keeps == 1,
                                        PreemptionCharge.NONE)
                                .plan(job);
                        plans[0] += plan == null ? 0 : 1;
                        extra[keeps] += plan == null ? 0 : plan.racks(topology) - topology.fewestRacks(gpus);
                    }
                }
            });
        }
        assertThat(plans[0]).isPositive();
        assertThat(extra[1]).isLessThan(extra[0] / 2);
    }

    /** Fills in a planner for each rack, and one for all that keeps to a rack. */
    private static void plan(SimView view, PreemptionPlanner[] planners) {
        PlacementPreview preview = new PlacementPreview(TOPOLOGY, AnalyticInterference.DEFAULT);
        Rank remaining = SimView::predictedRemainingSeconds;
        for (int rack = 0; rack < TOPOLOGY.racks(); rack++) {
            int first = TOPOLOGY.firstServer(rack);
            planners[rack] = new PreemptionPlanner(
                    view, first, first + TOPOLOGY.serversIn(rack), remaining, preview, false, PreemptionCharge.NONE);
        }
        planners[TOPOLOGY.racks()] =
                new PreemptionPlanner(view, 0, TOPOLOGY.servers(), remaining, preview, true, PreemptionCharge.NONE);
    }

    private static int plansThatStand(SimView view, PreemptionPlanner planner) {
        Map<Integer, PreemptionPlan> plans = new LinkedHashMap<>();
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            PreemptionPlan plan = planner.plan(job);
            if (plan != null) {
                plans.put(job, plan);
            }
        }
        plans.forEach((job, plan) -> assertThat(planner.plan(job)).isSameAs(plan));
        return plans.size();
    }

    /** Returns the number of jobs that migrate to a server of less cost than the tightest. */
    private static int carryOut(
            SimView view, PreemptionPlanner planner, PreemptionPlan plan, PlacementPreview preview) {
        Map<Integer, Integer> tightest = new HashMap<>();
        for (int v = 0; v < plan.size(); v++) {
            tightest.put(plan.victim(v), plan.target(v));
        }
        Set<Integer> targets = new HashSet<>();
        int[] cheaper = new int[1];
        planner.carryOut(plan, new PlacementBuilder(TOPOLOGY, view.cluster()), new DecisionSink() {
            @Override
            public void start(int job, Placement placement) {
                int before = Objects.requireNonNull(tightest.get(job));
                int target = placement.server(0);
                assertThat(placement.gpuCount()).isEqualTo(view.job(job).gpus());
                assertThat(placement.serverCount()).isEqualTo(1);
                assertThat(targets.add(target)).isTrue();
                assertThat(target).isNotEqualTo(view.placement(job).server(0));
                assertThat(preview.costOn(view, job, target, 0.25))
                        .isLessThanOrEqualTo(preview.costOn(view, job, before, 0.25));
                cheaper[0] += target == before ? 0 : 1;
            }

            @Override
            public void forward(int job, int domain) {
                throw new AssertionError("a plan forwards no job");
            }

            @Override
            public void preempt(int job) {
                assertThat(targets).isEmpty();
                assertThat(tightest).containsKey(job);
            }
        });
        return cheaper[0];
    }

    /** Returns the number of migrated jobs. */
    private static int checkVictims(
            SimView view, PreemptionPlan plan, RemainingTimeEstimator estimator, int agent, int job) {
        Set<Integer> victims = new HashSet<>();
        Set<Integer> targets = new HashSet<>();
        for (int v = 0; v < plan.size(); v++) {
            int victim = plan.victim(v);
            int target = plan.target(v);
            assertThat(victims.add(victim)).isTrue();
            assertThat(view.state(victim)).isEqualTo(JobState.RUNNING);
            if (target == SimView.NONE) {
                assertThat(estimator.seconds(view, victim)).isGreaterThan(estimator.seconds(view, job));
            } else {
                assertThat(targets.add(target)).isTrue();
                assertThat(view.placement(victim).server(0)).isNotEqualTo(target);
                assertThat(view.cluster().freeOn(target))
                        .isGreaterThanOrEqualTo(view.job(victim).gpus());
            }
        }
        assertThat(fewestServers(view, agent, job, victims)).isTrue();
        int gpus = view.job(job).gpus();
        if (gpus <= TOPOLOGY.widestServer()) {
            for (int spared : victims) {
                Set<Integer> fewer = new HashSet<>(victims);
                fewer.remove(spared);
                assertThat(fewestServers(view, agent, job, fewer)).isFalse();
            }
        }
        return targets.size();
    }

    /** Whether the job has a consolidated placement in the domain when these jobs have gone. */
    private static boolean fewestServers(SimView view, int agent, int job, Set<Integer> gone) {
        int gpus = view.job(job).gpus();
        int size = TOPOLOGY.widestServer();
        int whole = gpus / size;
        int rest = gpus % size;
        int empty = 0;
        boolean restFits = rest == 0;
        for (int server = DOMAINS.firstServer(agent); server < DOMAINS.endServer(agent); server++) {
            int free = view.cluster().freeOn(server);
            for (int victim : gone) {
                Placement placement = view.placement(victim);
                for (int i = 0; i < placement.serverCount(); i++) {
                    free += placement.server(i) == server ? placement.gpusOn(i) : 0;
                }
            }
            empty += free == size ? 1 : 0;
            restFits |= free >= rest && free < size;
        }
        return empty >= whole + (restFits ? 0 : 1);
    }
}
