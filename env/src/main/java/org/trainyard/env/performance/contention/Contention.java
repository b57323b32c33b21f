package org.trainyard.env.performance.contention;

import org.trainyard.env.topology.Topology;

/** How the rings that meet on a link of the network share its bandwidth. */
public sealed interface Contention {
    /** Every ring has the links to itself. */
    Contention NONE = new None();

    /** The sharing at work on one data centre; not for use by several threads. */
    LinkSharing on(Topology topology);

    /** Every ring has the links to itself. */
    record None() implements Contention {
        @Override
        public LinkSharing on(Topology topology) {
            return LinkSharing.NONE;
        }
    }

    /**
     * A link that {@code p} rings pass gives each {@code 1 / f(a, k)} of its bandwidth, {@code f(a, k) = k + a (k - 1)} and
     * {@code k = max(1, xi p)}, and a ring runs at the worst of its links (M. Yu, B. Ji, H. Rajan, J. Liu: On scheduling
     * ring-all-reduce learning jobs in multi-tenant GPU clusters with communication contention, MobiHoc 2022).
     *
     * <p>Deviations: (1) uplinks of racks and pods count as the servers' links do; (2) links may differ in bandwidth, so the worst is
     * the one that gives least, not the one with most rings; (3) {@code k} is never below 1, for a ring has no more than the link; (4) over {@code n} parallel uplinks rings
     * spread evenly, {@code p / n} on each.
     *
     * <p>{@link #MEASURED} is fitted by us, by least squares, to all-reduce latencies of 1 to 16 concurrent jobs on 10 GbE in the
     * repository of Q. Wang, S. Shi, C. Wang, X. Chu: Communication contention aware scheduling of multiple deep learning training
     * jobs (2020), messages of 20 and 40 MB: {@code a} = 0.062 with {@code xi} = 1. That repository's own simulator has 0.09. Its
     * measurements of NCCL grow more slowly than the number of jobs; no {@code a} of 0 or more fits them at {@code xi} = 1.
     *
     * @param a what is lost on top of the fair share, per further ring, 0 or more
     * @param xi how much of the time the rings on a link really meet, above 0 and at most 1
     */
    record SjfBco(double a, double xi) implements Contention {
        /** Rings that send all the time over TCP on 10 GbE. */
        public static final SjfBco MEASURED = new SjfBco(0.062, 1);

        public SjfBco {
            if (!(a >= 0) || Double.isInfinite(a)) {
                throw new IllegalArgumentException("loss (a %s) must be finite and not negative".formatted(a));
            }
            if (!(xi > 0 && xi <= 1)) {
                throw new IllegalArgumentException("overlap (xi %s) must be above 0 and at most 1".formatted(xi));
            }
        }

        /** What a link's bandwidth is divided by when so many rings pass it, on average where links are parallel. */
        public double divisor(double rings) {
            double k = Math.max(1, xi * rings);
            return k + a * (k - 1);
        }

        @Override
        public LinkSharing on(Topology topology) {
            return new SjfBcoSharing(topology.links(), this);
        }
    }

    /**
     * Max-min fair shares: no ring can get more without another that has no more than it getting less (D. Bertsekas, R. Gallager: Data
     * networks, 1992, section 6.5). Rings are taken to send all the time, so this is the world's worst case of fair queueing.
     *
     * <p>On one link, one more ring slows all the others. Over several it may also speed some up: those that met, elsewhere, a ring that
     * it slows.
     */
    record MaxMin() implements Contention {
        @Override
        public LinkSharing on(Topology topology) {
            return new MaxMinSharing(topology.links());
        }
    }
}
