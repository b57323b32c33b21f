package org.trainyard.env.synchronisation;

/**
 * Value of a local step relative to a step of synchronous training.
 *
 * <p>Ours, no formula of a paper: {@code 1 / (1 + kappa (momentum - best)^2)} for ADSP, {@code 1 / (1 + psi staleness /
 * m)} for models whose workers see old parameters. The best momentum is that which the plotting script of ADSP's
 * authors marks.
 *
 * @param momentumWeight kappa, not negative
 * @param bestMomentum the implicit momentum at which a step is worth most
 * @param stalenessWeight psi, not negative
 */
public record StatisticalEfficiency(double momentumWeight, double bestMomentum, double stalenessWeight) {
    /**
     * Fitted to the steps that the models needed on CIFAR-10 by the plotting script of ADSP's authors: the weight of
     * momentum to ADSP's, that of staleness to those of SSP, ADACOMM and Fixed ADACOMM by least squares of logarithms.
     */
    public static final StatisticalEfficiency DEFAULT = new StatisticalEfficiency(385, 0.15, 0.09);

    /** Weights that we assumed before the fit: a step of ADSP is worth twice as much. */
    public static final StatisticalEfficiency OURS = new StatisticalEfficiency(20, 0.15, 0.25);

    public StatisticalEfficiency {
        if (!(momentumWeight >= 0) || !(stalenessWeight >= 0) || !(bestMomentum >= 0 && bestMomentum < 1)) {
            throw new IllegalArgumentException("weights (%s, %s) must not be negative, the best momentum (%s) 0 to 1"
                    .formatted(momentumWeight, stalenessWeight, bestMomentum));
        }
    }

    public double atMomentum(double momentum) {
        double off = momentum - bestMomentum;
        return 1 / (1 + momentumWeight * off * off);
    }

    /** @param staleness mean age of the parameters that a worker trains with */
    public double atStaleness(double staleness, int workers) {
        return 1 / (1 + stalenessWeight * staleness / workers);
    }
}
