package org.trainyard.agents.heuristic.elastic;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.agents.heuristic.elastic.AllocationSearch.Candidate;

/**
 * The tables of GPUs by job and server of one {@link AllocationSearch}: their fitness, and the ways in which they
 * change.
 */
final class AllocationTable {
    private static final double RESET = 0.1;
    private static final double CLEARED_ROWS = 0.1;
    private static final double CLEARED = 0.1;
    /** Added to every speed-up, so that a job without GPUs does not make the mean zero. */
    private static final double OFFSET = 1e-3;

    private final List<Candidate> jobs;
    private final int[] capacity;
    private final byte[] present;
    private final int servers;
    private final RandomGenerator random;
    private final double scale;
    /** Speed-ups known so far, by job, servers and GPUs; NaN where unknown. */
    private final double[][] known;

    private final int[] used;
    private final boolean[] hasSpanning;
    private final int[] order;

    AllocationTable(List<Candidate> jobs, int[] capacity, int[][] present, RandomGenerator random) {
        this.jobs = jobs;
        this.capacity = capacity;
        this.random = random;
        servers = capacity.length;
        this.present = new byte[jobs.size() * servers];
        for (int i = 0; i < this.present.length; i++) {
            this.present[i] = (byte) present[i / servers][i % servers];
        }
        // As in adaptdl: a server's share of the cluster has a speed-up of one.
        int gpus = Arrays.stream(capacity).sum();
        scale = gpus == 0 ? 1 : (double) servers / gpus;
        known = new double[jobs.size()][];
        used = new int[servers];
        hasSpanning = new boolean[servers];
        order = new int[servers];
        for (int i = 0; i < servers; i++) {
            order[i] = i;
        }
    }

    byte[] present() {
        return present.clone();
    }

    int[][] rows(byte[] table) {
        int[][] rows = new int[jobs.size()][servers];
        for (int i = 0; i < table.length; i++) {
            rows[i / servers][i % servers] = table[i];
        }
        return rows;
    }

    /** The harmonic mean of the speed-ups. */
    double fitness(byte[] table) {
        double inverse = 0;
        for (int job = 0, at = 0; job < jobs.size(); job++) {
            int nodes = 0;
            int gpus = 0;
            boolean isSame = true;
            for (int server = 0; server < servers; server++, at++) {
                nodes += table[at] > 0 ? 1 : 0;
                gpus += table[at];
                isSame &= table[at] == present[at];
            }
            double speedup = gpus == 0 ? 0 : scale * speedup(job, nodes, gpus);
            inverse += 1 / ((isSame ? speedup : speedup * jobs.get(job).restartFactor()) + OFFSET);
        }
        return jobs.size() / inverse;
    }

    private double speedup(int job, int nodes, int gpus) {
        int most = jobs.get(job).mostGpus();
        if (known[job] == null) {
            known[job] = new double[servers * (most + 1)];
            Arrays.fill(known[job], Double.NaN);
        }
        int key = (nodes - 1) * (most + 1) + gpus;
        if (Double.isNaN(known[job][key])) {
            known[job][key] = jobs.get(job).speedup().of(nodes, gpus);
        }
        return known[job][key];
    }

    /** Exchanges the rows of two tables after a random job. */
    void cross(byte[] first, byte[] second) {
        int from = random.nextInt(jobs.size()) * servers;
        for (int i = from; i < first.length; i++) {
            byte kept = first[i];
            first[i] = second[i];
            second[i] = kept;
        }
    }

    void mutate(byte[] table) {
        for (int job = 0; job < jobs.size(); job++) {
            if (random.nextDouble() < RESET) {
                System.arraycopy(present, job * servers, table, job * servers, servers);
            }
            if (random.nextDouble() < CLEARED_ROWS) {
                for (int i = job * servers; i < (job + 1) * servers; i++) {
                    if (table[i] > 0 && random.nextDouble() < CLEARED) {
                        table[i] = 0;
                    }
                }
            }
        }
        count(table);
        for (int server = 0; server < servers; server++) {
            if (used[server] < capacity[server]) {
                fill(table, server);
            }
        }
    }

    /** Gives more GPUs of a server to about one job, and to about one of those already there. */
    private void fill(byte[] table, int server) {
        int there = 0;
        for (int i = server; i < table.length; i += servers) {
            there += table[i] > 0 ? 1 : 0;
        }
        double any = 1.0 / jobs.size();
        for (int i = server; i < table.length; i += servers) {
            double chance = table[i] > 0 ? any + 1.0 / there - any / there : any;
            if (random.nextDouble() < chance) {
                table[i] =
                        (byte) (table[i] + random.nextInt(capacity[server] + 1 - Math.min(table[i], capacity[server])));
            }
        }
    }

    private void count(byte[] table) {
        Arrays.fill(used, 0);
        for (int i = 0; i < table.length; i++) {
            used[i % servers] += table[i];
        }
    }

    /** Makes a table feasible, in place. */
    void repair(byte[] table) {
        Arrays.fill(used, 0);
        Arrays.fill(hasSpanning, false);
        for (int job = 0; job < jobs.size(); job++) {
            int from = job * servers;
            oneSpanningJob(table, from);
            atMost(table, from, jobs.get(job).mostGpus());
            intoRoom(table, from, jobs.get(job).leastGpus());
        }
    }

    /** Leaves a job the GPUs that earlier jobs do not take, if these are enough. */
    private void intoRoom(byte[] table, int from, int least) {
        int gpus = 0;
        for (int server = 0; server < servers; server++) {
            table[from + server] = (byte) Math.min(table[from + server], capacity[server] - used[server]);
            gpus += table[from + server];
        }
        for (int server = 0; server < servers; server++) {
            if (gpus < least) {
                table[from + server] = 0;
            }
            used[server] += table[from + server];
        }
    }

    private void oneSpanningJob(byte[] table, int from) {
        int nodes = 0;
        for (int i = from; i < from + servers; i++) {
            nodes += table[i] > 0 ? 1 : 0;
        }
        for (int server = 0; nodes > 1 && server < servers; server++) {
            if (table[from + server] > 0) {
                if (hasSpanning[server]) {
                    table[from + server] = 0;
                }
                hasSpanning[server] = true;
            }
        }
    }

    /** Takes GPUs on random servers from a job above its most. */
    private void atMost(byte[] table, int from, int most) {
        int gpus = 0;
        for (int i = from; i < from + servers; i++) {
            gpus += table[i];
        }
        if (gpus <= most) {
            return;
        }
        int left = most;
        for (int i = servers - 1; i >= 0; i--) {
            int other = random.nextInt(i + 1);
            int server = order[other];
            order[other] = order[i];
            order[i] = server;
            table[from + server] = (byte) Math.min(table[from + server], left);
            left -= table[from + server];
        }
    }
}
