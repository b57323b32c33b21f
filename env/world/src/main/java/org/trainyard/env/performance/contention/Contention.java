package org.trainyard.env.performance.contention;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import org.trainyard.env.topology.Topology;

/** The law by which rings that share a network link share its bandwidth. */
public sealed interface Contention {
    /** Every ring gets the full bandwidth of every link. */
    Contention NONE = new None();

    /** The law applied to one data centre; not thread-safe. */
    LinkSharing on(Topology topology);

    /** Every ring gets the full bandwidth of every link. */
    record None() implements Contention {
        @Override
        public LinkSharing on(Topology topology) {
            return LinkSharing.NONE;
        }
    }

    /**
     * A link that {@code p} rings pass gives each {@code 1 / f(a, k)} of its bandwidth, {@code f(a, k) = k + a (k - 1)}
     * and {@code k = max(1, xi p)}, and a ring runs at the worst of its links (M. Yu, B. Ji, H. Rajan, J. Liu: On
     * scheduling ring-all-reduce learning jobs in multi-tenant GPU clusters with communication contention, MobiHoc
     * 2022).
     *
     * <p>Deviations: (1) uplinks of racks and pods count as the servers' links do; (2) links may differ in bandwidth,
     * so the worst is the one that gives least, not the one with most rings; (3) {@code k} is at least 1, since a ring
     * gets at most the whole link; (4) over {@code n} parallel uplinks rings spread evenly, {@code p / n} on each.
     *
     * <p>{@link #MEASURED} is fitted by us, by least squares, to all-reduce latencies of 1 to 16 concurrent jobs on 10
     * GbE in the repository of Q. Wang, S. Shi, C. Wang, X. Chu: Communication contention aware scheduling of multiple
     * deep learning training jobs (2020), messages of 20 and 40 MB: {@code a} = 0.062 with {@code xi} = 1. That
     * repository's own simulator has 0.09. Its measurements of NCCL grow more slowly than the number of jobs; no
     * {@code a} of 0 or more fits them at {@code xi} = 1.
     *
     * @param a loss beyond the fair share, per further ring, 0 or more
     * @param xi share of the time in which rings on a link overlap, above 0 and at most 1
     */
    record SjfBco(double a, double xi) implements Contention {
        /** Figures for rings that send all the time over TCP on 10 GbE. */
        public static final SjfBco MEASURED = new SjfBco(0.062, 1);

        public SjfBco {
            atLeast(0, "a", a);
            above(0, "xi", xi);
            within(0, 1, "xi", xi);
        }

        /** The divisor of a link's bandwidth for so many rings per link, possibly a mean over parallel links. */
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
     * Max-min fair shares: a ring's share can only be increased by decreasing one that is no larger (D. Bertsekas, R.
     * Gallager: Data networks, 1992, section 6.5). Rings are assumed to send all the time, the worst case of fair
     * queueing.
     *
     * <p>On one link, an additional ring slows all others. Over several links it may also speed up a ring, by slowing
     * another one with which that ring shares a link elsewhere.
     */
    record MaxMin() implements Contention {
        @Override
        public LinkSharing on(Topology topology) {
            return new MaxMinSharing(topology.links());
        }
    }
}
