package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;

/** Plans in random states of three racks against a search without bounds that counts everything anew. */
class PlansOfTinyClustersTest {
    private static final int RESTART_SECONDS = 30;

    /** Servers that are cleared, victims, and where they go. */
    private static final class Plan {
        private final List<Integer> servers = new ArrayList<>();
        private final List<Integer> victims = new ArrayList<>();
        private final List<Integer> targets = new ArrayList<>();
        private double cost;

        Plan copy() {
            Plan copy = new Plan();
            copy.servers.addAll(servers);
            copy.victims.addAll(victims);
            copy.targets.addAll(targets);
            copy.cost = cost;
            return copy;
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s %s to %s: %.9f", servers, victims, targets, cost);
        }
    }

    /** Victims on one server, -1 for those spared, and what they cost. */
    private record Choice(List<Integer> victims, List<Integer> targets, double cost) {}

    /** The search as its description has it. */
    private record Search(
            SimView view, double[] seconds, int from, int to, boolean keepsToRacks, double weight, double limit) {
        private Topology topology() {
            return view.topology();
        }

        @Nullable Plan find(int gpus, double pending) {
            Plan found = null;
            boolean keeps = keepsToRacks && gpus > topology().widestServer();
            if (keeps) {
                found = byRack(gpus, pending);
            }
            if (found == null && (!keeps || limit == Double.POSITIVE_INFINITY)) {
                found = clear(new Plan(), gpus, from, to, pending);
            }
            return found == null || found.victims.isEmpty() ? null : found;
        }

        private @Nullable Plan byRack(int gpus, double pending) {
            int widest = IntStream.range(0, topology().racks())
                    .map(this::gpusIn)
                    .max()
                    .orElseThrow();
            Plan plan = new Plan();
            for (int left = gpus; left > 0; left -= widest) {
                Plan best = null;
                for (int rack = 0; rack < topology().racks(); rack++) {
                    int first = Math.max(from, topology().firstServer(rack));
                    int end = Math.min(
                            to, topology().firstServer(rack) + topology().serversIn(rack));
                    Plan here = clear(plan.copy(), Math.min(left, widest), first, end, pending);
                    best = here != null && (best == null || here.cost < best.cost) ? here : best;
                }
                if (best == null) {
                    return null;
                }
                plan = best;
            }
            return plan;
        }

        private int gpusIn(int rack) {
            return IntStream.range(from, to)
                    .filter(server -> topology().rackOf(server) == rack)
                    .map(topology()::gpusOn)
                    .sum();
        }

        private @Nullable Plan clear(Plan plan, int gpus, int first, int end, double pending) {
            int left = gpus;
            while (left > 0) {
                int workers = Math.min(left, topology().widestServer());
                Choice best = null;
                int chosen = -1;
                for (int server = first; server < end; server++) {
                    Choice here = plan.servers.contains(server) ? null : choose(plan, server, workers, pending);
                    if (here != null && (best == null || here.cost < best.cost)) {
                        best = here;
                        chosen = server;
                    }
                }
                if (best == null || plan.cost + best.cost >= limit) {
                    return null;
                }
                plan.servers.add(chosen);
                for (int v = 0; v < best.victims.size(); v++) {
                    if (best.victims.get(v) >= 0) {
                        plan.victims.add(best.victims.get(v));
                        plan.targets.add(best.targets.get(v));
                    }
                }
                plan.cost += best.cost;
                left -= topology().gpusOn(chosen);
            }
            return plan;
        }

        private int free(Plan plan, int server) {
            int free = view.cluster().freeOn(server);
            for (int v = 0; v < plan.victims.size(); v++) {
                free += gpusOn(plan.victims.get(v), server);
                free -= plan.targets.get(v) == server
                        ? view.job(plan.victims.get(v)).gpus()
                        : 0;
            }
            return free;
        }

        private int gpusOn(int job, int server) {
            Placement placement = view.placement(job);
            return IntStream.range(0, placement.serverCount())
                    .filter(i -> placement.server(i) == server)
                    .map(placement::gpusOn)
                    .sum();
        }

        /** The cheapest victims first, one after the other; then the last ones that are not needed are spared. */
        private @Nullable Choice choose(Plan plan, int server, int workers, double pending) {
            int missing = Math.min(workers, topology().gpusOn(server)) - free(plan, server);
            Choice choice = new Choice(new ArrayList<>(), new ArrayList<>(), 0);
            List<Double> losses = new ArrayList<>();
            while (missing > 0) {
                double least = Double.POSITIVE_INFINITY;
                int victim = -1;
                int where = -1;
                for (int n = 0; n < view.cluster().jobsOn(server); n++) {
                    int job = view.cluster().jobOn(server, n);
                    if (!plan.victims.contains(job) && !choice.victims.contains(job)) {
                        int target = view.placement(job).serverCount() > 1 ? -1 : target(plan, choice, job, server);
                        target = target >= 0 && moved(job) < Double.POSITIVE_INFINITY ? target : -1;
                        double loss = target < 0 ? preempted(job, pending) : moved(job);
                        if (loss < least) {
                            least = loss;
                            victim = job;
                            where = target;
                        }
                    }
                }
                if (victim < 0) {
                    return null;
                }
                choice.victims.add(victim);
                choice.targets.add(where);
                losses.add(least);
                missing -= gpusOn(victim, server);
            }
            double cost = 0;
            for (int v = losses.size() - 1; v >= 0; v--) {
                int gpus = gpusOn(choice.victims.get(v), server);
                if (missing + gpus <= 0) {
                    missing += gpus;
                    choice.victims.set(v, -1);
                } else {
                    cost += losses.get(v);
                }
            }
            return new Choice(choice.victims, choice.targets, cost);
        }

        private double moved(int job) {
            return !view.mayPreempt(job) || !view.mayMigrate(job)
                    ? Double.POSITIVE_INFINITY
                    : Math.max(60 / Math.max(60, seconds[job]), weight * RESTART_SECONDS / seconds[job]);
        }

        private double preempted(int job, double pending) {
            return view.mayPreempt(job) && seconds[job] > pending
                    ? (pending + weight * RESTART_SECONDS) / seconds[job]
                    : Double.POSITIVE_INFINITY;
        }

        /** The first of the servers with the fewest free GPUs that are enough, of those left alone. */
        private int target(Plan plan, Choice choice, int job, int server) {
            int best = -1;
            for (int there = 0; there < topology().servers(); there++) {
                boolean isLeftAlone = there != server
                        && !plan.servers.contains(there)
                        && !plan.targets.contains(there)
                        && !choice.targets.contains(there);
                int free = view.cluster().freeOn(there);
                if (isLeftAlone
                        && free >= view.job(job).gpus()
                        && (best < 0 || free < view.cluster().freeOn(best))) {
                    best = there;
                }
            }
            return best;
        }
    }

    private static Topology topology(boolean isUniform) {
        Topology.Builder builder = new Topology.Builder("tiny", Fabric.DEFAULT);
        for (int[] servers :
                isUniform ? new int[][] {{4, 4}, {4, 4, 4}, {4, 4}} : new int[][] {{4, 2}, {3, 4, 4}, {2, 4}}) {
            builder.rack(IntStream.of(servers).mapToObj(ServerSpec::ofV100).toList());
        }
        return builder.build();
    }

    /** Jobs of 1 to 6 GPUs anywhere until few GPUs are free; the last ones, of these widths, wait. */
    private static SimView view(Topology topology, Random random, List<Integer> widths) {
        List<Integer> gpus =
                new ArrayList<>(IntStream.range(0, topology.gpus()).boxed().toList());
        if (random.nextBoolean()) {
            Collections.shuffle(gpus, random);
        }
        TimedJobs jobs = TimedJobs.list();
        List<Placement> placements = new ArrayList<>();
        int left = random.nextInt(8);
        while (gpus.size() > left) {
            int wanted = Math.min(gpus.size() - left, 1 + random.nextInt(random.nextInt(3) == 0 ? 6 : 3));
            jobs.job(wanted, 0, 10_000);
            List<Integer> taken = gpus.subList(0, wanted);
            placements.add(Placement.of(
                    topology, taken.stream().sorted().mapToInt(gpu -> gpu).toArray()));
            taken.clear();
        }
        Simulator simulator = new World(
                        topology,
                        new RatedPerformance(),
                        new Simulator.Options(RESTART_SECONDS * 1_000_000_000L, false))
                .simulator(jobs.workload());
        simulator.advance();
        for (int job = 0; job < placements.size(); job++) {
            simulator.start(job, placements.get(job));
        }
        return simulator.view();
    }

    /** One planner is asked for three jobs of different widths; in half of the states many costs are equal. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void a_plan_is_that_of_a_search_through_all_servers_and_racks(boolean isUniform, boolean keepsToRacks) {
        Topology topology = topology(isUniform);
        Random random = new Random(36);
        int[] found = new int[3];
        for (int state = 0; state < 250; state++) {
            List<Integer> widths = new ArrayList<>(
                    IntStream.rangeClosed(1, topology.gpus()).boxed().toList());
            Collections.shuffle(widths, random);
            SimView view = view(topology, random, widths.subList(0, 3));
            boolean isEqual = random.nextBoolean();
            // Sums of parts of powers of two are exact.
            double[] seconds = IntStream.range(0, view.arrived())
                    .mapToDouble(job -> isEqual ? 128 << random.nextInt(4) : 30 + random.nextInt(1970))
                    .toArray();
            double weight = random.nextInt(3) == 0 ? 1.5 : 0;
            double limit = random.nextBoolean() ? Double.POSITIVE_INFINITY : 0.2 + 3 * random.nextDouble();
            int from = random.nextInt(3);
            int to = topology.servers() - random.nextInt(3);
            PreemptionPlanner planner = new PreemptionPlanner(
                    view,
                    from,
                    to,
                    (any, job) -> seconds[job],
                    new PlacementPreview(topology, InterferenceModel.NONE),
                    keepsToRacks,
                    new PreemptionCharge(weight));
            for (int pending = view.arrived() - 3; pending < view.arrived(); pending++) {
                seconds[pending] = isEqual ? 64 : 20 + random.nextInt(random.nextInt(3) == 0 ? 1500 : 300);
            }
            for (int pending = view.arrived() - 3; pending < view.arrived(); pending++) {
                Plan expected = new Search(view, seconds, from, to, keepsToRacks, weight, limit)
                        .find(view.job(pending).gpus(), seconds[pending]);
                assertThat(text(planner.plan(pending, limit)))
                        .as("state %d, job %d", state, pending)
                        .isEqualTo(String.valueOf(expected));
                found[expected == null ? 0 : expected.servers.size() == 1 ? 1 : 2]++;
            }
        }
        assertThat(IntStream.of(found)).allMatch(count -> count > 50);
    }

    /**
     * Random starts, preemptions and ends of jobs, which lose work where it is saved now and then; of estimates that
     * change with every job that ends.
     */
    @ParameterizedTest
    @CsvSource({"1, 0, 0", "2, 40, 0", "3, 0, 60", "4, 25, 90"})
    void a_planner_that_is_kept_plans_at_every_event_as_the_search_does(long seed, long savedEvery, long leastRun) {
        Random random = new Random(seed);
        Topology topology = topology(seed % 2 == 0);
        TimedJobs jobs = TimedJobs.list();
        IntStream.range(0, 60)
                .forEach(job -> jobs.job(1 + random.nextInt(job % 3 == 0 ? 9 : 4), 8L * job, 30 + random.nextInt(400)));
        Simulator simulator = new World(
                        topology,
                        new RatedPerformance(),
                        new Simulator.Options(0, false)
                                .with(new PreemptionRules(
                                        savedEvery * 1_000_000_000L, leastRun * 1_000_000_000L, 0, 4)))
                .telling(all -> RuntimePredictor.lognormal(all, 0.7, seed))
                .simulator(jobs.workload());
        SimView view = simulator.view();
        RemainingTimeEstimator remaining = new RemainingTimeEstimator();
        PlacementPreview preview = new PlacementPreview(topology, InterferenceModel.NONE);
        int from = (int) seed % 3;
        int to = topology.servers() - (int) seed % 2;
        PreemptionPlanner kept =
                new PreemptionPlanner(view, from, to, remaining, preview, seed < 3, PreemptionCharge.NONE);
        int[] found = new int[2];
        while (simulator.advance()) {
            for (int step = 0; step < 4; step++) {
                if (view.waitingCount() > 0) {
                    double[] seconds = IntStream.range(0, view.arrived())
                            .mapToDouble(job -> view.state(job) == JobState.DONE ? 0 : remaining.of(view, job))
                            .toArray();
                    int pending = waiting(view).get(random.nextInt(view.waitingCount()));
                    Plan expected = new Search(view, seconds, from, to, seed < 3, 0, Double.POSITIVE_INFINITY)
                            .find(view.job(pending).gpus(), seconds[pending]);
                    assertThat(text(kept.plan(pending))).isEqualTo(String.valueOf(expected));
                    found[expected == null ? 0 : 1]++;
                }
                step(simulator, topology, random);
            }
            // Time passes with events and without.
            simulator.apply(
                    random.nextBoolean()
                            ? Decision.WAIT
                            : Decision.waitUntil(view.nowNanos() + (1 + random.nextInt(9)) * 1_000_000_000L));
        }
        assertThat(IntStream.of(found)).allMatch(count -> count > 50);
    }

    private static List<Integer> waiting(SimView view) {
        List<Integer> jobs = new ArrayList<>();
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            jobs.add(job);
        }
        return jobs;
    }

    /** Starts a job on any free GPUs, if they are enough, or preempts one that may be. */
    private static void step(Simulator simulator, Topology topology, Random random) {
        SimView view = simulator.view();
        List<Integer> free = new ArrayList<>(IntStream.range(0, topology.gpus())
                .filter(gpu -> view.cluster().owner(gpu) == Cluster.FREE)
                .boxed()
                .toList());
        List<Integer> waiting = waiting(view);
        int job = waiting.isEmpty() ? SimView.NONE : waiting.get(random.nextInt(waiting.size()));
        int running = view.firstRunning();
        for (int skip = random.nextInt(4); skip > 0 && running != SimView.NONE; skip--) {
            running = view.nextRunning(running);
        }
        if (job != SimView.NONE && view.job(job).gpus() <= free.size() && random.nextInt(4) > 0) {
            if (random.nextBoolean()) {
                Collections.shuffle(free, random);
            }
            simulator.start(
                    job,
                    Placement.of(
                            topology,
                            free.stream()
                                    .limit(view.job(job).gpus())
                                    .mapToInt(gpu -> gpu)
                                    .sorted()
                                    .toArray()));
        } else if (running != SimView.NONE && view.mayPreempt(running) && random.nextInt(4) == 0) {
            simulator.preempt(running);
        }
    }

    private static String text(@Nullable PreemptionPlan plan) {
        if (plan == null) {
            return "null";
        }
        Plan same = new Plan();
        IntStream.range(0, plan.servers()).map(plan::server).forEach(same.servers::add);
        IntStream.range(0, plan.size()).map(plan::victim).forEach(same.victims::add);
        IntStream.range(0, plan.size()).map(plan::target).forEach(same.targets::add);
        same.cost = plan.cost();
        return same.toString();
    }
}
