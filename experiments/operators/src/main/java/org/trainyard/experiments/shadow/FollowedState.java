package org.trainyard.experiments.shadow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.trainyard.env.Counted;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.drive.LiveSnapshot;
import org.trainyard.experiments.forecast.ClusterMoment;
import org.trainyard.experiments.simulation.LoggedServers;

/**
 * A real Slurm as of the last poll.
 *
 * @param log of its accounting, with an assumed end for each open job; one that waits starts at the poll there
 * @param openSeconds by id, how long jobs without an end have run for sure
 * @param blocked ids of jobs that wait and are held or depend on others
 * @param nodes by name; empty where Slurm prints no JSON
 */
public record FollowedState(
        Trace log, Map<String, Double> openSeconds, Set<String> blocked, Map<String, LiveSnapshot.Node> nodes) {
    /**
     * The cluster as of the poll. Nodes that take no jobs and run none are out of order; the GPUs of others count as
     * free once their jobs end.
     *
     * @param dated jobs of the log that fit the cluster
     */
    public ClusterMoment moment(List<TraceJob> dated, LoggedServers servers) {
        ClusterMoment moment = ClusterMoment.live(dated, servers, openSeconds, blocked);
        Set<Integer> down = new TreeSet<>();
        nodes.values().stream().filter(LiveSnapshot.Node::isOut).forEach(node -> down.add(servers.named(node.name())));
        down.remove(-1);
        moment.running().forEach(job -> down.removeAll(job.servers()));
        return moment.without(List.copyOf(down));
    }

    /** Remarks on the moment: nodes out of order and blocked jobs, a sentence each without its full stop. */
    public List<String> remarks(ClusterMoment moment) {
        List<String> remarks = new ArrayList<>();
        if (nodes.isEmpty()) {
            remarks.add("squeue and sinfo print no JSON: held jobs and nodes out of order are not known");
        }
        if (!moment.down().isEmpty()) {
            remarks.add(Counted.of(moment.down().size(), "server") + " out of order");
        }
        if (!blocked.isEmpty()) {
            remarks.add("%s held or dependent on others; left out".formatted(Counted.of(blocked.size(), "job")));
        }
        return remarks;
    }
}
