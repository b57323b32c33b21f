package org.trainyard.agents.heuristic.slurm.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Names that jobs of a log have and their cluster lacks: how many jobs name them, and which. */
class UnknownNamesTest {
    private static UnknownNames names(@Nullable List<String> qos, @Nullable List<String> associations, String... conf) {
        return new UnknownNames(SlurmCluster.of(SlurmConf.parse("slurm.conf", List.of(conf)), null, qos, associations));
    }

    @Test
    void each_kind_of_name_has_a_sentence_with_its_jobs() {
        UnknownNames names = names(
                List.of("Name", "long"),
                List.of("Account|User", "root|", "lab|", "lab|ann"),
                "NodeName=a",
                "Licenses=m:2",
                "PartitionName=p Nodes=a",
                "PartitionName=q Nodes=a Default=YES");

        names.look("p,q", "long", "lab", List.of("m"));
        names.look("", "normal", "root", List.of());
        names.look(null, null, null, List.of());
        names.look("", "", "", List.of());
        assertThat(names.sentences()).isEmpty();

        names.look("r", "short", "dept", List.of("m", "n", "o"));
        names.look("p,s,,t", "short", "lab", List.of("m"));
        for (int other = 0; other < 3; other++) {
            names.look("u" + other, "long", "account" + other, List.of());
        }

        assertThat(names.sentences())
                .containsExactly(
                        "5 jobs name partitions that slurm.conf lacks (r, s, t, u0, u1, ...): counted as of q.",
                        "2 jobs name QOS that qos.txt lacks (short): without limits of a QOS.",
                        "4 jobs name accounts that assoc.txt lacks (dept, account0, account1, account2): counted as right below root.",
                        "1 job names licences that slurm.conf does not count (n, o): never waited for.");
    }

    /** Five names are listed, and no more follow. */
    @Test
    void five_names_are_all_listed() {
        UnknownNames names = names(null, null, "NodeName=a", "PartitionName=p Nodes=a");

        for (int job = 1; job <= 5; job++) {
            names.look("u" + job, "any", "any", List.of());
        }

        assertThat(names.sentences())
                .containsExactly("5 jobs name partitions that slurm.conf lacks (u1, u2, u3, u4, u5): counted as of p.");
    }

    @Test
    void files_that_name_nothing_lack_nothing() {
        UnknownNames names = names(null, null, "NodeName=a");

        names.look("r", "short", "dept", List.of());

        assertThat(names.sentences()).isEmpty();
    }
}
