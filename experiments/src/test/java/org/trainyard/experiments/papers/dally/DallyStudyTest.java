package org.trainyard.experiments.papers.dally;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.ring.LayeredRingPerformance.Uneven;
import org.trainyard.env.topology.Topologies;
import org.trainyard.experiments.Shell;

class DallyStudyTest {
    @Test
    void dally_communicates_a_tenth_of_random_placement_or_less() {
        List<DallyStudy.Row> rows = DallyStudy.run(
                Objects.requireNonNull(Topologies.parse("4x4x8")), DallyStudy.Jobs.BATCH, Uneven.NESTED, List.of(1L));
        double random = rows.get(rows.size() - 1).communicationHours();

        assertThat(rows.get(0).scheduler()).isEqualTo("dally");
        assertThat(rows.get(rows.size() - 1).scheduler()).isEqualTo("random placement");
        assertThat(rows).allMatch(row -> row.communicationHours() > 0);
        assertThat(rows.get(0).communicationHours()).isLessThan(0.1 * random);
    }

    @Test
    void the_command_refuses_what_it_does_not_know() {
        for (List<String> wrong : List.of(
                List.of("dally", "--jobs", "month"),
                List.of("dally", "--seeds", "0"),
                List.of("dally", "--uneven", "x"),
                List.of("dally", "--cluster", "1x8"))) {
            Shell shell = Shell.run(wrong);

            assertThat(shell.code()).as(wrong.toString()).isEqualTo(2);
            assertThat(shell.err().lines()).hasSize(1);
        }
    }
}
