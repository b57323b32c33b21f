package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The costs of clearing a server of random jobs, GPU by GPU, and by all ways of choosing targets. */
class ServerJobsTest {
    private static final int STATES = 3000;

    /** Up to five jobs of 0 to 3 GPUs there, some with more elsewhere, some of which may not move. */
    private static ServerJobs jobs(Random random) {
        ServerJobs jobs = new ServerJobs();
        jobs.begin(random.nextInt(6));
        for (int n = 0; n < jobs.count; n++) {
            jobs.gpus[n] = random.nextInt(4);
            boolean spans = random.nextInt(4) == 0;
            jobs.gpusInAll[n] = jobs.gpus[n] + (spans ? 1 + random.nextInt(4) : 0);
            jobs.seconds[n] = 10 + random.nextInt(400);
            jobs.charged[n] = random.nextInt(3) == 0 ? random.nextDouble() : 0;
            boolean stays = spans || jobs.gpus[n] == 0 || random.nextInt(4) == 0;
            jobs.restart[n] = stays ? Double.POSITIVE_INFINITY : random.nextDouble();
        }
        return jobs;
    }

    private static double preempted(ServerJobs jobs, int n, double pending) {
        return jobs.seconds[n] > pending ? pending / jobs.seconds[n] + jobs.charged[n] : Double.POSITIVE_INFINITY;
    }

    @Test
    void gpus_cost_at_least_the_cheapest_of_them_each_at_its_part_of_its_job() {
        Random random = new Random(1);
        int[] found = new int[2];
        for (int state = 0; state < STATES; state++) {
            ServerJobs jobs = jobs(random);
            double pending = 10 + random.nextInt(300);
            int largestFree = random.nextInt(5);
            List<Double> ofGpus = new ArrayList<>();
            for (int n = 0; n < jobs.count; n++) {
                double moved = jobs.gpus[n] <= largestFree ? jobs.restart[n] : Double.POSITIVE_INFINITY;
                double cost = Math.min(moved, preempted(jobs, n, pending)) / jobs.gpusInAll[n];
                ofGpus.addAll(Collections.nCopies(jobs.gpus[n], cost));
            }
            Collections.sort(ofGpus);
            int missing = 1 + random.nextInt(6);
            double least = missing > ofGpus.size()
                    ? Double.POSITIVE_INFINITY
                    : ofGpus.subList(0, missing).stream()
                            .mapToDouble(cost -> cost)
                            .sum();

            found[least < Double.POSITIVE_INFINITY ? 1 : 0]++;
            assertThat(jobs.leastCost(missing, pending, largestFree))
                    .as("state %d", state)
                    .isCloseTo(least, within(1e-12));
        }
        assertThat(IntStream.of(found)).allMatch(count -> count > STATES / 10);
    }

    @Test
    void a_drained_server_costs_the_least_of_all_ways_to_give_its_jobs_targets() {
        Random random = new Random(2);
        int[] found = new int[2];
        for (int state = 0; state < STATES; state++) {
            ServerJobs jobs = jobs(random);
            double pending = 10 + random.nextInt(300);
            int[] free = random.ints(random.nextInt(4), 1, 5).toArray();
            int[] targets = IntStream.range(0, 5)
                    .map(gpus -> (int) IntStream.of(free).filter(f -> f >= gpus).count())
                    .toArray();
            double least = drained(jobs, 0, pending, free, new boolean[free.length]);

            found[least < Double.POSITIVE_INFINITY ? 1 : 0]++;
            assertThat(jobs.held())
                    .isEqualTo(IntStream.range(0, jobs.count)
                            .map(n -> jobs.gpus[n])
                            .sum());
            assertThat(jobs.drainCost(pending, targets)).as("state %d", state).isCloseTo(least, within(1e-12));
        }
        assertThat(IntStream.of(found)).allMatch(count -> count > STATES / 10);
    }

    private static double drained(ServerJobs jobs, int from, double pending, int[] free, boolean[] isTaken) {
        if (from == jobs.count) {
            return 0;
        }
        double rest = drained(jobs, from + 1, pending, free, isTaken);
        if (jobs.gpus[from] == 0) {
            return rest;
        }
        double least = preempted(jobs, from, pending) * jobs.gpus[from] / jobs.gpusInAll[from] + rest;
        for (int target = 0; target < free.length; target++) {
            if (!isTaken[target] && free[target] >= jobs.gpus[from]) {
                isTaken[target] = true;
                least = Math.min(least, jobs.restart[from] + drained(jobs, from + 1, pending, free, isTaken));
                isTaken[target] = false;
            }
        }
        return least;
    }
}
