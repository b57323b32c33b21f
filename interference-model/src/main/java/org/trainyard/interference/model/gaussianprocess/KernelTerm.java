package org.trainyard.interference.model.gaussianprocess;

import java.util.ArrayList;
import java.util.List;

/**
 * One term of the covariance of two pairs' ratios: a kernel of their victims times a kernel of their neighbours.
 *
 * @param ownHardware whether the term is 0 between different kinds of hardware
 */
public record KernelTerm(Kernel victim, Kernel neighbour, boolean ownHardware) {
    private static final Kernel[][] SIDES = {
        {Kernel.CONSTANT, Kernel.CONSTANT},
        {Kernel.ARCHITECTURE, Kernel.CONSTANT},
        {Kernel.CONSTANT, Kernel.ARCHITECTURE},
        {Kernel.MEASURED_TRAITS_WITHIN_ARCHITECTURE, Kernel.CONSTANT},
        {Kernel.CONSTANT, Kernel.MEASURED_TRAITS_WITHIN_ARCHITECTURE},
        {Kernel.ARCHITECTURE, Kernel.ARCHITECTURE},
        {Kernel.MEASURED_TRAITS_WITHIN_ARCHITECTURE, Kernel.MEASURED_TRAITS_WITHIN_ARCHITECTURE},
        {Kernel.RESOURCES, Kernel.CONSTANT},
        {Kernel.CONSTANT, Kernel.RESOURCES},
        {Kernel.RESOURCES, Kernel.RESOURCES},
        {Kernel.ALL_TRAITS, Kernel.ALL_TRAITS},
    };

    /**
     * All terms: sensitivity of the victim, pressure of the neighbour, and interactions of both; on several kinds of
     * hardware each twice.
     */
    public static List<KernelTerm> all(int hardware) {
        List<KernelTerm> terms = new ArrayList<>();
        for (Kernel[] sides : SIDES) {
            terms.add(new KernelTerm(sides[0], sides[1], false));
            if (hardware > 1) {
                terms.add(new KernelTerm(sides[0], sides[1], true));
            }
        }
        return terms;
    }
}
