package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;

/** Names of partitions, QOS, accounts and licences that jobs of a log have, and the files of their cluster lack. */
public final class UnknownNames {
    /** Names that a sentence lists. */
    private static final int MOST_LISTED = 5;

    private final SlurmCluster cluster;
    private final Counts partitions = new Counts();
    private final Counts qos = new Counts();
    private final Counts accounts = new Counts();
    private final Counts licenses = new Counts();

    public UnknownNames(SlurmCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Looks at the names of a job; null for those that it has not.
     *
     * @param partition one, or several with commas between them
     */
    public void look(
            @Nullable String partition, @Nullable String ofQos, @Nullable String account, Collection<String> asked) {
        if (partition != null) {
            partitions.add(List.of(partition.split(",", -1)).stream()
                    .filter(name -> !name.isEmpty() && !cluster.hasPartition(name))
                    .toList());
        }
        qos.add(ofQos == null || ofQos.isEmpty() || cluster.hasQos(ofQos) ? List.of() : List.of(ofQos));
        accounts.add(
                account == null || account.isEmpty() || cluster.hasAccount(account) ? List.of() : List.of(account));
        licenses.add(asked.stream()
                .filter(name -> !cluster.licenses().containsKey(name))
                .toList());
    }

    /** A sentence for each kind of name that is not known, with the number of jobs and what it counts as. */
    public List<String> sentences() {
        List<String> said = new ArrayList<>();
        partitions.say(
                "partitions that slurm.conf lacks",
                "counted as of " + cluster.partition(null).name(),
                said);
        qos.say("QOS that qos.txt lacks", "without limits of a QOS", said);
        accounts.say("accounts that assoc.txt lacks", "counted as right below root", said);
        licenses.say("licences that slurm.conf does not count", "never waited for", said);
        return said;
    }

    /** Jobs with such a name, and the names. */
    private static final class Counts {
        private final Set<String> names = new LinkedHashSet<>();
        private int jobs;

        void add(List<String> unknown) {
            names.addAll(unknown);
            jobs += unknown.isEmpty() ? 0 : 1;
        }

        void say(String what, String instead, List<String> said) {
            if (jobs > 0) {
                List<String> listed = names.stream().limit(MOST_LISTED).toList();
                said.add(Counted.say(
                        "%,d jobs name %s (%s%s): %s.",
                        jobs, what, String.join(", ", listed), names.size() > MOST_LISTED ? ", ..." : "", instead));
            }
        }
    }
}
