package org.trainyard.interference.model.gaussianprocess;

import java.util.List;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.model.PairEncoder;

/** Covariance functions of two job types, 0..1: 1 for equal types. */
public enum Kernel {
    /** Constant. */
    CONSTANT,
    /** 1 within an architecture, 0 between architectures. */
    ARCHITECTURE,
    /** Squared exponential of the measured traits (shape and speed) within an architecture, 0 between architectures. */
    MEASURED_TRAITS_WITHIN_ARCHITECTURE,
    /** Squared exponential of the resource traits, whatever the architecture. */
    RESOURCES,
    /** Squared exponential of measured and resource traits: all that is known of a new architecture. */
    ALL_TRAITS;

    private static final List<Kernel> ALL = List.of(values());
    /** Length scale of the measured traits, in standard deviations. */
    private static final double MEASURED_LENGTH = 1.35;
    /** Length scale of the resource traits, which are rounded figures and hence less precise. */
    private static final double RESOURCE_LENGTH = 2;

    /** Index among {@link #values}. */
    public int place() {
        return ALL.indexOf(this);
    }

    double of(PairEncoder scale, JobType a, JobType b) {
        boolean same = a.architecture().equals(b.architecture());
        return switch (this) {
            case CONSTANT -> 1;
            case ARCHITECTURE -> same ? 1 : 0;
            case MEASURED_TRAITS_WITHIN_ARCHITECTURE ->
                same ? squaredExponential(scale, a, b, true, MEASURED_LENGTH) : 0;
            case RESOURCES -> squaredExponential(scale, a, b, false, RESOURCE_LENGTH);
            case ALL_TRAITS ->
                squaredExponential(scale, a, b, true, MEASURED_LENGTH)
                        * squaredExponential(scale, a, b, false, RESOURCE_LENGTH);
        };
    }

    /**
     * An unknown trait is set to the mean: only the distances of points of a space make a positive definite covariance.
     */
    private static double squaredExponential(PairEncoder scale, JobType a, JobType b, boolean measured, double length) {
        List<Trait> traits = scale.traits();
        double squared = 0;
        for (int i = 0; i < traits.size(); i++) {
            Trait trait = traits.get(i);
            if (Trait.measured().contains(trait) == measured) {
                double mean = scale.means().get(i);
                double apart = (a.traitOr(trait, mean) - b.traitOr(trait, mean))
                        / scale.spreads().get(i);
                squared += apart * apart;
            }
        }
        return Math.exp(-squared / (2 * length * length));
    }

    /** The covariances of one type with several. */
    double[] row(PairEncoder scale, JobType type, List<JobType> others) {
        return others.stream().mapToDouble(other -> of(scale, type, other)).toArray();
    }

    /** The covariances of each type with each. */
    public double[][] table(PairEncoder scale, List<JobType> types) {
        return types.stream().map(type -> row(scale, type, types)).toArray(double[][]::new);
    }
}
