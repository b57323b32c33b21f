package org.trainyard.interference.process;

import java.util.ArrayList;
import java.util.List;

/**
 * One part of the covariance of two pairs' ratios: the likeness of their victims times that of their neighbours.
 *
 * @param ownHardware whether the part is 0 between different hardware
 */
record Term(Likeness victim, Likeness neighbour, boolean ownHardware) {
    private static final Likeness[][] SIDES = {
        {Likeness.ANY, Likeness.ANY},
        {Likeness.ARCHITECTURE, Likeness.ANY},
        {Likeness.ANY, Likeness.ARCHITECTURE},
        {Likeness.FORM, Likeness.ANY},
        {Likeness.ANY, Likeness.FORM},
        {Likeness.ARCHITECTURE, Likeness.ARCHITECTURE},
        {Likeness.FORM, Likeness.FORM},
        {Likeness.RESOURCES, Likeness.ANY},
        {Likeness.ANY, Likeness.RESOURCES},
        {Likeness.RESOURCES, Likeness.RESOURCES},
        {Likeness.NATURE, Likeness.NATURE},
    };

    /** What victims mind, what neighbours take, and what only both together explain; on several kinds of hardware each twice. */
    static List<Term> all(int hardware) {
        List<Term> terms = new ArrayList<>();
        for (Likeness[] sides : SIDES) {
            terms.add(new Term(sides[0], sides[1], false));
            if (hardware > 1) {
                terms.add(new Term(sides[0], sides[1], true));
            }
        }
        return terms;
    }
}
