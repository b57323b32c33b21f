package org.trainyard.env.gym;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.scheduling.placement.PlacementPreview;
import org.trainyard.env.scheduling.placement.ServersByFreeGpus;
import org.trainyard.env.scheduling.preemption.PreemptionPlan;
import org.trainyard.env.scheduling.preemption.PreemptionPlanner;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;

/** What agents are told of places, checked in states that random play leads to. */
class PlacesTest {
    private static final Topology TOPOLOGY = Topologies.medium();
    private static final Domains DOMAINS = Domains.racks(TOPOLOGY);

    private interface Check {
        void at(SimView view);
    }

    /** Plays at random, and checks at every step. */
    private static void play(long seed, Check check) {
        play(seed, TOPOLOGY, check);
    }

    private static void play(long seed, Topology topology, Check check) {
        ClusterScenario world = new ClusterScenario(
                topology,
                new RingPerformance(topology, AnalyticInterference.DEFAULT),
                AnalyticInterference.DEFAULT,
                RuntimePredictor::oracle,
                Simulator.Options.DEFAULT);
        ClusterEnv env = new ClusterEnv(
                world,
                new ClusterEnv.Settings(Domains.racks(topology), 16, 2, true, Double.POSITIVE_INFINITY, 0.5, 0),
                episode -> RandomWorkloads.ofFewModels(episode, 60, topology.gpus()),
                new JctReward());
        env.reset(seed);
        RandomGenerator random = RandomStreams.stream(seed, "test/actions");
        float[] row = new float[env.spec().size()];
        int[] actions = new int[env.agents()];
        StepResult step;
        do {
            for (int agent = 0; agent < env.agents(); agent++) {
                env.observe(agent, row, 0);
                do {
                    actions[agent] = random.nextInt(env.spec().actions().size());
                } while (row[env.spec().maskAt() + actions[agent]] == 0);
            }
            step = env.step(actions, 0);
            check.at(env.simulator().view());
        } while (!step.done());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void what_is_kept_by_content_is_what_would_be_worked_out_anew(long seed) {
        Topology crowded = Topologies.small();
        InterferenceCost kept = new InterferenceCost(crowded, AnalyticInterference.DEFAULT, ResidualTimeFloor::seconds);
        play(seed, crowded, view -> {
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

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void who_is_pushed_out_ranks_behind_who_is_moved_goes_where_there_is_room_and_kindly_and_both_are_needed(
            long seed) {
        RemainingTimeEstimator[] estimator = new RemainingTimeEstimator[1];
        PreemptionPlanner[] planners = new PreemptionPlanner[DOMAINS.count()];
        PlacementPreview preview = new PlacementPreview(TOPOLOGY, AnalyticInterference.DEFAULT);
        int[] found = new int[3];
        play(seed, view -> {
            if (estimator[0] == null) {
                estimator[0] = new RemainingTimeEstimator(view);
                ServersByFreeGpus free = new ServersByFreeGpus(view, DOMAINS.count(), DOMAINS::domainOf);
                Arrays.setAll(
                        planners,
                        d -> new PreemptionPlanner(
                                view, DOMAINS.firstServer(d), DOMAINS.endServer(d), estimator[0], preview, free));
            }
            estimator[0].update();
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

    /** Returns how many go to a kinder place than the tightest. */
    private static int carryOut(
            SimView view, PreemptionPlanner planner, PreemptionPlan plan, PlacementPreview preview) {
        Map<Integer, Integer> tightest = new HashMap<>();
        for (int v = 0; v < plan.victims().size(); v++) {
            tightest.put(plan.victims().job(v), plan.victims().target(v));
        }
        Set<Integer> targets = new HashSet<>();
        int[] kinder = new int[1];
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
                kinder[0] += target == before ? 0 : 1;
            }

            @Override
            public void forward(int job, int domain) {
                throw new AssertionError("nobody waits in another domain");
            }

            @Override
            public void preempt(int job) {
                assertThat(targets).isEmpty();
                assertThat(tightest).containsKey(job);
            }
        });
        return kinder[0];
    }

    /** Returns how many are moved. */
    private static int checkVictims(
            SimView view, PreemptionPlan plan, RemainingTimeEstimator estimator, int agent, int job) {
        Set<Integer> victims = new HashSet<>();
        Set<Integer> targets = new HashSet<>();
        for (int v = 0; v < plan.victims().size(); v++) {
            int victim = plan.victims().job(v);
            int target = plan.victims().target(v);
            assertThat(victims.add(victim)).isTrue();
            assertThat(view.state(victim)).isEqualTo(JobState.RUNNING);
            if (target == SimView.NONE) {
                assertThat(estimator.seconds(victim)).isGreaterThan(estimator.seconds(job));
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

    /** Whether the job finds a place on as few servers of the domain as there can be when these have gone. */
    private static boolean fewestServers(SimView view, int agent, int job, Set<Integer> gone) {
        int gpus = view.job(job).gpus();
        int size = TOPOLOGY.widestServer();
        int whole = gpus / size;
        int rest = gpus % size;
        int empty = 0;
        boolean restFits = rest == 0;
        for (int server = DOMAINS.firstServer(agent);
                server < DOMAINS.firstServer(agent) + DOMAINS.servers(agent);
                server++) {
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
