package org.trainyard.interference.data;

/**
 * How much one job was slowed by one neighbour: a row of the table.
 *
 * @param scope what the two shared
 * @param hardware on what it was measured, such as {@code v100} or {@code 4x8 InfiniBand 40 Gb/s}
 * @param slowdown rate alone over rate beside the neighbour, above zero; noise may put it below 1
 * @param source the campaign it comes from
 * @param weight how much the row counts in a fit; rows that repeat one measurement share a weight of 1
 * @param capped whether it stands for "not slowed", at or beyond which the campaign does not tell
 */
public record Measurement(
        JobType victim,
        JobType neighbour,
        Scope scope,
        String hardware,
        double slowdown,
        String source,
        double weight,
        boolean capped) {
    public Measurement {
        if (!(slowdown > 0) || Double.isInfinite(slowdown) || !(weight > 0) || Double.isInfinite(weight)) {
            throw new IllegalArgumentException(
                    "slowdown (%s) and weight (%s) must be finite and above zero".formatted(slowdown, weight));
        }
    }

    /** Rate beside the neighbour over rate alone, at most 1: what is fitted. */
    public double ratio() {
        return Math.min(1, 1 / slowdown);
    }

    /** Domain of the measurement: rows of one domain are comparable. */
    public Domain domain() {
        return new Domain(scope, hardware);
    }

    /** Whether two jobs of one type shared. */
    public boolean isOwnPair() {
        return victim.label().equals(neighbour.label());
    }

    /** Returns this row with another weight. */
    public Measurement weighing(double newWeight) {
        return new Measurement(victim, neighbour, scope, hardware, slowdown, source, newWeight, capped);
    }
}
