package org.trainyard.experiments.papers.marl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.ClaimVerdict;
import org.trainyard.experiments.papers.claims.Yardstick;

class MarlRowsTest {
    private static final double[] THEIRS = {100, 110, 90, 105, 95};

    /** Mean JCTs of ours and of fifo-backfill as parts of theirs. */
    private static ClaimRow row(double ours, double backfill) {
        return row(ours, backfill, -20);
    }

    private static ClaimRow row(double ours, double backfill, double claimed) {
        return new MarlRows("reproduce")
                .reduction(
                        "below", new double[][] {times(ours)}, new double[][] {THEIRS}, claimed, "", times(backfill));
    }

    private static double[] times(double part) {
        double[] times = THEIRS.clone();
        for (int i = 0; i < times.length; i++) {
            times[i] *= part;
        }
        return times;
    }

    @Test
    void a_claim_that_fifo_with_backfill_meets_untrained_is_not_simply_met() {
        ClaimRow row = row(0.6, 0.7);
        assertThat(row.verdict()).isEqualTo(ClaimVerdict.MET_UNTRAINED);
        assertThat(row.reason()).isEqualTo("fifo-backfill, untrained, meets it too: -30.0 %");
    }

    @Test
    void where_no_figure_is_claimed_the_row_says_that_fifo_with_backfill_is_ahead_as_well() {
        ClaimRow row = row(0.6, 0.7, Yardstick.NO_FIGURE);
        assertThat(row.verdict()).isEqualTo(ClaimVerdict.AHEAD);
        assertThat(row.reason()).isEqualTo("fifo-backfill, untrained, is ahead, too: -30.0 %");
        assertThat(row(0.6, 1.1, Yardstick.NO_FIGURE).reason()).isEmpty();
    }

    @Test
    void lif_that_loses_to_itself_with_another_belief_shows_nothing() {
        ClaimRow row = MarlRows.withoutHandicap(row(0.6, 0.7), THEIRS, times(0.75));
        assertThat(row.verdict()).isEqualTo(ClaimVerdict.NOT_COMPARABLE);
        assertThat(row.ours()).isEqualTo(row(0.6, 0.7).ours());
        assertThat(row.reason())
                .isEqualTo(
                        "LIF with the model that ours has is 33.3 % behind itself with the linear one, and shows nothing");
        assertThat(MarlRows.withoutHandicap(row(0.6, 0.7), THEIRS, times(1.1)).verdict())
                .isEqualTo(ClaimVerdict.MET_UNTRAINED);
    }

    @Test
    void other_claims_have_their_verdict_and_no_remark() {
        assertThat(row(0.6, 0.9).verdict()).isEqualTo(ClaimVerdict.MET);
        assertThat(row(0.9, 0.6).verdict()).isEqualTo(ClaimVerdict.DIRECTION_HOLDS);
        assertThat(row(1.1, 0.6).verdict()).isEqualTo(ClaimVerdict.NOT_MET);
        assertThat(row(0.6, 0.9).reason()).isEmpty();
    }
}
