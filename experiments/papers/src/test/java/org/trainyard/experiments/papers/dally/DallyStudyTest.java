package org.trainyard.experiments.papers.dally;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.experiments.papers.dally.DallyStudy.Network;

class DallyStudyTest {
    @Test
    void dally_communicates_a_tenth_of_random_placement_or_less() {
        List<DallyStudy.Row> rows = DallyStudy.run(Network.ALONE, DallyStudy.Jobs.BATCH, 2, List.of(1L));
        double random = rows.get(rows.size() - 1).communicationHours();

        assertThat(rows.get(0).scheduler()).isEqualTo("dally");
        assertThat(rows.get(rows.size() - 1).scheduler()).isEqualTo("random placement");
        assertThat(rows).allMatch(row -> row.communicationHours() > 0);
        assertThat(rows.get(0).communicationHours()).isLessThan(0.1 * random);
    }
}
