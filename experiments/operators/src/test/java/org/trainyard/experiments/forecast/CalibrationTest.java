package org.trainyard.experiments.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;

class CalibrationTest {
    private static final Quantiles TOO_LOW = new Quantiles(90, 100, 110);

    @Test
    void forecasts_that_were_too_low_and_too_narrow_are_moved_until_they_hold() {
        RandomGenerator random = RandomStreams.stream(1, "waits");
        List<Calibration.Seen> seen = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            seen.add(new Calibration.Seen(TOO_LOW, 200 + 400 * random.nextDouble(), true));
        }

        Quantiles corrected = new Calibration(seen, Calibration.Aim.START).apply(TOO_LOW);

        assertThat(corrected.p10()).isCloseTo(240, within(30.0));
        assertThat(corrected.p50()).isCloseTo(400, within(50.0));
        assertThat(corrected.p90()).isCloseTo(560, within(30.0));
    }

    @Test
    void jobs_that_still_wait_count_as_waits_that_are_longer() {
        List<Calibration.Seen> over = new ArrayList<>();
        List<Calibration.Seen> open = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            over.add(new Calibration.Seen(TOO_LOW, 100 + i, true));
            open.add(new Calibration.Seen(TOO_LOW, 100 + i, i % 2 == 0));
        }

        assertThat(new Calibration(open, Calibration.Aim.START).apply(TOO_LOW).p50())
                .isGreaterThan(new Calibration(over, Calibration.Aim.START)
                        .apply(TOO_LOW)
                        .p50());
    }

    @Test
    void a_few_forecasts_teach_nothing() {
        List<Calibration.Seen> few = List.of(new Calibration.Seen(TOO_LOW, 5000, true));

        assertThat(new Calibration(few, Calibration.Aim.START).apply(TOO_LOW)).isEqualTo(TOO_LOW);
    }

    @Test
    void the_last_hundred_forecasts_count_and_no_earlier_ones() {
        List<Calibration.Seen> seen =
                new ArrayList<>(Collections.nCopies(100, new Calibration.Seen(TOO_LOW, 10, true)));
        seen.addAll(Collections.nCopies(100, new Calibration.Seen(TOO_LOW, 400, true)));

        Quantiles corrected = new Calibration(seen, Calibration.Aim.START).apply(TOO_LOW);

        assertThat(List.of(corrected.p10(), corrected.p50(), corrected.p90()))
                .allSatisfy(seconds -> assertThat(seconds).isCloseTo(400, within(1e-9)));
        assertThat(new Calibration(seen, Calibration.Aim.START).size()).isEqualTo(100);
    }

    @Test
    void misses_aim_the_outer_quantiles_further_out_and_hits_further_in() {
        Calibration.Aim missed = Calibration.Aim.START;
        Calibration.Aim hit = Calibration.Aim.START;
        for (int i = 0; i < 3; i++) {
            missed = missed.after(TOO_LOW, 500);
            hit = hit.after(TOO_LOW, 100);
        }

        assertThat(missed.above()).isLessThan(0.03);
        assertThat(missed.below()).isGreaterThan(0.1);
        assertThat(hit.above()).isGreaterThan(0.1).isLessThan(0.12);
    }

    @Test
    void quantiles_stay_in_order_whatever_was_seen_and_wherever_they_aim() {
        RandomGenerator random = RandomStreams.stream(2, "order");
        for (int run = 0; run < 500; run++) {
            List<Calibration.Seen> seen = new ArrayList<>();
            Calibration.Aim aim = Calibration.Aim.START;
            for (int i = 0; i < 60; i++) {
                Quantiles raw = drawn(random);
                double waited = 2000 * random.nextDouble();
                seen.add(new Calibration.Seen(raw, waited, random.nextInt(4) > 0));
                aim = aim.after(run % 2 == 0 ? new Quantiles(0, 0, 1e9) : raw, waited);
            }
            Quantiles corrected = new Calibration(seen, aim).apply(drawn(random));

            assertThat(corrected.p10()).isLessThanOrEqualTo(corrected.p50());
            assertThat(corrected.p50()).isLessThanOrEqualTo(corrected.p90());
        }
    }

    private static Quantiles drawn(RandomGenerator random) {
        double low = 1000 * random.nextDouble();
        double middle = low + (random.nextBoolean() ? 0 : 1000 * random.nextDouble());
        double high = random.nextInt(10) == 0 ? Double.POSITIVE_INFINITY : middle + 1000 * random.nextDouble();
        return new Quantiles(low, middle, high);
    }
}
