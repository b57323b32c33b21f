package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import org.trainyard.env.performance.contention.Contention;

/** How ring all-reduce traffic of several jobs shares the bandwidth of a network link. */
sealed interface ContentionConfig {
    /** The contention model of the simulator. */
    Contention contention();

    /** No contention: every ring has the full bandwidth. */
    record None() implements ContentionConfig {
        @Override
        public Contention contention() {
            return Contention.NONE;
        }
    }

    /**
     * The contention model of SJF-BCO: {@code k} rings, which compete a fraction {@code xi} of the time, get
     * {@code 1/(k + a(k - 1))} of the bandwidth each.
     */
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

    /** Max-min fair shares among rings that always send. */
    record MaxMin() implements ContentionConfig {
        @Override
        public Contention contention() {
            return new Contention.MaxMin();
        }
    }
}
