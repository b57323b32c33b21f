package org.trainyard.interference.errors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.tables.DataPack;

class CampaignRepeatTest {
    private static final JobType A = new JobType("a", "a", Map.of());
    private static final JobType B = new JobType("b", "b", Map.of());

    private static Measurement row(JobType victim, JobType neighbour, double slowdown, String source) {
        return new Measurement(victim, neighbour, Scope.GPU, "v100", slowdown, source, 1, slowdown == 1);
    }

    private static List<Measurement> campaign(String source, double first, double second) {
        return List.of(row(A, A, first, source), row(A, B, second, source));
    }

    private static List<Measurement> join(List<Measurement> one, List<Measurement> other) {
        List<Measurement> rows = new ArrayList<>(one);
        rows.addAll(other);
        return rows;
    }

    @Test
    void two_campaigns_are_as_far_apart_as_their_ratios() {
        List<CampaignRepeat> repeats = CampaignRepeat.of(join(campaign("x", 2, 1.25), campaign("y", 2.5, 1)));

        assertThat(repeats).singleElement().satisfies(repeat -> {
            assertThat(repeat.first()).isEqualTo("x");
            assertThat(repeat.score().rows()).isEqualTo(2);
            assertThat(repeat.score().rmse()).isCloseTo(Math.sqrt((0.1 * 0.1 + 0.2 * 0.2) / 2), within(1e-12));
        });
    }

    @Test
    void another_rate_alone_over_the_same_rates_beside_is_no_repeat() {
        assertThat(CampaignRepeat.of(join(campaign("x", 2, 1.25), campaign("y", 2.4, 1.5)))
                        .get(0)
                        .measuredAgain())
                .isFalse();
        assertThat(CampaignRepeat.of(join(campaign("x", 2, 1.25), campaign("y", 2.4, 1.6)))
                        .get(0)
                        .measuredAgain())
                .isTrue();
    }

    @Test
    void campaigns_without_a_pair_in_common_say_nothing_of_each_other() {
        assertThat(CampaignRepeat.of(List.of(row(A, A, 2, "x"), row(A, B, 2, "y"))))
                .isEmpty();
    }

    @Test
    void of_gavel_s_campaigns_only_the_old_one_measured_its_pairs_again() {
        List<CampaignRepeat> repeats =
                CampaignRepeat.of(DataPack.table(DataPack.GAVEL, DataPack.GAVEL_PHYSICAL, DataPack.GAVEL_OLD)
                        .rows());

        assertThat(repeats)
                .hasSize(9)
                .allSatisfy(repeat -> assertThat(repeat.measuredAgain())
                        .isEqualTo((repeat.first() + repeat.second()).contains("OLD")));
        assertThat(repeats)
                .filteredOn(repeat -> repeat.domain().hardware().equals("v100")
                        && repeat.first().contains("OLD")
                        && repeat.second().contains("simulation"))
                .singleElement()
                .satisfies(repeat -> assertThat(repeat.score().rmse()).isBetween(0.20, 0.27));
    }
}
