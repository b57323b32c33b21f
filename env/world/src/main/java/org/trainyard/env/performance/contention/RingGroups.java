package org.trainyard.env.performance.contention;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Arrays;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.topology.Links;
import org.trainyard.env.topology.Placement;

/** Groups of rings that share links, directly or through other rings, in reused flat arrays. */
final class RingGroups {
    static final int UNKNOWN = -1;

    private final Links links;
    private final LinkUsers users;
    private final int[] route;

    private final Int2IntOpenHashMap slotOf = new Int2IntOpenHashMap();
    private int rings;
    private int[] job = new int[16];
    private Placement[] placement = new Placement[16];
    private int followedRings;

    private final boolean[] isFound;
    private final int[] found;
    private int linkCount;
    private int followedLinks;

    RingGroups(Links links) {
        this.links = links;
        users = new LinkUsers(links);
        route = new int[links.count()];
        slotOf.defaultReturnValue(UNKNOWN);
        isFound = new boolean[links.count()];
        found = new int[links.count()];
    }

    void clear() {
        for (int i = 0; i < linkCount; i++) {
            isFound[found[i]] = false;
        }
        slotOf.clear();
        rings = 0;
        followedRings = 0;
        linkCount = 0;
        followedLinks = 0;
    }

    void addRing(int ofJob, Placement where) {
        if (rings == job.length) {
            job = Arrays.copyOf(job, 2 * rings);
            placement = Arrays.copyOf(placement, 2 * rings);
        }
        slotOf.put(ofJob, rings);
        job[rings] = ofJob;
        placement[rings++] = where;
    }

    void addLinksOf(Placement where) {
        int passed = links.usedBy(where, route);
        for (int i = 0; i < passed; i++) {
            if (!isFound[route[i]]) {
                isFound[route[i]] = true;
                found[linkCount++] = route[i];
            }
        }
    }

    /** Adds, transitively, all rings on a link of the group and all links of a ring of the group. */
    void complete(Occupancy occupancy) {
        while (followedRings < rings || followedLinks < linkCount) {
            while (followedRings < rings) {
                addLinksOf(placement[followedRings++]);
            }
            if (followedLinks < linkCount) {
                addUsersOf(found[followedLinks++], occupancy);
            }
        }
    }

    private void addUsersOf(int link, Occupancy occupancy) {
        users.collect(link, occupancy);
        for (int i = 0; i < users.count(); i++) {
            int user = users.job(i);
            if (slotOf.get(user) == UNKNOWN) {
                addRing(user, occupancy.placement(user));
            }
        }
    }

    /** The index of a job's ring, or {@link #UNKNOWN}. */
    int slot(int ofJob) {
        return slotOf.get(ofJob);
    }

    int rings() {
        return rings;
    }

    int job(int slot) {
        return job[slot];
    }

    Placement placement(int slot) {
        return placement[slot];
    }

    int links() {
        return linkCount;
    }

    int link(int i) {
        return found[i];
    }
}
