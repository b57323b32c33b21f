package org.trainyard.agents.heuristic.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.PodCluster;
import org.trainyard.env.scheduling.fragmentation.TargetWorkload;
import org.trainyard.env.workload.Demand;

class TargetWorkloadTest {
    private static double fragmented(Demand demand, int freeCores, int... freeMilli) {
        return TargetWorkload.of(List.of(demand)).fragmentedMilli("T4", freeCores * 1000L, freeMilli);
    }

    @Test
    void all_that_is_left_is_fragmented_for_a_job_that_does_not_fit() {
        assertThat(fragmented(PodCluster.gpus(2, 0), 8, 1000, 900)).isEqualTo(1900);
        assertThat(fragmented(PodCluster.gpus(1, 9), 8, 1000, 900)).isEqualTo(1900);
        assertThat(fragmented(PodCluster.gpus(1, 0).onTypes(List.of("V100")), 8, 1000, 900))
                .isEqualTo(1900);
        assertThat(fragmented(PodCluster.host(1), 8, 1000, 900)).isEqualTo(1900);
    }

    @Test
    void for_a_job_that_fits_it_is_the_gpus_with_too_little_left() {
        assertThat(fragmented(PodCluster.gpus(1, 8), 8, 1000, 900)).isEqualTo(900);
        assertThat(fragmented(PodCluster.part(500, 0), 8, 500, 499, 100)).isEqualTo(599);
        assertThat(fragmented(PodCluster.gpus(1, 0).onTypes(List.of("T4")), 8, 1000))
                .isZero();
    }

    @Test
    void kinds_count_by_their_share() {
        TargetWorkload target =
                TargetWorkload.of(List.of(PodCluster.gpus(1, 0), PodCluster.gpus(1, 0), PodCluster.part(500, 0)));

        assertThat(target.fragmentedMilli("T4", 0, new int[] {600})).isCloseTo(400, within(1e-9));
    }

    @Test
    void rare_kinds_beyond_95_per_cent_do_not_count() {
        List<Demand> demands = new ArrayList<>(Collections.nCopies(95, PodCluster.gpus(1, 0)));
        demands.addAll(Collections.nCopies(5, PodCluster.gpus(8, 0)));

        assertThat(TargetWorkload.of(demands).kinds()).isEqualTo(1);
        demands.add(PodCluster.gpus(8, 0));
        assertThat(TargetWorkload.of(demands).kinds()).isEqualTo(2);
    }

    @Test
    void memory_makes_no_kind() {
        Demand little = PodCluster.gpus(1, 1).withHost(1000, 5);
        Demand much = PodCluster.gpus(1, 1).withHost(1000, 50);

        assertThat(TargetWorkload.of(List.of(little, much)).kinds()).isEqualTo(1);
    }
}
