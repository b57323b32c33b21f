package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;

class BackfillPlanTest {
    private static final long NOW = 1_800_000_000L;
    private static final int NODES = 70;

    private final List<SlurmJob> running = new ArrayList<>();
    private final SlurmState state = new SlurmState(SlurmCluster.of(
            SlurmConf.parse("slurm.conf", List.of("NodeName=n[1-70] CPUs=8 Gres=gpu:4", "KillWait=7")),
            null,
            null,
            null));
    private long ids;
    /** The nodes that {@link #oneByOne} chooses. */
    private @Nullable BitSet chosen;

    private SlurmJob submit(int nodes, int gpus, int cpus, long seconds, boolean alone) {
        return new Asked(state, ids++)
                .nodes(nodes, gpus, cpus)
                .seconds(seconds)
                .alone(alone)
                .at(NOW);
    }

    private static BitSet some(Random random, double share) {
        BitSet set = new BitSet();
        for (int node = 0; node < NODES; node++) {
            set.set(node, random.nextDouble() < share);
        }
        return set;
    }

    /** Takes running jobs away one by one in groups, as the class says, without an index. */
    private long oneByOne(SlurmJob job, BitSet among) {
        FreeNodes nodes = state.free.copy();
        long window = 30;
        long barrier = 0;
        int at = 0;
        while (at < running.size()) {
            SlurmJob last = null;
            int taken = 0;
            boolean full = false;
            while (at < running.size()) {
                SlurmJob next = running.get(at++);
                if (!Preemption.touches(next, among)) {
                    continue;
                }
                barrier = barrier == 0 ? next.endSecond + 30 - next.endSecond % 30 : barrier;
                last = next;
                nodes.change(next, 1);
                taken++;
                if (at >= running.size() || running.get(at).endSecond > barrier + window) {
                    break;
                }
                full = taken == 202;
                if (full) {
                    break;
                }
            }
            if (last == null) {
                return -1;
            }
            if (!full) {
                long reach = at < running.size() ? running.get(at).endSecond - barrier : 0;
                do {
                    window *= 2;
                } while (reach > window);
                chosen = nodes.choose(job, job.partition(), among);
                if (chosen != null) {
                    return last.endSecond > NOW ? last.endSecond : Math.max(last.endSecond + 7, NOW + 1);
                }
            }
        }
        return -1;
    }

    private void start(int count, int mostNodes, int mostGpus, int mostCpus, double spread, Random random) {
        for (int i = 0; i < count; i++) {
            boolean alone = mostNodes > 1 && random.nextInt(10) == 0;
            SlurmJob job = submit(
                    1 + random.nextInt(mostNodes),
                    random.nextInt(1 + mostGpus),
                    1 + random.nextInt(mostCpus),
                    (long) (spread * random.nextDouble()),
                    alone);
            BitSet nodes = NodeChoice.choose(state.free.usable(job, job.partition(), some(random, 0.7)), job.nodes());
            if (nodes == null) {
                state.end(job);
            } else {
                state.start(job, job.partition(), nodes, NOW - random.nextInt(20));
            }
        }
        running.addAll(state.running);
    }

    private SlurmJob asks(Random random) {
        return submit(1 + random.nextInt(20), random.nextInt(5), 1 + random.nextInt(8), 60, random.nextInt(5) == 0);
    }

    private void compare(BackfillPlan plan, Random random) {
        for (int i = 0; i < 200; i++) {
            SlurmJob job = asks(random);
            BitSet among = some(random, random.nextDouble());
            long second = plan.afterEnds(job, job.partition(), among, List.of());

            assertThat(second).as("job %s on %s", job, among).isEqualTo(oneByOne(job, among));
            if (second >= 0) {
                assertThat(plan.chosen()).as("job %s on %s", job, among).isEqualTo(chosen);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void a_job_is_expected_when_taking_running_jobs_away_one_by_one_would_let_it_fit(int seed) {
        Random random = new Random(seed);
        start(400, 3, 2, 2, Math.pow(10, 1 + seed % 4), random);

        compare(new BackfillPlan(state, NOW), random);
    }

    /** More than 202 jobs, the most of a group, end within a window of 60 s, of 180 s or of longer ones. */
    @ParameterizedTest
    @ValueSource(ints = {30, 180, 600})
    void groups_of_very_many_jobs_go_on_as_new_ones(int spread) {
        Random random = new Random(spread);
        start(600, 1, 0, 1, spread, random);
        assertThat(running).hasSizeGreaterThan(404);

        compare(new BackfillPlan(state, NOW), random);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void when_jobs_give_way_it_is_as_if_they_had_ended(int seed) {
        Random random = new Random(seed);
        start(300, 2, 2, 2, 600, random);
        List<SlurmJob> giveWay =
                running.stream().filter(job -> job.request().id() % 7 == 0).toList();
        BackfillPlan plan = new BackfillPlan(state, NOW);
        List<SlurmJob> asked = new ArrayList<>();
        List<BitSet> among = new ArrayList<>();
        List<Object> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            SlurmJob job = asks(random);
            BitSet on = some(random, random.nextDouble());
            asked.add(job);
            among.add(on);
            long second = plan.afterEnds(job, job.partition(), on, giveWay);
            answers.add(second < 0 ? second : List.of(second, plan.chosen().clone()));
            boolean fits = plan.fitsWithout(job, job.partition(), on, giveWay);
            answers.add(fits ? plan.chosen().clone() : fits);
        }

        giveWay.forEach(state::end);

        BackfillPlan then = new BackfillPlan(state, NOW);
        for (int i = 0; i < asked.size(); i++) {
            SlurmJob job = asked.get(i);
            long second = then.afterEnds(job, job.partition(), among.get(i), List.of());
            assertThat(answers.get(2 * i)).isEqualTo(second < 0 ? second : List.of(second, then.chosen()));
            boolean fits = then.fitsNow(job, job.partition(), among.get(i));
            assertThat(answers.get(2 * i + 1)).isEqualTo(fits ? then.chosen() : fits);
        }
        assertThat(answers)
                .contains(-1L, false)
                .hasAtLeastOneElementOfType(List.class)
                .hasAtLeastOneElementOfType(BitSet.class);
    }

    /**
     * One that has outlived its limit is killed within the seven seconds of KillWait, but not before the next second.
     */
    @ParameterizedTest
    @CsvSource({"60, 60", "1, 1", "0, 7", "-5, 2", "-6, 1", "-20, 1"})
    void a_job_that_ought_to_have_ended_is_expected_to_end_after_kill_wait(long end, long expected) {
        SlurmJob job = submit(1, 4, 1, 100, false);
        BitSet first = new BitSet();
        first.set(0);
        state.start(job, job.partition(), first, NOW + end - 100);
        SlurmJob next = submit(1, 4, 1, 60, false);

        assertThat(new BackfillPlan(state, NOW).afterEnds(next, next.partition(), first, List.of()))
                .isEqualTo(NOW + expected);
    }
}
