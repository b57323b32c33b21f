package org.trainyard.env.gym.auction;

import java.util.Locale;

/**
 * The scale of a column: the function from a quantity to its value, and the formula that says it, of the same numbers.
 *
 * @param formula of x, as pages and contracts print it
 * @param divisor of the curve
 * @param least smallest value
 * @param most greatest value
 */
record ColumnScale(String formula, Curve curve, double divisor, double least, double most) {
    /** A quantity that is its own value. */
    static final ColumnScale SAME = over(1);
    /** A ratio less 1, at most 2. */
    static final ColumnScale EXCESS = of(Curve.EXCESS, 1).atMost(2);
    /** 1 for true, 0 for false. */
    static final ColumnScale FLAG = computed("1 or 0");
    /** A duration in minutes. */
    static final ColumnScale MINUTES = logOfMore(10);

    /** A function before it is divided and bounded. */
    enum Curve {
        SAME("x"),
        EXCESS("x - 1"),
        LOG("log(x)"),
        LOG_OF_MORE("log(1 + x)"),
        LOG2("log2(x)");

        private final String formula;

        Curve(String formula) {
            this.formula = formula;
        }

        double of(double x) {
            return switch (this) {
                case SAME -> x;
                case EXCESS -> x - 1;
                case LOG -> Math.log(x);
                case LOG_OF_MORE -> Math.log(1 + x);
                case LOG2 -> Math.log(x) / Math.log(2);
            };
        }
    }

    private static ColumnScale of(Curve curve, double divisor) {
        String formula = divisor == 1 ? curve.formula : "%s / %s".formatted(curve.formula, number(divisor));
        return new ColumnScale(formula, curve, divisor, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    /** A quantity over a divisor. */
    static ColumnScale over(double divisor) {
        return of(Curve.SAME, divisor);
    }

    /** The natural logarithm of a quantity over a divisor. */
    static ColumnScale log(double divisor) {
        return of(Curve.LOG, divisor);
    }

    /** The natural logarithm of 1 + a quantity over a divisor. */
    static ColumnScale logOfMore(double divisor) {
        return of(Curve.LOG_OF_MORE, divisor);
    }

    /** The binary logarithm of a quantity over a divisor. */
    static ColumnScale log2(double divisor) {
        return of(Curve.LOG2, divisor);
    }

    /** Values that are computed otherwise, as the formula says. */
    static ColumnScale computed(String formula) {
        return new ColumnScale(formula, Curve.SAME, 1, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    /** This scale, with a greatest value. */
    ColumnScale atMost(double bound) {
        return new ColumnScale("min(%s, %s)".formatted(formula, number(bound)), curve, divisor, least, bound);
    }

    /** This scale, with a smallest value. */
    ColumnScale atLeast(double bound) {
        return new ColumnScale("max(%s, %s)".formatted(formula, number(bound)), curve, divisor, bound, most);
    }

    /** This scale, within a bound on both sides of 0. */
    ColumnScale within(double bound) {
        String both = "%s, within -%s..%s".formatted(formula, number(bound), number(bound));
        return new ColumnScale(both, curve, divisor, -bound, bound);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }

    /** The value of a quantity. */
    double value(double x) {
        return Math.max(least, Math.min(most, curve.of(x) / divisor));
    }
}
