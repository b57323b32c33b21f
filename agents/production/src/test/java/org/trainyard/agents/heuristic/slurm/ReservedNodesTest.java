package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.nodes;

import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmReservation;

/**
 * Nodes that reservations leave to a job for a span: nodes 0 and 1 are ours from 100 to 200 s, 1 and 2 are maintained
 * from 150 to 250 s, and 3 is theirs from 120 to 130 s.
 */
class ReservedNodesTest {
    private final BitSet available = nodes(0, 1, 2, 3, 4);
    private final Reservations reservations = new Reservations(available);
    private final SlurmState state = new SlurmState(
            SlurmCluster.of(SlurmConf.parse("slurm.conf", List.of("NodeName=n[0-4]")), null, null, null));

    ReservedNodesTest() {
        reservations.add(new SlurmReservation("ours", nodes(0, 1), 100, 200, Set.of("ann"), false));
        reservations.add(new SlurmReservation("window", nodes(1, 2), 150, 250, Set.of("ann"), true));
        reservations.add(new SlurmReservation("theirs", nodes(3), 120, 130, Set.of("bob"), false));
    }

    private String left(@Nullable String reservation, long from, long seconds) {
        boolean[] overlap = {true};
        SlurmJob job = new Asked(state, 1).reservation(reservation).at(0);
        BitSet left = reservations.leave(job, from, seconds, overlap);
        return left == null ? "shut" : left + (overlap[0] ? " of more" : "");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            delimiter = '|',
            value = {
                "- | 0 | 100 | {0, 1, 2, 3, 4}",
                "- | 0 | 101 | {2, 3, 4} of more",
                "- | 0 | 121 | {2, 4} of more",
                "- | 130 | 20 | {2, 3, 4} of more",
                "- | 130 | 21 | {3, 4} of more",
                "- | 199 | 1 | {3, 4} of more",
                "- | 200 | 50 | {0, 3, 4} of more",
                "- | 250 | 50 | {0, 1, 2, 3, 4}",
                "ours | 99 | 10 | shut",
                "ours | 100 | 50 | {0, 1}",
                "ours | 100 | 51 | {0} of more",
                "ours | 200 | 10 | {0} of more",
                "ours | 201 | 10 | shut",
                "window | 150 | 90 | {1, 2}",
                "theirs | 120 | 90 | {3}",
                "nobody's | 120 | 10 | shut"
            })
    void a_job_has_the_nodes_that_no_other_reservation_holds_in_its_time(
            @Nullable String reservation, long from, long seconds, String expected) {
        assertThat(left(reservation, from, seconds)).isEqualTo(expected);
    }

    @Test
    void nodes_out_of_service_are_left_to_nobody() {
        available.clear(0);
        available.clear(4);

        assertThat(left(null, 0, 10)).isEqualTo("{1, 2, 3}");
        assertThat(left("ours", 100, 50)).isEqualTo("{1}");
        Reservations none = new Reservations(available);
        assertThat(none.leave(new Asked(state, 2).at(0), 0, 10, new boolean[1])).isEqualTo(nodes(1, 2, 3));
        assertThat(none.leave(new Asked(state, 3).reservation("ours").at(0), 0, 10, new boolean[1]))
                .isNull();
    }
}
