package org.trainyard.interference.model.gaussianprocess;

import java.util.List;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.model.PairEncoder;

/** In what respect two job types are alike: 1 when they are the same in it, towards 0 the more they differ. */
enum Kernel {
    /** Any two. */
    ANY,
    /** Of one architecture. */
    ARCHITECTURE,
    /** Of one architecture, and near each other in shape and speed. */
    FORM,
    /** Near each other in resources, whatever they are called. */
    RESOURCES,
    /** Near each other in shape, speed and resources, whatever they are called: all there is for new architectures. */
    NATURE;

    private static final List<Kernel> ALL = List.of(values());
    /** Distance in standard deviations at which likeness by shape falls to 0.6. */
    private static final double SHAPE_REACH = 1.35;
    /** The same for resources, which are round figures and hence believed less sharply. */
    private static final double RESOURCE_REACH = 2;

    /** Its place among {@link #values}. */
    int place() {
        return ALL.indexOf(this);
    }

    double of(PairEncoder scale, JobType a, JobType b) {
        return switch (this) {
            case ANY -> 1;
            case ARCHITECTURE -> same(a, b);
            case FORM -> same(a, b) == 0 ? 0 : near(scale, a, b, true, SHAPE_REACH);
            case RESOURCES -> near(scale, a, b, false, RESOURCE_REACH);
            case NATURE -> near(scale, a, b, true, SHAPE_REACH) * near(scale, a, b, false, RESOURCE_REACH);
        };
    }

    private static double same(JobType a, JobType b) {
        return a.architecture().equals(b.architecture()) ? 1 : 0;
    }

    /** A squared exponential of the distance; a trait that is not known is taken to be the mean, for only the points of a space make a covariance. */
    private static double near(PairEncoder scale, JobType a, JobType b, boolean measured, double reach) {
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
        return Math.exp(-squared / (2 * reach * reach));
    }

    /** Of one type to each of several. */
    double[] row(PairEncoder scale, JobType type, List<JobType> others) {
        return others.stream().mapToDouble(other -> of(scale, type, other)).toArray();
    }

    /** Of each type to each. */
    double[][] table(PairEncoder scale, List<JobType> types) {
        return types.stream().map(type -> row(scale, type, types)).toArray(double[][]::new);
    }
}
