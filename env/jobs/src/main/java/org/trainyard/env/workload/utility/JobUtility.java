package org.trainyard.env.workload.utility;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;
import org.trainyard.env.Labelled;
import org.trainyard.env.workload.JobValue;

/**
 * The utility of a job: its value to its owner, of the delay of its completion or of the training it has had by a
 * horizon.
 *
 * <p>Its text in traces is {@code sigmoid:PRIORITY:SENSITIVITY:TARGET_S[:HORIZON_S]}, or
 * {@code FAMILY:WEIGHT:SCALE_S[:HORIZON_S]} for a {@link ConcaveFamily}.
 */
public sealed interface JobUtility extends JobValue {
    /** The text in traces. */
    String label();

    /**
     * The sigmoid of the delay {@code d} of the completion, {@code priority / (1 + exp(sensitivity (d - target)))}; 0
     * after the horizon.
     *
     * <p>Source: Y. Bao, Y. Peng, C. Wu, Z. Li: Online job scheduling in distributed machine learning clusters (OASiS),
     * INFOCOM 2018, as in SMD (2105.13855) and PD-ORS (2108.02917).
     *
     * @param priority twice the utility at the target delay, above zero
     * @param sensitivity to time, per second; 0 for none
     */
    record Sigmoid(double priority, double sensitivity, double targetSeconds, double horizonSeconds)
            implements JobUtility {
        static final String NAME = "sigmoid";

        public Sigmoid {
            require("priority", priority, priority > 0);
            require("sensitivity", sensitivity, sensitivity >= 0);
            require("target (s)", targetSeconds, targetSeconds >= 0);
            requireHorizon(horizonSeconds);
        }

        @Override
        public boolean countsTraining() {
            return false;
        }

        @Override
        public double of(double delaySeconds, double trainedSeconds) {
            return ofDelay(delaySeconds);
        }

        /** The utility of a completion so many seconds after the submission. */
        public double ofDelay(double delaySeconds) {
            return delaySeconds > horizonSeconds
                    ? 0
                    : priority / (1 + Math.exp(sensitivity * (delaySeconds - targetSeconds)));
        }

        @Override
        public String label() {
            return text(NAME, horizonSeconds, priority, sensitivity, targetSeconds);
        }
    }

    /**
     * A concave utility of the training {@code z} that the job has had by the horizon, {@code weight f(z / scale)}.
     *
     * <p>Source: the classes of objectives of GADGET (2202.01158): proportional fairness, no excessive training, and so
     * on.
     *
     * @param family the function f
     * @param scaleSeconds training that is one unit of {@code f}, seconds at the job's ideal rate
     */
    record Concave(ConcaveFamily family, double weight, double scaleSeconds, double horizonSeconds)
            implements JobUtility {
        public Concave {
            require("weight", weight, weight > 0);
            require("scale (s)", scaleSeconds, scaleSeconds > 0);
            requireHorizon(horizonSeconds);
        }

        @Override
        public boolean countsTraining() {
            return true;
        }

        @Override
        public double of(double delaySeconds, double trainedSeconds) {
            return ofTraining(trainedSeconds);
        }

        /** The utility of so many seconds of training at the ideal rate. */
        public double ofTraining(double trainedSeconds) {
            return weight * family.of(trainedSeconds / scaleSeconds);
        }

        @Override
        public String label() {
            return text(family.label(), horizonSeconds, weight, scaleSeconds);
        }
    }

    private static void require(String name, double value, boolean isRight) {
        Invalid.when(!isRight || Double.isInfinite(value), "%s of a utility (%s) is out of range", name, value);
    }

    private static void requireHorizon(double seconds) {
        Invalid.when(!(seconds > 0), "horizon of a utility (%s s) must be above zero", seconds);
    }

    private static String text(String name, double horizonSeconds, double... parts) {
        StringBuilder text = new StringBuilder(name);
        for (double part : parts) {
            text.append(':').append(part);
        }
        return Double.isInfinite(horizonSeconds)
                ? text.toString()
                : text.append(':').append(horizonSeconds).toString();
    }

    /** The utility of a {@link #label}; null when there is none. */
    static @Nullable JobUtility parse(String label) {
        String[] parts = label.strip().toLowerCase(Locale.ROOT).split(":", -1);
        int figures = parts[0].equals(Sigmoid.NAME) ? 3 : 2;
        ConcaveFamily family = Labelled.parse(ConcaveFamily.class, parts[0]);
        boolean isKnown = figures == 3 || family != null;
        if (!isKnown || parts.length < figures + 1 || parts.length > figures + 2) {
            return null;
        }
        try {
            List<Double> values =
                    Arrays.stream(parts).skip(1).map(Double::valueOf).toList();
            double horizon = values.size() > figures ? values.get(figures) : Double.POSITIVE_INFINITY;
            return family == null
                    ? new Sigmoid(values.get(0), values.get(1), values.get(2), horizon)
                    : new Concave(family, values.get(0), values.get(1), horizon);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
