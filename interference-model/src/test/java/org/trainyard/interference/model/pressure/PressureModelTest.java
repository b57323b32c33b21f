package org.trainyard.interference.model.pressure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.interference.ForEverySeed;
import org.trainyard.interference.data.ProfilingCampaign;

class PressureModelTest {
    private static final PressureModel MODEL = new PressureModel(0.4, 0.7, 0.3);

    @Test
    void alone_the_slowdown_is_exactly_one() {
        Colocation row = new Colocation();
        row.reset(8, 4, true);

        for (ModelProfile victim : ProfilingCampaign.drawProfiles(10, 1)) {
            assertThat(MODEL.slowdown(victim, row)).isEqualTo(1);
        }
    }

    @Test
    void it_is_the_closed_form_it_says() {
        Pressure none = new Pressure(0, 0, 0);
        ModelProfile victim = new ModelProfile("victim", 1, 0, 1, none, new Pressure(0.5, 0.4, 0.25));
        ModelProfile neighbour = new ModelProfile("neighbour", 1, 0, 1, new Pressure(0.2, 0.5, 1), none);
        Colocation row = new Colocation();
        row.reset(8, 2, true);
        row.add(neighbour, 4, false, true);
        row.add(neighbour, 2, true, false);

        // Socket: 0.2 x 4/8; PCIe: 0.5 x 6/8; NIC: 1, for only the second spans servers.
        double expected = Math.exp(0.4 * 0.5 * 0.1 + 0.7 * 0.4 * 0.375 + 0.3 * 0.25 * 1);
        assertThat(MODEL.slowdown(victim, row)).isCloseTo(expected, within(1e-12));
    }

    @ForEverySeed
    void one_more_neighbour_never_helps_and_never_is_it_below_one(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "neighbours");
        PressureModel model = new PressureModel(random.nextDouble(), 2 * random.nextDouble(), random.nextDouble());
        List<ModelProfile> profiles = ProfilingCampaign.drawProfiles(20, seed);
        Colocation row = new Colocation();
        row.reset(16, 2, random.nextBoolean());
        double before = 1;
        for (int i = 0; i < 14; i++) {
            row.add(profiles.get(i), 1, random.nextBoolean(), random.nextBoolean());
            double now = model.slowdown(profiles.get(19), row);
            assertThat(now).isGreaterThanOrEqualTo(before);
            before = now;
        }
    }

    @Test
    void betas_may_not_be_negative_or_infinite() {
        assertThatThrownBy(() -> new PressureModel(0, -0.1, 0)).hasMessageContaining("pcie -0.1");
        assertThatThrownBy(() -> new PressureModel(Double.NaN, 0, 0)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> new PressureModel(0, 0, Double.POSITIVE_INFINITY))
                .hasMessageContaining("Infinity");
    }

    @Test
    void inference_allocates_nothing() {
        Colocation row = new Colocation();
        List<ModelProfile> profiles = ProfilingCampaign.drawProfiles(8, 3);
        row.reset(8, 1, true);
        profiles.subList(1, 8).forEach(neighbour -> row.add(neighbour, 1, true, true));
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        double sum = ask(profiles.get(0), row);
        long before = threads.getCurrentThreadAllocatedBytes();
        sum += ask(profiles.get(0), row);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(sum).isPositive();
        // The question itself may allocate; a byte per call would be 100,000.
        assertThat(allocated).isLessThan(10_000);
    }

    private static double ask(ModelProfile victim, Colocation row) {
        double sum = 0;
        for (int i = 0; i < 100_000; i++) {
            sum += MODEL.slowdown(victim, row);
        }
        return sum;
    }
}
