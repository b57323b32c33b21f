package org.trainyard.experiments.papers.pollux;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.goodput.GoodputModel;

/**
 * A job as the learned policy sees it in a round: the columns of a step from one number of GPUs to a larger one.
 *
 * <p>It knows what Pollux knows, the goodput that the job itself has fitted, and of finished jobs of the same
 * application how much work they had and how it scaled.
 */
final class ElasticJob {
    /** The numbers of GPUs that a job may have: parts of a server, or whole servers. */
    static final int[] SIZES = {1, 2, 3, 4, 8, 12, 16, 24, 32, 48, 64};

    /** What the weights are for, in their order; the last is for {@link #paysBack}. */
    static final String[] COLUMNS = {
        "log of the remaining seconds on one GPU",
        "log of the attained GPU seconds",
        "log of the age, seconds",
        "log of the GPUs after the step",
        "no restart is needed",
        "restart over the remaining time",
        "no job of the application has finished",
        "more than one server",
        "log of the payback that growth must have, restarts"
    };

    private static final double RESTART_SECONDS = 30;
    private static final double MINUTE = 60;
    private static final int NONE = -1;

    /**
     * What a finished job leaves to know of its application.
     *
     * @param work iterations at the initial batch
     * @param attained GPU seconds
     * @param mostGpus it ran on
     * @param goodput with the noise of its first epoch, or null for a job whose batch is fixed
     */
    record Finished(
            double work,
            double attained,
            int mostGpus,
            @Nullable GoodputModel goodput) {}

    final ArtifactJob job;
    final int gpusNow;
    /** The index of the size that it is to have, or -1. */
    int size = NONE;

    private final @Nullable GoodputModel goodput;
    private final double one;
    private final double[] speedup = new double[SIZES.length];
    private final double remainingSeconds;
    private final boolean isUnknown;
    private final double ageLog;

    /**
     * A job in a round.
     *
     * @param known of the application, or null where none of its jobs has finished
     */
    ElasticJob(ArtifactJob job, long now, @Nullable Finished known) {
        this.job = job;
        gpusNow = job.gpus();
        goodput = goodput(job.goodput(), known == null ? null : known.goodput());
        one = goodput == null ? 0 : goodput.best(1, 1).goodput();
        isUnknown = known == null;
        int most = mostGpus(known == null ? 0 : known.mostGpus());
        for (int i = 0; i < SIZES.length; i++) {
            speedup[i] = SIZES[i] > most ? 0 : speedup((SIZES[i] + 3) / ArtifactSimulation.GPUS, SIZES[i]);
        }
        remainingSeconds = MINUTE + remainingSeconds(known);
        ageLog = Math.log(MINUTE + now - job.submitted);
    }

    /** Step times are better known of a job that has finished, noise of the job itself. */
    private static @Nullable GoodputModel goodput(@Nullable GoodputModel own, @Nullable GoodputModel finished) {
        return own == null || finished == null
                ? own == null ? finished : own
                : new GoodputModel(finished.throughput(), own.noise(), own.limits());
    }

    /** On one GPU, as far as is known. */
    private double remainingSeconds(@Nullable Finished known) {
        if (one <= 0) {
            return known == null ? 0 : Math.max(0, known.attained() - job.attained);
        }
        double left = known == null ? job.progress() : Math.max(0, known.work() - job.progress());
        return left * job.application.limits.initial() / one;
    }

    /** As for Pollux: twice as many GPUs as it has run on, and one at first; or as a finished job. */
    private int mostGpus(int known) {
        return job.application.name.equals("ncf")
                ? 1
                : Math.min(
                        Math.max(1, 2 * Math.max(known, job.mostMeasuredGpus())),
                        job.application.limits.mostReplicas());
    }

    /** Speed relative to one GPU. */
    double speedup(int nodes, int gpus) {
        return goodput == null || one <= 0 ? gpus : goodput.best(nodes, gpus).goodput() / one;
    }

    /** GPUs of a size, 0 for none. */
    static int gpus(int size) {
        return size == NONE ? 0 : SIZES[size];
    }

    private double speedup(int at) {
        return at == NONE ? 0 : speedup[at];
    }

    /** The larger size with the most speed for each GPU more, of those with enough free GPUs; -1 if none is faster. */
    int next(int freeGpus) {
        int best = NONE;
        double most = 0;
        for (int i = size + 1; i < SIZES.length && SIZES[i] - gpus(size) <= freeGpus; i++) {
            double each = (speedup[i] - speedup(size)) / (SIZES[i] - gpus(size));
            if (each > most + 1e-9) {
                best = i;
                most = each;
            }
        }
        return best;
    }

    /** How much a step to a size is worth. */
    double score(int to, double[] weights) {
        double each = (speedup[to] - speedup(size)) / (SIZES[to] - gpus(size));
        boolean isFree = SIZES[to] <= gpusNow;
        return Math.log(each)
                + weights[0] * Math.log(remainingSeconds)
                + weights[1] * Math.log(MINUTE + job.attained)
                + weights[2] * ageLog
                + weights[3] * Math.log(SIZES[to])
                + (isFree ? weights[4] : weights[5] * Math.log1p(RESTART_SECONDS * speedup[to] / remainingSeconds))
                + (isUnknown ? weights[6] : 0)
                + (SIZES[to] > ArtifactSimulation.GPUS ? weights[7] : 0);
    }

    /** Leaves it the size that it has, if it is one of the sizes. */
    void keep() {
        int at = Arrays.binarySearch(SIZES, gpusNow);
        size = at < 0 ? size : at;
    }

    /** Whether growth to its size saves enough time to restart for. */
    boolean paysBack(double[] weights) {
        double speedNow = speedup((gpusNow + 3) / ArtifactSimulation.GPUS, gpusNow);
        double saved = remainingSeconds / speedNow - remainingSeconds / speedup(size);
        return saved >= Math.exp(weights[8]) * RESTART_SECONDS;
    }
}
