package org.trainyard.experiments.papers.pollux;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.goodput.BatchChoice;
import org.trainyard.env.workload.goodput.GoodputModel;
import org.trainyard.env.workload.goodput.GradientNoise;
import org.trainyard.env.workload.goodput.ThroughputParameters;

/**
 * A job by the rules of the simulator in Pollux' artifact: it measures what it runs on, fits its throughput and chooses
 * its batch.
 */
final class ArtifactJob {
    private static final long RESTART_SECONDS = 30;

    final String name;
    final MeasuredApplication application;
    final long submitted;
    final int submittedGpus;
    /** A batch that stays, or 0. */
    final int fixedBatch;

    long completed = -1;
    int epoch;
    int restarts = -1;
    double attained;
    /** GPUs by server. */
    int[] allocation = {};

    /** GPUs of each server that is used, in the order of the allocation. */
    private int[] placement = {};

    private int localBatch;
    private int accumulationSteps;
    private double progress;
    private long restartLeft;
    private long now;
    private final Map<List<Integer>, ThroughputFit.Measurement> measured = new LinkedHashMap<>();
    private @Nullable ThroughputParameters fitted;
    private GradientNoise noise = new GradientNoise(1, 0);

    ArtifactJob(String name, MeasuredApplication application, long submitted, int submittedGpus, int fixedBatch) {
        this.name = name;
        this.application = application;
        this.submitted = submitted;
        this.submittedGpus = submittedGpus;
        this.fixedBatch = fixedBatch;
    }

    boolean isLive(long time) {
        return time >= submitted && completed < 0;
    }

    /** The most GPUs that it ran on so far. */
    int mostMeasuredGpus() {
        return measured.keySet().stream().mapToInt(key -> key.get(1)).max().orElse(0);
    }

    /** Model of the job's own goodput, or null before it has run. */
    @Nullable GoodputModel goodput() {
        return fitted == null ? null : new GoodputModel(fitted, noise, application.limits);
    }

    /** Restarts on GPUs of servers, by server and in the order used; empty to stop. */
    void reallocate(int[] newAllocation, int[] newPlacement) {
        allocation = newAllocation;
        placement = newPlacement;
        if (newPlacement.length > 0) {
            chooseBatch();
            restartLeft = RESTART_SECONDS;
            restarts++;
        }
    }

    private void chooseBatch() {
        int gpus = Arrays.stream(placement).sum();
        int batch = fixedBatch;
        GoodputModel known = goodput();
        if (batch == 0 && known == null) {
            batch = Math.max(application.limits.initial(), application.limits.leastLocal() * gpus);
        }
        if (batch == 0 && known != null) {
            BatchChoice best = known.best(placement.length, gpus);
            localBatch = best.localBatch();
            accumulationSteps = best.accumulationSteps();
        } else {
            int[] split = split(application, batch, gpus, batch > application.limits.initial());
            localBatch = split[0];
            accumulationSteps = split[1];
        }
        localBatch = Math.min(localBatch, application.limits.most() / (gpus * (accumulationSteps + 1)));
    }

    /** The local batch and accumulation steps of a global batch. */
    static int[] split(MeasuredApplication application, int batch, int gpus, boolean accumulatesAlone) {
        int local = (int) Math.ceil((double) batch / gpus - 1e-8);
        int steps = (int) Math.ceil((double) local / application.limits.mostLocal() - 1e-8) - 1;
        if (gpus == 1 && accumulatesAlone) {
            steps = Math.max(1, steps);
        }
        return new int[] {(int) Math.ceil((double) local / (steps + 1) - 1e-8), steps};
    }

    void run(long roundSeconds) {
        long seconds = roundSeconds;
        if (placement.length > 0) {
            int gpus = Arrays.stream(placement).sum();
            long delay = Math.min(restartLeft, seconds);
            restartLeft -= delay;
            attained += delay * gpus;
            now += delay;
            seconds -= delay;
            while (seconds > 0 && completed < 0) {
                long used = train(seconds, gpus);
                attained += used * gpus;
                now += used;
                seconds -= used;
                chooseBatch();
            }
        }
        now += seconds;
    }

    /** Trains to the end of the epoch or of the time, and returns the time used. */
    private long train(long seconds, int gpus) {
        int batch = gpus * localBatch * (accumulationSteps + 1);
        MeasuredApplication.StepTime time = application.stepTime(placement, localBatch);
        double compute = time.step() - time.sync();
        noise = application.noise(batch, epoch);
        measure(gpus, time, compute);
        double rate =
                noise.gain((double) batch / application.limits.initial()) / (time.step() + compute * accumulationSteps);
        double next = application.progress(epoch + 1);
        if (progress + rate * seconds < next) {
            progress += rate * seconds;
            return seconds;
        }
        epoch++;
        long used = (long) Math.rint((next - progress) / rate);
        if (epoch == application.epochs) {
            completed = now + used;
        }
        progress = next;
        return used;
    }

    private void measure(int gpus, MeasuredApplication.StepTime time, double compute) {
        List<Integer> key = List.of(placement.length, gpus, localBatch);
        if (fixedBatch != 0 || measured.containsKey(key)) {
            return;
        }
        measured.put(key, new ThroughputFit.Measurement(placement.length, gpus, localBatch, compute, time.step()));
        fitted = application.fit(List.copyOf(measured.values()));
    }
}
