package org.trainyard.experiments.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
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

    /** Twenty waits of 10 s to 200 s, each forecast alike, of which some may not be over. */
    private static Calibration twenty(int firstOpen, int lastOpen, Calibration.Aim aim) {
        List<Calibration.Seen> seen = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            seen.add(new Calibration.Seen(TOO_LOW, 10 * i, i < firstOpen || i > lastOpen));
        }
        return new Calibration(seen, aim);
    }

    private static void assertQuantiles(Quantiles of, double p10, double p50, double p90) {
        assertThat(List.of(of.p10(), of.p50(), of.p90()))
                .usingComparatorForType(Comparator.comparingDouble(x -> Math.rint(x * 1e6)), Double.class)
                .containsExactly(p10, p50, p90);
    }

    /** The second, tenth and eighteenth of twenty waits; a forecast of more moves by as much of ln(wait + 60 s). */
    @Test
    void a_forecast_like_the_earlier_ones_gets_the_quantiles_of_their_waits() {
        assertQuantiles(twenty(99, 99, Calibration.Aim.START).apply(TOO_LOW), 20, 100, 180);
        assertQuantiles(twenty(99, 99, new Calibration.Aim(0.3, 0.2)).apply(TOO_LOW), 60, 100, 160);
        // (190 + 60) (20 + 60) / (90 + 60) - 60, and so on.
        assertQuantiles(
                twenty(99, 99, Calibration.Aim.START).apply(new Quantiles(190, 260, 451)),
                250 * 80 / 150.0 - 60,
                260,
                511 * 240 / 170.0 - 60);
        assertQuantiles(
                twenty(99, 99, Calibration.Aim.START).apply(new Quantiles(0, 3, Double.POSITIVE_INFINITY)),
                0,
                3,
                Double.POSITIVE_INFINITY);
    }

    /**
     * Of waits of which the first ten are not over, the first that is over is a tenth of the ten that waited longer,
     * the fifth half of them; of waits of which the last ten are open, half are longer than all that are over.
     */
    @Test
    void waits_that_are_not_over_weigh_on_those_after_them() {
        assertQuantiles(twenty(1, 10, Calibration.Aim.START).apply(TOO_LOW), 110, 150, 190);
        assertQuantiles(twenty(11, 20, Calibration.Aim.START).apply(TOO_LOW), 20, 100, 100);
    }

    @Test
    void fifteen_forecasts_teach() {
        List<Calibration.Seen> seen = Collections.nCopies(15, new Calibration.Seen(TOO_LOW, 300, true));
        assertThat(new Calibration(seen.subList(1, 15), Calibration.Aim.START).size())
                .isZero();
        assertThat(new Calibration(seen, Calibration.Aim.START).size()).isEqualTo(15);
        assertQuantiles(new Calibration(seen, Calibration.Aim.START).apply(TOO_LOW), 300, 300, 300);
    }

    /** By 3 % of the distance of a hit (0) or a miss (1) from a tenth; within 0.5 % and 30 %. */
    @Test
    void aims_move_by_hits_and_misses() {
        assertAim(Calibration.Aim.START.after(TOO_LOW, 111), 0.103, 0.103);
        assertAim(Calibration.Aim.START.after(TOO_LOW, 111.5), 0.103, 0.073);
        assertAim(Calibration.Aim.START.after(TOO_LOW, 89), 0.103, 0.103);
        assertAim(Calibration.Aim.START.after(TOO_LOW, 88.5), 0.073, 0.103);
        Calibration.Aim far = Calibration.Aim.START;
        for (int i = 0; i < 100; i++) {
            far = far.after(TOO_LOW, 500);
        }
        assertAim(far, 0.3, 0.005);
    }

    /**
     * Errors of a moment in the scale of ln(wait + 60 s): of a hundred moments with one job 0.1 - 0.9 / 100; of fifty
     * with two the same where errors of a moment are nothing alike, 0.1 - 0.9 * 2 / 100 where they are equal, and
     * between where some are.
     */
    @Test
    void jobs_of_a_moment_that_err_alike_count_as_fewer() {
        assertAim(Calibration.Aim.at(moments(100, "+")), 0.091, 0.091);
        assertAim(Calibration.Aim.at(moments(50, "+-")), 0.091, 0.091);
        assertAim(Calibration.Aim.at(moments(25, "++", "--")), 0.082, 0.082);
        double between = 26 * 2.0 / 49;
        double within = 48 / 50.0;
        List<List<Calibration.Seen>> mixed = new ArrayList<>(moments(13, "++", "--"));
        mixed.addAll(moments(24, "+-"));
        double share = 0.1 - 0.009 * (1 + (between - within) / (between + within));
        assertAim(Calibration.Aim.at(mixed), share, share);
        mixed.add(List.of(new Calibration.Seen(new Quantiles(1, Double.POSITIVE_INFINITY, 2), 7, true)));
        assertAim(Calibration.Aim.at(mixed), share, share);
        assertAim(Calibration.Aim.at(moments(1, "++++")), 0, 0);
        assertAim(Calibration.Aim.at(List.of()), 0.1, 0.1);
    }

    /**
     * Ten moments of three jobs that err by 1 and ten of two that err by -1: means 1 and -1 about 0.2, so between the
     * moments there are 10 (3 * 0.64 + 2 * 1.44) / 19 and within them nothing: they are as one, and a moment has 2.6
     * jobs on average. Two moments of 40 and 20 jobs, whose means are 0 and 0.5 about 1 / 6: between are 10 / 3, within
     * 55 / 58, and 60 - 2,000 / 60 jobs to a moment.
     */
    @Test
    void moments_of_unequal_size_weigh_by_their_jobs() {
        assertAim(Calibration.Aim.at(moments(10, "+++", "--")), 0.1 - 0.9 * 2.6 / 50, 0.1 - 0.9 * 2.6 / 50);
        double between = 10 / 3.0;
        double within = 55 / 58.0;
        double alike = (between - within) / (between + (60 - 2000 / 60.0 - 1) * within);
        double share = 0.1 - 0.9 * (1 + (2000 / 60.0 - 1) * alike) / 60;
        assertAim(Calibration.Aim.at(moments(1, "+-".repeat(20), "+".repeat(15) + "-".repeat(5))), share, share);
        assertAim(Calibration.Aim.at(moments(20, "+")), 0.055, 0.055);
    }

    private static void assertAim(Calibration.Aim aim, double below, double above) {
        assertThat(aim.below()).isCloseTo(below, within(1e-12));
        assertThat(aim.above()).isCloseTo(above, within(1e-12));
    }

    /** So many moments of each kind, of jobs that waited e times as long as forecast, or that part. */
    private static List<List<Calibration.Seen>> moments(int each, String... kinds) {
        List<List<Calibration.Seen>> moments = new ArrayList<>();
        for (String kind : kinds) {
            List<Calibration.Seen> moment = kind.chars()
                    .mapToObj(sign -> new Calibration.Seen(TOO_LOW, 160 * Math.exp(sign == '+' ? 1 : -1) - 60, true))
                    .toList();
            moments.addAll(Collections.nCopies(each, moment));
        }
        return moments;
    }

    @Test
    void the_distance_is_that_of_logarithms_and_finite() {
        assertThat(Calibration.distance(100, 260)).isCloseTo(Math.log(2), within(1e-12));
        assertThat(Calibration.distance(260, 100)).isCloseTo(Math.log(2), within(1e-12));
        assertThat(Calibration.distance(Double.POSITIVE_INFINITY, 5)).isEqualTo(Math.log(Double.MAX_VALUE));
    }

    @Test
    void quantiles_lie_between_two_of_a_sample() {
        assertThat(Quantiles.of(new double[] {7})).isEqualTo(new Quantiles(7, 7, 7));
        assertQuantiles(Quantiles.of(new double[] {0, 10, 20, 50}), 3, 15, 41);
        assertThat(Quantiles.of(new double[] {0, 10, Double.POSITIVE_INFINITY}).p50())
                .isEqualTo(10);
        assertThat(TOO_LOW.covers(89)).isTrue();
        assertThat(TOO_LOW.covers(88.9)).isFalse();
        assertThat(TOO_LOW.covers(111)).isTrue();
        assertThat(TOO_LOW.covers(111.1)).isFalse();
    }

    private static Quantiles drawn(RandomGenerator random) {
        double low = 1000 * random.nextDouble();
        double middle = low + (random.nextBoolean() ? 0 : 1000 * random.nextDouble());
        double high = random.nextInt(10) == 0 ? Double.POSITIVE_INFINITY : middle + 1000 * random.nextDouble();
        return new Quantiles(low, middle, high);
    }
}
