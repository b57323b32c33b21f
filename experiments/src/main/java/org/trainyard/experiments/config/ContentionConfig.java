package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import org.trainyard.env.performance.contention.Contention;

/** How rings that meet on a link of the network share it. */
public sealed interface ContentionConfig {
    /** What the simulator is given. */
    Contention contention();

    /** Every ring has the links to itself. */
    record None() implements ContentionConfig {
        @Override
        public Contention contention() {
            return Contention.NONE;
        }
    }

    /** SJF-BCO's law: a loss {@code a} per further ring, rings meeting the part {@code xi} of the time. */
    record SjfBco(double a, double xi) implements ContentionConfig {
        public SjfBco {
            atLeast(0, "a", a);
            above(0, "xi", xi);
            within(0, 1, "xi", xi);
        }

        @Override
        public Contention contention() {
            return new Contention.SjfBco(a, xi);
        }
    }

    /** Max-min fair shares of rings that send all the time. */
    record MaxMin() implements ContentionConfig {
        @Override
        public Contention contention() {
            return new Contention.MaxMin();
        }
    }
}
