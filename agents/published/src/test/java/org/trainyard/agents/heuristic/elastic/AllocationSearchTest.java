package org.trainyard.agents.heuristic.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.elastic.AllocationSearch.Candidate;
import org.trainyard.env.RandomStreams;

class AllocationSearchTest {
    private static final int[] CAPACITY = {2, 2};

    private static Candidate job(int id, int mostGpus, double across) {
        return new Candidate(id, 1, mostGpus, 1, (nodes, gpus) -> nodes > 1 ? across * gpus : gpus);
    }

    private static int[][] best(long seed, List<Candidate> jobs, int[][] present) {
        return new AllocationSearch(RandomStreams.stream(seed, "search")).best(jobs, CAPACITY, present);
    }

    @Test
    void equal_jobs_get_equal_parts_each_on_one_server() {
        int[][] rows = best(1, List.of(job(0, 4, 0.5), job(1, 4, 0.5)), new int[2][2]);
        assertThat(Arrays.stream(rows).map(row -> Arrays.stream(row).max().orElseThrow()))
                .containsExactly(2, 2);
        assertThat(rows[0]).isNotEqualTo(rows[1]);
    }

    @Test
    void a_job_that_would_lose_by_a_restart_stays() {
        Candidate fast = new Candidate(0, 1, 4, 0.4, (nodes, gpus) -> gpus);
        Candidate other = job(1, 1, 1);
        int[][] rows = best(1, List.of(fast, other), new int[][] {{2, 0}, {0, 0}});
        assertThat(rows[0]).containsExactly(2, 0);
        assertThat(Arrays.stream(rows[1]).sum()).isEqualTo(1);
    }

    @Test
    void a_job_gets_nothing_rather_than_less_than_its_fewest() {
        Candidate wide = new Candidate(0, 4, 4, 1, (nodes, gpus) -> gpus);
        int[][] rows = best(1, List.of(wide, job(1, 4, 1)), new int[2][2]);
        assertThat(Arrays.stream(rows[0]).sum()).isIn(0, 4);
    }

    @Test
    void tables_are_feasible_and_no_worse_than_the_present_one() {
        RandomGenerator random = RandomStreams.stream(7, "jobs");
        AllocationSearch search = new AllocationSearch(RandomStreams.stream(7, "search"));
        int[] capacity = {4, 4, 3, 0};
        int[][] rows = new int[6][4];
        for (int round = 0; round < 5; round++) {
            List<Candidate> jobs = new ArrayList<>();
            for (int job = 0; job < rows.length; job++) {
                double exponent = 0.3 + 0.7 * random.nextDouble();
                double across = 0.3 + 0.7 * random.nextDouble();
                jobs.add(new Candidate(
                        job,
                        1,
                        1 + random.nextInt(8),
                        0.9,
                        (nodes, gpus) -> Math.pow(gpus, exponent) * (nodes > 1 ? across : 1)));
            }
            AllocationTable tables = new AllocationTable(jobs, capacity, rows, random);
            byte[] present = tables.present();
            tables.repair(present);
            int[][] next = search.best(jobs, capacity, rows);
            checkFeasible(jobs, capacity, next);
            byte[] table = new byte[present.length];
            for (int i = 0; i < table.length; i++) {
                table[i] = (byte) next[i / 4][i % 4];
            }
            assertThat(tables.fitness(table)).isGreaterThanOrEqualTo(tables.fitness(present));
            rows = next;
        }
    }

    private static void checkFeasible(List<Candidate> jobs, int[] capacity, int[][] rows) {
        int[] used = new int[capacity.length];
        int[] spanning = new int[capacity.length];
        for (int job = 0; job < rows.length; job++) {
            int gpus = Arrays.stream(rows[job]).sum();
            long nodes = Arrays.stream(rows[job]).filter(here -> here > 0).count();
            assertThat(gpus).isLessThanOrEqualTo(jobs.get(job).mostGpus());
            for (int server = 0; server < capacity.length; server++) {
                used[server] += rows[job][server];
                spanning[server] += nodes > 1 && rows[job][server] > 0 ? 1 : 0;
            }
        }
        for (int server = 0; server < capacity.length; server++) {
            assertThat(used[server]).isLessThanOrEqualTo(capacity[server]);
            assertThat(spanning[server]).isLessThanOrEqualTo(1);
        }
    }

    /** Against all divisions of two servers of two GPUs among three jobs. */
    @Test
    void small_clusters_get_the_best_of_all_tables() {
        RandomGenerator random = RandomStreams.stream(3, "jobs");
        for (int draw = 0; draw < 10; draw++) {
            List<Candidate> jobs = new ArrayList<>();
            for (int job = 0; job < 3; job++) {
                double exponent = 0.2 + 0.8 * random.nextDouble();
                double across = 0.3 + 0.7 * random.nextDouble();
                jobs.add(new Candidate(
                        job, 1, 4, 1, (nodes, gpus) -> Math.pow(gpus, exponent) * (nodes > 1 ? across : 1)));
            }
            AllocationTable tables = new AllocationTable(jobs, CAPACITY, new int[3][2], random);
            double highest = 0;
            for (int code = 0; code < 729; code++) {
                byte[] table = new byte[6];
                for (int i = 0, rest = code; i < 6; i++, rest /= 3) {
                    table[i] = (byte) (rest % 3);
                }
                byte[] repaired = table.clone();
                tables.repair(repaired);
                if (Arrays.equals(table, repaired)) {
                    highest = Math.max(highest, tables.fitness(table));
                }
            }
            int[][] found = best(draw, jobs, new int[3][2]);
            byte[] table = new byte[6];
            for (int i = 0; i < 6; i++) {
                table[i] = (byte) found[i / 2][i % 2];
            }
            assertThat(tables.fitness(table)).isEqualTo(highest);
        }
    }

    @Test
    void equal_seeds_give_equal_tables() {
        List<Candidate> jobs = List.of(job(0, 3, 0.7), job(1, 2, 0.7), job(2, 4, 0.9));
        assertThat(best(5, jobs, new int[3][2])).isDeepEqualTo(best(5, jobs, new int[3][2]));
    }
}
