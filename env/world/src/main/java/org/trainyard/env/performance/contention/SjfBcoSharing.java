package org.trainyard.env.performance.contention;

import java.util.function.IntConsumer;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.topology.Links;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/** {@link Contention.SjfBco} on one data centre. A change affects only the rings that share a link with it. */
final class SjfBcoSharing implements LinkSharing {
    private final Links links;
    private final Contention.SjfBco law;
    private final LinkUsers users;
    private final int[] route;

    SjfBcoSharing(Links links, Contention.SjfBco law) {
        this.links = links;
        this.law = law;
        users = new LinkUsers(links);
        route = new int[links.count()];
    }

    @Override
    public double bytesPerSecond(JobSpec job, Placement placement, Occupancy occupancy) {
        double least = Double.POSITIVE_INFINITY;
        int passed = links.usedBy(placement, route);
        for (int i = 0; i < passed; i++) {
            users.collect(route[i], occupancy);
            int rings = 1 + users.countWithout(job.id());
            double link = links.linkBytesPerSecond(route[i]);
            double parallel = links.bytesPerSecond(route[i]) / link;
            least = Math.min(least, link / law.divisor(rings / parallel));
        }
        return least;
    }

    @Override
    public void touch(Placement placement, Occupancy occupancy, IntConsumer touched) {
        int passed = links.usedBy(placement, route);
        // The NICs come first; rings that share one of them are on one of the placement's servers.
        for (int i = placement.serverCount(); i < passed; i++) {
            users.collect(route[i], occupancy);
            for (int n = 0; n < users.count(); n++) {
                touched.accept(users.job(n));
            }
        }
    }
}
