package org.trainyard.env.performance.contention;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.topology.Links;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * {@link Contention.MaxMin} on one data centre by progressive filling: the link with the smallest remaining share per
 * open ring is filled and its rings are settled, until all are. A ring limited by the bandwidth of one of several
 * parallel links is settled, too.
 *
 * <p>A change affects the group of rings that share links, directly or through other rings; the shares of a group
 * depend on no other ring. Computed groups are cached until the occupancy changes. Of equal links the one of least
 * index is filled first, so shares are bit-identical for any order of queries and of jobs.
 */
final class MaxMinSharing implements LinkSharing {
    private static final int NONE = -1;

    private final Links links;
    private final RingGroups groups;
    private final int[] route;
    /** The share of a settled ring; zero while it is open. */
    private double[] share = new double[16];
    /** Upper bound on a ring's share: the narrowest single link on its way. */
    private double[] most = new double[16];

    private final double[] left;
    private final int[] open;
    private @Nullable Occupancy keptFor;
    private long keptVersion;

    MaxMinSharing(Links links) {
        this.links = links;
        groups = new RingGroups(links);
        route = new int[links.count()];
        left = new double[links.count()];
        open = new int[links.count()];
    }

    @Override
    public double bytesPerSecond(JobSpec job, Placement placement, Occupancy occupancy) {
        if (placement.serverCount() == 1) {
            return Double.POSITIVE_INFINITY;
        }
        boolean supposed = !runsThere(job.id(), placement, occupancy);
        if (supposed || keptFor != occupancy || keptVersion != occupancy.version()) {
            forget();
        }
        int slot = groups.slot(job.id());
        if (slot == RingGroups.UNKNOWN) {
            slot = groups.rings();
            int firstLink = groups.links();
            groups.addRing(job.id(), placement);
            groups.complete(occupancy);
            fill(slot, firstLink);
        }
        double result = share[slot];
        if (supposed) {
            forget();
        } else {
            keptFor = occupancy;
            keptVersion = occupancy.version();
        }
        return result;
    }

    private static boolean runsThere(int job, Placement placement, Occupancy occupancy) {
        int server = placement.server(0);
        for (int i = 0; i < occupancy.jobsOn(server); i++) {
            if (occupancy.jobOn(server, i) == job) {
                return occupancy.placement(job).equals(placement);
            }
        }
        return false;
    }

    private void forget() {
        groups.clear();
        keptFor = null;
    }

    /** Divides the links from {@code firstLink} among the rings from {@code firstRing}. O(links squared) at worst. */
    private void fill(int firstRing, int firstLink) {
        if (share.length < groups.rings()) {
            share = Arrays.copyOf(share, 2 * groups.rings());
            most = Arrays.copyOf(most, share.length);
        }
        for (int i = firstLink; i < groups.links(); i++) {
            left[groups.link(i)] = links.bytesPerSecond(groups.link(i));
            open[groups.link(i)] = 0;
        }
        for (int ring = firstRing; ring < groups.rings(); ring++) {
            share[ring] = 0;
            most[ring] = links.mostFor(groups.placement(ring));
            int passed = links.usedBy(groups.placement(ring), route);
            for (int i = 0; i < passed; i++) {
                open[route[i]]++;
            }
        }
        for (int full = tightest(firstLink); full != NONE; full = tightest(firstLink)) {
            double fair = left[full] / open[full];
            int modest = mostModest(firstRing, fair);
            if (modest != NONE) {
                settle(modest, most[modest]);
                continue;
            }
            for (int ring = firstRing; ring < groups.rings(); ring++) {
                if (share[ring] == 0 && links.passes(groups.placement(ring), full)) {
                    settle(ring, fair);
                }
            }
        }
    }

    /** The open ring with the least upper bound, if that is below {@code fair}; of equal ones that of the first job. */
    private int mostModest(int firstRing, double fair) {
        int modest = NONE;
        double least = fair;
        for (int ring = firstRing; ring < groups.rings(); ring++) {
            boolean earlier = modest != NONE && most[ring] == least && groups.job(ring) < groups.job(modest);
            if (share[ring] == 0 && (most[ring] < least || earlier)) {
                least = most[ring];
                modest = ring;
            }
        }
        return modest;
    }

    private int tightest(int firstLink) {
        int tightest = NONE;
        double least = Double.POSITIVE_INFINITY;
        for (int i = firstLink; i < groups.links(); i++) {
            int link = groups.link(i);
            if (open[link] > 0) {
                double fair = left[link] / open[link];
                if (fair < least || (fair == least && link < tightest)) {
                    least = fair;
                    tightest = link;
                }
            }
        }
        return tightest;
    }

    private void settle(int ring, double fair) {
        share[ring] = fair;
        int passed = links.usedBy(groups.placement(ring), route);
        for (int i = 0; i < passed; i++) {
            left[route[i]] -= fair;
            open[route[i]]--;
        }
    }

    @Override
    public void touch(Placement placement, Occupancy occupancy, IntConsumer touched) {
        forget();
        groups.addLinksOf(placement);
        groups.complete(occupancy);
        for (int ring = 0; ring < groups.rings(); ring++) {
            touched.accept(groups.job(ring));
        }
        forget();
    }
}
