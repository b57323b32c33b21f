package org.trainyard.env.synchronisation;

/**
 * A loss that falls as {@code 1 / (a^2 x + b) + c}, where x is time or effective steps: the form by which ADSP, SLAQ
 * and Optimus predict losses.
 *
 * @param aSquared speed of the fall, above zero
 * @param b of the loss at the start, above zero
 * @param c the loss at the end of all time
 */
public record LossCurve(double aSquared, double b, double c) {
    public LossCurve {
        if (!(aSquared > 0) || !(b > 0) || !Double.isFinite(c)) {
            throw new IllegalArgumentException(
                    "a loss falls with a^2 (%s) and b (%s) above zero to a finite c (%s)".formatted(aSquared, b, c));
        }
    }

    public double at(double x) {
        return 1 / (aSquared * x + b) + c;
    }

    /**
     * The {@code x} at which the loss is {@code goal}: ADSP's {@code (1 / (goal - c) - b) / a^2}; infinite for a goal
     * that is never reached.
     */
    public double reaches(double goal) {
        return goal <= c ? Double.POSITIVE_INFINITY : Math.max(0, (1 / (goal - c) - b) / aSquared);
    }

    /** ADSP's reward of a commit rate: one over the time to the goal; zero for a goal that the loss never reaches. */
    public double reward(double goal) {
        return 1 / reaches(goal);
    }

    /**
     * The curve through three losses at 0, {@code half} and {@code 2 half}, in closed form.
     *
     * @throws IllegalArgumentException when the losses do not fall ever more slowly
     */
    public static LossCurve through(double half, double start, double middle, double end) {
        double ends = start + end;
        // Of 1 / (loss - c) being linear: the middle one is the mean of both ends.
        double c = (2 * start * end - middle * ends) / (ends - 2 * middle);
        if (!(start > middle && middle > end && ends > 2 * middle && end > c)) {
            throw new IllegalArgumentException(
                    "losses (%s, %s, %s) must fall, and ever more slowly".formatted(start, middle, end));
        }
        double b = 1 / (start - c);
        return new LossCurve((1 / (end - c) - b) / (2 * half), b, c);
    }
}
