package org.trainyard.env.scheduling.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/** The queue against a list of all waiting jobs that is sorted and filtered anew for every question. */
class WaitingJobsByListTest {
    private static final int JOBS = 150;

    private final Random random = new Random(12);
    private final double[] rank = random.ints(JOBS, 0, 12).asDoubleStream().toArray();
    private final double[] known = rank.clone();
    private final double[] tie = random.ints(JOBS, 0, 3).asDoubleStream().toArray();
    private final boolean[] isOut = new boolean[JOBS];

    /**
     * Jobs of 1 to 70 GPUs, of parts of a GPU, with hosts, and elastic ones, of two tenants with quotas and one
     * without.
     */
    private Simulator simulator(boolean isShared) {
        int[] sizes = {1, 1, 2, 4, 8, 66, 70};
        TimedJobs jobs = TimedJobs.list();
        for (int job = 0; job < JOBS; job++) {
            Demand plain = Demand.ofGpus(sizes[random.nextInt(7)]);
            Demand demand = switch (random.nextInt(8)) {
                case 0 -> plain.withHost(1000, 0);
                case 2 -> plain.gpus() == 2 ? plain.elastic(1, 3) : plain;
                case 1, 3, 4, 5 -> isShared ? Demand.ofGpus(1).withGpuMilli(250) : plain;
                default -> plain;
            };
            jobs.job(demand, isShared ? job : job * 5L / 2, random.nextInt(20, 200))
                    .by("user", List.of("b", "c", "a").get(random.nextInt(demand.gpus() > 8 ? 2 : 3)));
        }
        ServerSpec server = ServerSpec.ofV100(8).with(isShared ? GpuSharing.FRACTIONS : GpuSharing.WHOLE);
        Topology topology = Topology.uniform("queue", Fabric.DEFAULT, 1, 10, server, 1);
        Quotas quotas = new Quotas(Map.of("a", 8, "b", 74));
        return new World(topology, new RatedPerformance(), new Simulator.Options(0, true).with(quotas))
                .simulator(jobs.workload());
    }

    private List<Integer> waiting(SimView view) {
        List<Integer> jobs = new ArrayList<>();
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            jobs.add(job);
        }
        jobs.sort(Comparator.comparingDouble((Integer job) -> known[job])
                .thenComparing(job -> tie[job])
                .thenComparing(job -> job));
        return jobs;
    }

    private List<Integer> left(SimView view, int mostGpus) {
        return waiting(view).stream()
                .filter(job -> !isOut[job] && view.job(job).gpus() <= mostGpus)
                .toList();
    }

    private static int first(List<Integer> jobs) {
        return jobs.isEmpty() ? SimView.NONE : jobs.get(0);
    }

    private static List<Integer> likes(SimView view, List<Integer> jobs, int job) {
        return jobs.stream()
                .filter(other -> view.job(other).demand().equals(view.job(job).demand())
                        && view.tenant(other) == view.tenant(job))
                .toList();
    }

    /** The GPUs with most left, of lowest numbers. */
    private static @Nullable Placement roomiest(SimView view, JobSpec job) {
        int[] free = IntStream.range(0, 80)
                .filter(gpu -> view.cluster().fitsOn(gpu, job.demand()))
                .boxed()
                .sorted(Comparator.comparing(gpu -> -view.cluster().freeMilli(gpu)))
                .mapToInt(gpu -> gpu)
                .limit(job.gpus())
                .toArray();
        return free.length < job.gpus() ? null : Placement.of(view.topology(), free);
    }

    /** The first job that is left and fits; where the first in its quota blocks others, no job behind it. */
    private Decision start(SimView view, boolean isBlocking) {
        for (int job : left(view, Integer.MAX_VALUE)) {
            if (view.isWithinQuota(job, view.job(job).gpus())) {
                Placement where = roomiest(view, view.job(job));
                if (where != null || isBlocking) {
                    return where == null ? Decision.WAIT : new Decision.Start(job, where);
                }
            }
        }
        return Decision.WAIT;
    }

    private void sortIn(int job) {
        known[job] = rank[job];
    }

    /** Refuses, passes and ranks some jobs by lot. */
    private void leaveOut(SimView view, WaitingJobs queue) {
        List<Integer> all = waiting(view);
        int job = all.get(random.nextInt(all.size()));
        List<Integer> kind = likes(view, all, job);
        int other = all.get(random.nextInt(all.size()));
        assertThat(queue.kind(view, job) == queue.kind(view, other)).isEqualTo(kind.contains(other));
        switch (random.nextInt(4)) {
            case 0 -> {
                queue.refuse(view, job);
                kind.forEach(like -> isOut[like] = true);
            }
            case 1 -> {
                boolean isFirst = kind.stream().noneMatch(like -> isOut[like]);
                if (isFirst) {
                    queue.passTo(view, job);
                    kind.subList(0, kind.indexOf(job)).forEach(like -> isOut[like] = true);
                }
            }
            case 2 -> {
                int head = queue.first();
                if (head != SimView.NONE) {
                    queue.passOver(view, head);
                    isOut[head] = true;
                }
            }
            default -> {
                int modulus = random.nextInt(1, 4);
                List<Integer> behind = kind.subList(kind.indexOf(job), kind.size());
                assertThat(queue.firstOfKind(view, job, like -> like % modulus == 0))
                        .isEqualTo(first(
                                behind.stream().filter(o -> o % modulus == 0).toList()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void all_questions_are_answered_as_by_a_sorted_list(boolean isShared) {
        Simulator simulator = simulator(isShared);
        SimView view = simulator.view();
        WaitingJobs queue = new WaitingJobs((now, job) -> rank[job], (now, job) -> tie[job]);
        int[] seen = new int[4];
        while (simulator.advance()) {
            Decision decision = Decision.WAIT;
            do {
                int before = view.waitingCount();
                queue.update(view);
                Arrays.fill(isOut, false);
                for (int turn = 0; turn < 5 && view.waitingCount() > 0; turn++) {
                    int most = random.nextInt(80);
                    assertThat(queue.first(most)).isEqualTo(first(left(view, most)));
                    assertThat(queue.first()).isEqualTo(first(left(view, 80)));
                    assertThat(queue.lowest()).isEqualTo(first(waiting(view)));
                    leaveOut(view, queue);
                    seen[2]++;
                }
                boolean isBlocking = random.nextBoolean();
                if (random.nextBoolean()) {
                    queue.update(view);
                    Arrays.fill(isOut, false);
                }
                decision = start(view, isBlocking);
                assertThat(
                                isBlocking
                                        ? queue.startHead(view, WaitingJobsByListTest::roomiest)
                                        : queue.startFirstThatFits(view, WaitingJobsByListTest::roomiest))
                        .isEqualTo(decision);
                seen[decision.equals(Decision.WAIT) ? 0 : 1]++;
                seen[3] += isShared && view.cluster().free() == 0 && !decision.equals(Decision.WAIT) ? 1 : 0;
                if (view.waitingCount() > 0) {
                    int changed = waiting(view).get(random.nextInt(before));
                    rank[changed] = random.nextInt(12);
                    queue.rerank(view, changed);
                    sortIn(changed);
                    rank[changed] = random.nextInt(12);
                    if (random.nextInt(10) == 0) {
                        queue.rerankAll(view);
                        waiting(view).forEach(this::sortIn);
                    }
                }
                if (view.runningCount() > 0 && random.nextInt(20) == 0) {
                    decision = new Decision.Preempt(view.firstRunning());
                    sortIn(view.firstRunning());
                }
                if (decision.equals(Decision.WAIT) && view.runningCount() == 0 && view.waitingCount() > 0) {
                    int job = first(waiting(view));
                    Placement where = Objects.requireNonNull(roomiest(view, view.job(job)));
                    decision = view.isWithinQuota(job, view.job(job).gpus())
                            ? new Decision.Start(job, where)
                            : new Decision.Reject(job);
                }
                simulator.apply(decision);
            } while (!decision.equals(Decision.WAIT));
        }
        assertThat(IntStream.of(seen).limit(3).min().orElseThrow()).isGreaterThan(90);
        assertThat(seen[3] > 0).isEqualTo(isShared);
    }
}
