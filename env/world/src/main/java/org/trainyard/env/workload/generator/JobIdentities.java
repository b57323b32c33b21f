package org.trainyard.env.workload.generator;

import it.unimi.dsi.fastutil.doubles.DoubleArrayList;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that all runs of a group share, and which job is a run of which, in columns: 24 bytes for each group
 * or single job and 4 for each job, beside the names of groups.
 */
final class JobIdentities {
    private final IntArrayList users = new IntArrayList();
    private final List<String> models = new ArrayList<>();
    private final IntArrayList gpus = new IntArrayList();
    private final DoubleArrayList logSeconds = new DoubleArrayList();
    /** Groups come first, single jobs after them. */
    private final List<String> groups = new ArrayList<>();
    /** By job, the number of its identity. */
    private final int[] identityOf;

    private int jobs;

    JobIdentities(int jobs) {
        identityOf = new int[jobs];
    }

    /** Appends so many runs of a group. */
    void addGroup(int runs, int user, String model, int width, double meanLogSeconds) {
        groups.add(numbered("g", groups.size(), 4));
        for (int run = 0; run < runs; run++) {
            identityOf[jobs++] = users.size();
        }
        add(user, model, width, meanLogSeconds);
    }

    /** Appends a job that does not recur; groups must have been added before. */
    void addSingle(int user, String model, int width, double meanLogSeconds) {
        identityOf[jobs++] = users.size();
        add(user, model, width, meanLogSeconds);
    }

    private void add(int user, String model, int width, double meanLogSeconds) {
        users.add(user);
        models.add(model);
        gpus.add(width);
        logSeconds.add(meanLogSeconds);
    }

    /** Puts the jobs in random order. */
    void shuffle(RandomGenerator random) {
        for (int i = jobs - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int moved = identityOf[other];
            identityOf[other] = identityOf[i];
            identityOf[i] = moved;
        }
    }

    /** A letter and a number with leading zeros. */
    static String numbered(String letter, int number, int leastDigits) {
        String digits = Integer.toString(number);
        return letter + "0".repeat(Math.max(0, leastDigits - digits.length())) + digits;
    }

    /** Number of groups and single jobs. */
    int count() {
        return users.size();
    }

    int jobs() {
        return jobs;
    }

    int user(int job) {
        return users.getInt(identityOf[job]);
    }

    String model(int job) {
        return models.get(identityOf[job]);
    }

    int gpus(int job) {
        return gpus.getInt(identityOf[job]);
    }

    /** The group of a recurring job, or null. */
    @Nullable String group(int job) {
        return isRecurring(job) ? groups.get(identityOf[job]) : null;
    }

    boolean isRecurring(int job) {
        return identityOf[job] < groups.size();
    }

    /** The mean of the logarithm of its run time, seconds. */
    double logSeconds(int job) {
        return logSeconds.getDouble(identityOf[job]);
    }
}
