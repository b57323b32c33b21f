package org.trainyard.env.performance.contention;

import java.util.Arrays;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.topology.Links;

/** The running jobs whose rings pass a link, each once, in a reused buffer. O(jobs below the link). */
final class LinkUsers {
    private final Links links;
    private int[] jobs = new int[16];
    private int count;

    LinkUsers(Links links) {
        this.links = links;
    }

    void collect(int link, Occupancy occupancy) {
        count = 0;
        for (int server = links.firstServer(link); server < links.endServer(link); server++) {
            for (int i = 0; i < occupancy.jobsOn(server); i++) {
                int job = occupancy.jobOn(server, i);
                // A job is counted once, on its first server below the link.
                if (links.firstBelow(occupancy.placement(job), link) == server) {
                    add(job);
                }
            }
        }
    }

    private void add(int job) {
        if (count == jobs.length) {
            jobs = Arrays.copyOf(jobs, 2 * count);
        }
        jobs[count++] = job;
    }

    int count() {
        return count;
    }

    int job(int i) {
        return jobs[i];
    }

    /** Number of the users without {@code job}. */
    int countWithout(int job) {
        int others = count;
        for (int i = 0; i < count; i++) {
            if (jobs[i] == job) {
                others--;
            }
        }
        return others;
    }
}
