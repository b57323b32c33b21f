package org.trainyard.agents.heuristic.elastic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Pollux' genetic search for the allocation of GPUs with the largest power mean (p = -1) of the jobs' speed-ups.
 *
 * <p>An allocation is a table of GPUs by job and server. From one generation to the next parents exchange the rows
 * after a random job; rows fall back to the present allocation, lose GPUs or get GPUs of a server with room; then the
 * table is repaired: at most one job that spans servers on each server, no job above its most GPUs, no server above its
 * GPUs, earlier jobs first, no job below its fewest GPUs. A job whose row differs from its present allocation has to
 * restart, which multiplies its speed-up by {@link Candidate#restartFactor}. The best tables of parents and offspring
 * survive, and the last generation starts the search of the next round.
 *
 * <p>Source: adaptdl, the implementation of A. Qiao et al.: Pollux: co-adaptive cluster scheduling for
 * goodput-optimized deep learning, OSDI 2021, as of its artifact: 100 tables, 100 generations. Our deviations: (1)
 * selection by the mean alone, there by dominance in the mean and in the utilisation of the cluster, of which the
 * largest mean is then taken; (2) the search ends early when the best table has not improved for {@link #PATIENCE}
 * generations.
 */
public final class AllocationSearch {
    /** The speed-up of a job on so many servers and GPUs over its speed on an equal share of the cluster. */
    @FunctionalInterface
    public interface Speedup {
        double of(int nodes, int gpus);
    }

    /**
     * A job that takes part in a search.
     *
     * @param id the same in all rounds
     * @param leastGpus the fewest that it can run on
     * @param mostGpus the most that it may get
     * @param restartFactor on its speed-up when its allocation changes, 0..1
     */
    public record Candidate(int id, int leastGpus, int mostGpus, double restartFactor, Speedup speedup) {}

    /** A table with its fitness; equal tables are equal. */
    private static final class Individual {
        final byte[] table;
        double fitness;

        Individual(byte[] table) {
            this.table = table;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Individual one && Arrays.equals(table, one.table);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(table);
        }
    }

    static final int POPULATION = 100;
    static final int GENERATIONS = 100;
    /** Generations without improvement after which the search ends. */
    static final int PATIENCE = 25;

    private final RandomGenerator random;
    private Map<Integer, Integer> lastRows = Map.of();
    private List<byte[]> lastTables = List.of();

    public AllocationSearch(RandomGenerator random) {
        this.random = random;
    }

    /**
     * The best allocation that was found, GPUs by job and server.
     *
     * @param candidates the jobs, those first that are served first where servers are short
     * @param capacity GPUs of each server for these jobs
     * @param present the present allocation, by candidate and server
     */
    public int[][] best(List<Candidate> candidates, int[] capacity, int[][] present) {
        AllocationTable tables = new AllocationTable(candidates, capacity, present, random);
        List<Individual> population = new ArrayList<>();
        Set<Individual> known = new HashSet<>();
        byte[] start = tables.present();
        tables.repair(start);
        add(population, known, tables, start);
        for (byte[] old : lastTables) {
            byte[] adapted = adapted(old, candidates, capacity.length);
            tables.repair(adapted);
            add(population, known, tables, adapted);
        }
        evolve(population, tables);
        lastTables = population.stream().map(one -> one.table).toList();
        lastRows = new HashMap<>();
        for (int job = 0; job < candidates.size(); job++) {
            lastRows.put(candidates.get(job).id(), job);
        }
        return tables.rows(population.get(0).table);
    }

    /** A table of the last round with the rows of the jobs of this one. */
    private byte[] adapted(byte[] old, List<Candidate> candidates, int servers) {
        byte[] table = new byte[candidates.size() * servers];
        for (int job = 0; job < candidates.size(); job++) {
            Integer row = lastRows.get(candidates.get(job).id());
            if (row != null && (row + 1) * servers <= old.length) {
                System.arraycopy(old, row * servers, table, job * servers, servers);
            }
        }
        return table;
    }

    private static void add(List<Individual> to, Set<Individual> known, AllocationTable tables, byte[] table) {
        Individual one = new Individual(table);
        if (known.add(one)) {
            one.fitness = tables.fitness(table);
            to.add(one);
        }
    }

    private void evolve(List<Individual> population, AllocationTable tables) {
        Comparator<Individual> fittestFirst = Comparator.comparingDouble(one -> -one.fitness);
        population.sort(fittestFirst);
        int unimproved = 0;
        for (int generation = 0; generation < GENERATIONS && unimproved < PATIENCE; generation++) {
            double before = population.get(0).fitness;
            Set<Individual> known = new HashSet<>(population);
            List<Individual> all = new ArrayList<>(population);
            for (int pair = 0; pair < POPULATION / 2; pair++) {
                byte[] first = parent(population).table.clone();
                byte[] second = parent(population).table.clone();
                tables.cross(first, second);
                for (byte[] child : List.of(first, second)) {
                    tables.mutate(child);
                    tables.repair(child);
                    add(all, known, tables, child);
                }
            }
            all.sort(fittestFirst);
            population.clear();
            population.addAll(all.subList(0, Math.min(POPULATION, all.size())));
            unimproved = population.get(0).fitness > before ? 0 : unimproved + 1;
        }
    }

    /** The fitter of two random tables. */
    private Individual parent(List<Individual> population) {
        return population.get(Math.min(random.nextInt(population.size()), random.nextInt(population.size())));
    }
}
