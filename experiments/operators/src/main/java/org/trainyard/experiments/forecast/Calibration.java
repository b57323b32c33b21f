package org.trainyard.experiments.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Calibration of new forecasts by earlier ones of the same cluster: each quantile is moved by as much as it would have
 * had to be moved to hold for the jobs seen so far (split conformal prediction by quantile; Y. Romano, E. Patterson, E.
 * Candès: Conformalized quantile regression, 2019).
 *
 * <p>Deviations: (1) differences are those of ln(wait + 60 s), so that long waits move by more; (2) jobs that still
 * wait count as censored, by the estimator of Kaplan and Meier, or long waits would be missing; (3) the last
 * {@value #MOST} jobs count, because clusters change; (4) the outer quantiles aim further out after misses and further
 * in after hits (I. Gibbs, E. Candès: Adaptive conformal inference under distribution shift, 2021); (5) jobs that
 * waited at the same moment share what happens then, so that they count as the fewer independent ones that tell as much
 * (L. Kish: Survey Sampling, 1965).
 */
final class Calibration {
    private static final double SCALE_SECONDS = 60;
    /** Forecasts that teach nothing when they are fewer. */
    static final int LEAST = 15;

    private static final int MOST = 100;

    /** The share of jobs that start before p10, and after p90. */
    private static final double SHARE = 0.1;

    private static final double STEP = 0.03;
    private static final double LEAST_SHARE = 0.005;
    private static final double MOST_SHARE = 0.3;

    /**
     * An earlier forecast.
     *
     * @param seconds that the job waited, or has waited so far
     * @param isOver whether it has started
     */
    record Seen(Quantiles raw, double seconds, boolean isOver) {}

    private record Residual(double value, boolean isOver) {}

    /** Target shares of the outer quantiles, adapted by the misses and hits of corrected forecasts. */
    record Aim(double below, double above) {
        static final Aim START = new Aim(SHARE, SHARE);

        /**
         * Aim at jobs that wait: of {@code n} independent earlier ones a share of {@code 1 / n} less may lie outside,
         * for the next may lie outside all of them. Jobs of one moment are alike by the correlation of their errors,
         * and as many as {@code n = jobs / (1 + (jobs of a moment - 1) correlation)}.
         *
         * @param moments earlier forecasts, by the moment at which they were made
         */
        static Aim at(List<List<Seen>> moments) {
            List<double[]> errors = moments.stream()
                    .map(moment -> moment.stream()
                            .filter(one -> !Double.isInfinite(one.raw.p50()))
                            .mapToDouble(one -> log(one.seconds) - log(one.raw.p50()))
                            .toArray())
                    .filter(moment -> moment.length > 0)
                    .toList();
            int jobs = errors.stream().mapToInt(moment -> moment.length).sum();
            double ofMoment = errors.stream()
                            .mapToDouble(moment -> (double) moment.length * moment.length)
                            .sum()
                    / Math.max(1, jobs);
            double alike = 1 + (ofMoment - 1) * correlation(errors, jobs, ofMoment);
            double share = Math.max(0, SHARE - (1 - SHARE) * alike / Math.max(1, jobs));
            return new Aim(share, share);
        }

        /** Correlation of the errors of one moment, by the analysis of variance; 1 where too few moments tell. */
        private static double correlation(List<double[]> errors, int jobs, double ofMoment) {
            int moments = errors.size();
            if (moments < 2 || jobs <= moments) {
                return 1;
            }
            double mean = errors.stream().flatMapToDouble(Arrays::stream).sum() / jobs;
            double between = 0;
            double within = 0;
            for (double[] moment : errors) {
                double own = Arrays.stream(moment).average().orElse(0);
                between += moment.length * (own - mean) * (own - mean) / (moments - 1);
                for (double error : moment) {
                    within += (error - own) * (error - own) / (jobs - moments);
                }
            }
            double size = (jobs - ofMoment) / (moments - 1);
            double all = between + (size - 1) * within;
            return all <= 0 ? 1 : Math.max(0, Math.min(1, (between - within) / all));
        }

        /** The aim after a forecast of a job that has started. */
        Aim after(Quantiles forecast, double seconds) {
            return forecast.covers(seconds)
                    ? new Aim(moved(below, false), moved(above, false))
                    : new Aim(moved(below, seconds < forecast.p10()), moved(above, seconds > forecast.p90()));
        }

        private static double moved(double share, boolean isMissed) {
            return Math.max(LEAST_SHARE, Math.min(MOST_SHARE, share + STEP * (SHARE - (isMissed ? 1 : 0))));
        }
    }

    private final List<Seen> seen;
    private final Aim aim;

    /** @param seen in order of time */
    Calibration(List<Seen> seen, Aim aim) {
        this.seen = seen.subList(Math.max(0, seen.size() - MOST), seen.size());
        this.aim = aim;
    }

    /** Number of the forecasts that calibrate; with fewer than {@value #LEAST} nothing is changed. */
    int size() {
        return seen.size() < LEAST ? 0 : seen.size();
    }

    /** A forecast, corrected. */
    Quantiles apply(Quantiles raw) {
        if (size() == 0) {
            return raw;
        }
        double middle = moved(raw.p50(), Quantiles::p50, 0.5);
        return new Quantiles(
                Math.min(middle, moved(raw.p10(), Quantiles::p10, aim.below)),
                middle,
                Math.max(middle, moved(raw.p90(), Quantiles::p90, 1 - aim.above)));
    }

    private double moved(double seconds, ToDoubleFunction<Quantiles> which, double share) {
        if (Double.isInfinite(seconds)) {
            return seconds;
        }
        List<Residual> residuals = new ArrayList<>();
        for (Seen one : seen) {
            double predicted = which.applyAsDouble(one.raw);
            if (!Double.isInfinite(predicted)) {
                residuals.add(new Residual(log(one.seconds) - log(predicted), one.isOver));
            }
        }
        return Math.max(0, Math.exp(log(seconds) + quantile(residuals, share)) - SCALE_SECONDS);
    }

    /** How far a forecast is from a wait, on the scale of differences; that of an infinite one is large. */
    static double distance(double forecast, double seconds) {
        return Math.min(log(Double.MAX_VALUE), Math.abs(log(forecast) - log(seconds)));
    }

    private static double log(double seconds) {
        return Math.log(seconds + SCALE_SECONDS);
    }

    /** A quantile of residuals of which some are known to be larger only; the largest when too many are. */
    private static double quantile(List<Residual> residuals, double share) {
        residuals.sort(Comparator.comparingDouble(Residual::value));
        double surviving = 1;
        double last = 0;
        for (int i = 0; i < residuals.size(); i++) {
            Residual one = residuals.get(i);
            if (one.isOver) {
                surviving *= 1 - 1.0 / (residuals.size() - i);
                last = one.value;
                if (1 - surviving >= share - 1e-9) {
                    return one.value;
                }
            }
        }
        return last;
    }
}
