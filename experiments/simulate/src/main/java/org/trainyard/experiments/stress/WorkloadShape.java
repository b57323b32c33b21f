package org.trainyard.experiments.stress;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.trainyard.env.workload.TraceJob;

/**
 * Metrics of what arrives when in a workload.
 *
 * @param peakBacklogHours greatest work submitted and not yet done, in hours of the whole cluster, if all GPUs could
 *     share it without loss
 * @param earlyWork share of all GPU time that is submitted in the first half of the arrivals
 * @param longFirst minus the rank correlation of durations with the order of arrival: above zero where long jobs come
 *     before short ones
 * @param wideFirst the same of GPUs
 * @param shortBehindLong share of the jobs shorter than the median that arrive among the next ten after a job of the
 *     longest tenth
 */
record WorkloadShape(
        double peakBacklogHours, double earlyWork, double longFirst, double wideFirst, double shortBehindLong) {
    private static final int BEHIND = 10;

    /** @param gpus of the cluster */
    static WorkloadShape of(List<TraceJob> jobs, int gpus) {
        double[] seconds = figures(jobs, job -> job.durationNanos() / 1e9);
        double early = 0;
        double all = 0;
        for (int i = 0; i < jobs.size(); i++) {
            double work = seconds[i] * jobs.get(i).gpus();
            all += work;
            early += i < jobs.size() / 2 ? work : 0;
        }
        return new WorkloadShape(
                peakBacklogHours(jobs, gpus),
                early / all,
                -rankCorrelation(seconds),
                -rankCorrelation(figures(jobs, TraceJob::gpus)),
                behind(seconds));
    }

    /** The first value alone. */
    static double peakBacklogHours(List<TraceJob> jobs, int gpus) {
        double peak = 0;
        double backlog = 0;
        long now = 0;
        for (TraceJob job : jobs) {
            backlog = Math.max(0, backlog - (job.submitNanos() - now) / 3600e9);
            backlog += job.durationNanos() / 3600e9 * job.gpus() / gpus;
            peak = Math.max(peak, backlog);
            now = job.submitNanos();
        }
        return peak;
    }

    /** The mean of several. */
    static WorkloadShape mean(List<WorkloadShape> shapes) {
        return new WorkloadShape(
                mean(shapes, WorkloadShape::peakBacklogHours),
                mean(shapes, WorkloadShape::earlyWork),
                mean(shapes, WorkloadShape::longFirst),
                mean(shapes, WorkloadShape::wideFirst),
                mean(shapes, WorkloadShape::shortBehindLong));
    }

    private static double mean(List<WorkloadShape> shapes, ToDoubleFunction<WorkloadShape> figure) {
        return shapes.stream().mapToDouble(figure).average().orElse(Double.NaN);
    }

    private static double[] figures(List<TraceJob> jobs, ToDoubleFunction<TraceJob> figure) {
        return jobs.stream().mapToDouble(figure).toArray();
    }

    private static double behind(double[] seconds) {
        double[] sorted = seconds.clone();
        Arrays.sort(sorted);
        double median = sorted[sorted.length / 2];
        double longest = sorted[sorted.length * 9 / 10];
        int brief = 0;
        int behind = 0;
        int last = -BEHIND - 1;
        for (int i = 0; i < seconds.length; i++) {
            if (seconds[i] < median) {
                brief++;
                behind += i - last <= BEHIND ? 1 : 0;
            }
            last = seconds[i] >= longest ? i : last;
        }
        return brief == 0 ? 0 : (double) behind / brief;
    }

    /** Spearman's coefficient of values with their index; equal values have their mean rank. */
    private static double rankCorrelation(double[] figures) {
        int n = figures.length;
        double[] ranks = new double[n];
        for (int i = 0; i < n; i++) {
            for (double other : figures) {
                ranks[i] += other < figures[i] ? 1 : other == figures[i] ? 0.5 : 0;
            }
        }
        double mean = Arrays.stream(ranks).average().orElse(0);
        double together = 0;
        double ofRanks = 0;
        double ofOrder = 0;
        for (int i = 0; i < n; i++) {
            double order = i - (n - 1) / 2.0;
            together += (ranks[i] - mean) * order;
            ofRanks += (ranks[i] - mean) * (ranks[i] - mean);
            ofOrder += order * order;
        }
        return ofRanks == 0 || ofOrder == 0 ? 0 : together / Math.sqrt(ofRanks * ofOrder);
    }
}
