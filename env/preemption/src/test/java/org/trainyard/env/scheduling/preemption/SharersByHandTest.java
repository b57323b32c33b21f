package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.gym.SharedPlay;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.pairs.PairSlowdowns;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.workload.Demand;

/** Plans for jobs of parts of GPUs and of whole ones against all victims of every server. */
class SharersByHandTest {
    private static final InterferenceModel BELIEF = new AnalyticInterference(0.1, 0.3, 0.2, 0.4);

    private final PairSlowdowns pairs = new PairSlowdowns(BELIEF);
    private final int[] plans = new int[4];
    private double weight;

    private static double remaining(SimView view, int job) {
        return view.predictedRemainingSeconds(job);
    }

    private static List<Integer> running(SimView view, int server) {
        return IntStream.range(0, view.cluster().jobsOn(server))
                .mapToObj(n -> view.cluster().jobOn(server, n))
                .toList();
    }

    private static int[] gpus(SimView view, int job) {
        Placement place = view.placement(job);
        return IntStream.range(0, place.gpuCount()).map(place::gpu).toArray();
    }

    private static boolean holds(SimView view, int job, int gpu) {
        return Arrays.stream(gpus(view, job)).anyMatch(held -> held == gpu);
    }

    /** The pending job's remaining time over the victim's, and its restart and lost work over that. */
    private double loss(SimView view, int victim, double mine, double limit) {
        double theirs = remaining(view, victim);
        double charge = weight * (view.restartSeconds(victim) + view.unsavedSeconds(victim)) / Math.max(1, theirs);
        return theirs > limit && view.mayPreempt(victim)
                ? Math.min(1, mine / theirs) + charge
                : Double.POSITIVE_INFINITY;
    }

    private static boolean fitsHost(SimView view, int server, double freed, double needed) {
        return view.cluster().freeCpuMilli(server) + freed >= needed;
    }

    /** The least cost of the place of one victim, alone on its GPU or beside others that stay. */
    private double leastOfPart(SimView view, int job, double limit, double most) {
        double mine = remaining(view, job);
        Demand demand = view.job(job).demand();
        double least = Double.POSITIVE_INFINITY;
        for (int server = 0; server < 3; server++) {
            for (int victim : running(view, server)) {
                Demand gone = view.job(victim).demand();
                int gpu = view.placement(victim).gpu(0);
                boolean fits = view.placement(victim).gpuCount() == 1
                        && view.cluster().freeMilli(gpu) + gone.gpuMilli() >= demand.gpuMilli()
                        && fitsHost(view, server, gone.cpuMilli(), demand.cpuMilli());
                double own = 1;
                double harm = 0;
                for (int other : running(view, server)) {
                    if (other != victim && holds(view, other, gpu)) {
                        own *= pairs.of(view.job(job).model(), view.job(other).model());
                        harm += (pairs.of(view.job(other).model(), view.job(job).model()) - 1)
                                * Math.min(1, remaining(view, other) / mine);
                    }
                }
                if (fits && own - 1 + harm <= most) {
                    least = Math.min(least, loss(view, victim, mine, limit) + own - 1 + harm);
                }
            }
        }
        return least;
    }

    /** The cost of clearing the cheapest GPUs of a server, each at its part of what its jobs cost. */
    private double costOfWhole(SimView view, int job, double limit, int server) {
        double mine = remaining(view, job);
        List<Integer> jobs = running(view, server);
        int first = view.topology().firstGpu(server);
        int[] cheapest = IntStream.range(first, first + 4)
                .boxed()
                .sorted(Comparator.comparingDouble(gpu -> jobs.stream()
                        .filter(there -> holds(view, there, gpu))
                        .mapToDouble(there -> loss(view, there, mine, limit) / gpus(view, there).length)
                        .sum()))
                .mapToInt(gpu -> gpu)
                .limit(view.job(job).gpus())
                .toArray();
        double cost = 0;
        long freed = 0;
        for (int there : jobs) {
            if (IntStream.of(cheapest).anyMatch(gpu -> holds(view, there, gpu))) {
                Placement place = view.placement(there);
                cost += loss(view, there, mine, limit);
                freed += view.job(there).demand().cpuMilliOf(place.gpusOn(place.indexOf(server)));
            }
        }
        return cost > 0 && fitsHost(view, server, freed, view.job(job).demand().cpuMilli())
                ? cost
                : Double.POSITIVE_INFINITY;
    }

    private void check(SimView view, int job) {
        boolean isPart = view.job(job).demand().gpuMilli() < Demand.WHOLE;
        SharedGpuPreemption planner = new SharedGpuPreemption(
                view, BELIEF, SharersByHandTest::remaining, false, new PreemptionCharge(weight));
        double limit = job % 2 == 0 ? remaining(view, job) : 60;
        double most = job % 3 == 0 ? 0.1 : Double.POSITIVE_INFINITY;
        PreemptionPlan plan = job % 6 == 2 ? planner.plan(job) : planner.plan(job, limit, most);
        double least = isPart
                ? leastOfPart(view, job, limit, most)
                : IntStream.range(0, 3)
                        .mapToDouble(server -> costOfWhole(view, job, limit, server))
                        .min()
                        .orElseThrow();
        plans[(isPart ? 0 : 2) + (plan == null ? 0 : 1)]++;
        assertThat(plan == null ? Double.POSITIVE_INFINITY : plan.cost())
                .as("job %d", job)
                .isCloseTo(least, within(1e-9));
        double paid = isPart ? planner.own() - 1 + planner.harm() : 0;
        for (int v = 0; plan != null && v < plan.size(); v++) {
            paid += loss(view, plan.victim(v), remaining(view, job), limit);
        }
        assertThat(plan == null ? least : paid).isCloseTo(least, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "3, 1.5"})
    void a_plan_costs_the_least_of_all_victims_that_leave_room(long seed, double charge) {
        weight = charge;
        PreemptionRules rules = new PreemptionRules(25 * TimedJobs.SECOND, 20 * TimedJobs.SECOND, 0, 5);
        ServerSpec server = ServerSpec.ofV100(4).withHost(2_500, 1 << 20);
        new SharedPlay(seed, server)
                .play(70, 4, new Simulator.Options(9 * TimedJobs.SECOND, true).with(rules), view -> {
                    for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                        check(view, job);
                    }
                });
        assertThat(Arrays.stream(plans).min().orElseThrow()).isGreaterThan(2);
    }
}
