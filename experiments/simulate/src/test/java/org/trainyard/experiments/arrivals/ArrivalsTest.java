package org.trainyard.experiments.arrivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.PlacementPolicies;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;

class ArrivalsTest {
    private static final ServerSpec SERVER =
            new ServerSpec(GpuType.V100, 1, 4, false).withHost(8000, 1000).with(GpuSharing.FRACTIONS);
    private static final Topology TEN_SERVERS = Topology.uniform("ten", Fabric.DEFAULT, 1, 10, SERVER, 1);

    /** So many pods of so many thousandths of one GPU. */
    private static List<TraceJob> pods(int count, int milli) {
        List<TraceJob> pods = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Demand demand =
                    Demand.ofGpus(1).withGpuMilli(milli).withHost(100, 0).onOneServer();
            pods.add(new TraceJob("pod" + i, i, demand, 1, null, null, null, null));
        }
        return pods;
    }

    private static ArrivalsRun run(Arrivals arrivals, String policy) {
        return arrivals.run(Objects.requireNonNull(PlacementPolicies.named(policy)), null);
    }

    private static long milli(List<TraceJob> jobs) {
        return jobs.stream().mapToLong(job -> Inflation.milli(job.demand())).sum();
    }

    @Test
    void a_list_is_repeated_until_one_more_would_exceed_the_demand() {
        List<TraceJob> pods = pods(7, 300);
        List<TraceJob> arrivals = Inflation.of(pods, 10_000, 1);

        assertThat(milli(arrivals)).isEqualTo(9_900);
        assertThat(arrivals).extracting(TraceJob::id).doesNotHaveDuplicates();
        assertThat(arrivals.subList(0, 7))
                .extracting(TraceJob::id)
                .containsExactlyInAnyOrderElementsOf(
                        pods.stream().map(TraceJob::id).toList());
        assertThat(arrivals).extracting(TraceJob::durationNanos).allMatch(nanos -> nanos > 33_000_000_000L);
    }

    @Test
    void a_list_that_demands_too_much_loses_jobs() {
        List<TraceJob> arrivals = Inflation.of(pods(50, 300), 10_000, 1);

        assertThat(milli(arrivals)).isEqualTo(9_900);
        assertThat(arrivals).hasSize(33);
    }

    @Test
    void equal_seeds_inflate_alike_and_others_do_not() {
        List<TraceJob> pods = pods(50, 300);

        assertThat(Inflation.of(pods, 30_000, 7)).isEqualTo(Inflation.of(pods, 30_000, 7));
        assertThat(Inflation.of(pods, 30_000, 7)).isNotEqualTo(Inflation.of(pods, 30_000, 8));
    }

    /** 40 GPUs, pods of 0.4: two fit on each, so 80 of 130 are placed, and the last 0.2 of every GPU are for nobody. */
    @Test
    void the_curves_are_those_worked_out_by_hand() {
        Arrivals arrivals = Arrivals.of(pods(30, 400), TEN_SERVERS, 1.3, 3);
        ArrivalsRun run = run(arrivals, "gpu-packing");

        assertThat(run.jobs()).isEqualTo(130);
        assertThat(run.rejected()).isEqualTo(50);
        assertThat(run.allocatedPercent()).hasSize(131);
        // The first pod is the first 1 %, and at 50 % the 50th has come.
        assertThat(run.allocatedPercent().get(1)).isCloseTo(1, within(1e-9));
        assertThat(run.allocatedPercent().get(50)).isCloseTo(50, within(1e-9));
        assertThat(run.allocatedPercent().subList(80, 131)).allMatch(held -> Math.abs(held - 80) < 1e-9);
        // Of 25 GPUs that are full at 50 %, 0.2 each.
        assertThat(run.fragmentedPercent().get(50)).isCloseTo(12.5, within(1e-9));
        assertThat(run.fragmentedPercent().get(130)).isCloseTo(20, within(1e-9));
        assertThat(run.fragmentedOfFreePercent().get(130)).isCloseTo(100, within(1e-9));
        assertThat(run(arrivals, "gpu-packing")).isEqualTo(run);
    }

    @Test
    void a_curve_between_arrivals_is_that_of_its_neighbours_and_further_on_stays() {
        DemandCurve curve = new DemandCurve(9, 5);
        curve.add(2.4, 10);
        curve.add(1.6, 20);
        curve.add(4, 30);

        assertThat(curve.values()).containsExactly(5, 15, 15, 20, 30, 30, 30, 30, 30, 30);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 0.001, 101, Double.NaN, Double.POSITIVE_INFINITY})
    void an_inflation_that_makes_no_sense_is_refused(double inflation) {
        assertThatThrownBy(() -> Arrivals.of(pods(3, 300), TEN_SERVERS, inflation, 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("--demand")
                .hasMessageContaining("a number in 0.01..100");
    }

    @Test
    void jobs_without_gpus_alone_cannot_be_inflated() {
        Demand host = new Demand(0, 0, 0, Demand.WHOLE, 100, 0, true, List.of());
        List<TraceJob> jobs = List.of(new TraceJob("h", 0, host, 1, null, null, null, null));

        assertThatThrownBy(() -> Arrivals.of(jobs, TEN_SERVERS, 1, 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("at least one that wants a GPU");
    }
}
