package org.trainyard.interference.model.gaussianprocess;

import java.util.ArrayList;
import java.util.List;

/**
 * One part of the covariance of two pairs' ratios: the likeness of their victims times that of their neighbours.
 *
 * @param ownHardware whether the part is 0 between different hardware
 */
record KernelTerm(Kernel victim, Kernel neighbour, boolean ownHardware) {
    private static final Kernel[][] SIDES = {
        {Kernel.ANY, Kernel.ANY},
        {Kernel.ARCHITECTURE, Kernel.ANY},
        {Kernel.ANY, Kernel.ARCHITECTURE},
        {Kernel.FORM, Kernel.ANY},
        {Kernel.ANY, Kernel.FORM},
        {Kernel.ARCHITECTURE, Kernel.ARCHITECTURE},
        {Kernel.FORM, Kernel.FORM},
        {Kernel.RESOURCES, Kernel.ANY},
        {Kernel.ANY, Kernel.RESOURCES},
        {Kernel.RESOURCES, Kernel.RESOURCES},
        {Kernel.NATURE, Kernel.NATURE},
    };

    /** What victims mind, what neighbours take, and what only both together explain; on several kinds of hardware each twice. */
    static List<KernelTerm> all(int hardware) {
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
