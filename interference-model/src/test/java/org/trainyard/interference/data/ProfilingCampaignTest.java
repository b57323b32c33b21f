package org.trainyard.interference.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.interference.ForEverySeed;

class ProfilingCampaignTest {
    private static ProfilingCampaign campaign(double noise) {
        return new ProfilingCampaign(
                ProfilingCampaign.drawProfiles(6, 1), ServerSpec.ofV100(8), AnalyticInterference.DEFAULT, noise);
    }

    @ForEverySeed
    void co_locations_fit_on_the_server_and_have_neighbours(long seed) {
        List<InterferenceSample> samples = campaign(0).measure(200, seed);

        assertThat(samples).hasSize(200).allSatisfy(sample -> {
            int used = sample.neighbours().stream()
                    .mapToInt(InterferenceSample.Neighbour::gpus)
                    .sum();
            assertThat(used).isBetween(1, 8 - sample.victimGpus());
            assertThat(sample.slowdown()).isGreaterThanOrEqualTo(1);
        });
    }

    @Test
    void equal_seeds_give_equal_samples() {
        assertThat(campaign(0.1).measure(50, 7)).isEqualTo(campaign(0.1).measure(50, 7));
        assertThat(campaign(0.1).measure(50, 8)).isNotEqualTo(campaign(0.1).measure(50, 7));
    }

    @Test
    void a_neighbour_beyond_the_victims_sockets_does_not_share_one() {
        assertThat(campaign(0).measure(300, 1)).allSatisfy(sample -> {
            InterferenceSample.Neighbour next = sample.neighbours().get(0);
            // Jobs lie next to each other from GPU 0 on; the second socket begins at GPU 4.
            assertThat(next.sharesSocket()).isEqualTo(sample.victimGpus() != 4);
        });
    }

    @Test
    void impossible_campaigns_and_samples_are_refused() {
        assertThatThrownBy(() -> campaign(-1)).hasMessageContaining("noise (-1.0)");
        assertThatThrownBy(
                        () -> new ProfilingCampaign(List.of(), ServerSpec.ofV100(8), AnalyticInterference.DEFAULT, 0))
                .hasMessageContaining("at least one profile");
        assertThatThrownBy(() -> new InterferenceSample(
                        ProfilingCampaign.drawProfiles(1, 1).get(0), 8, 9, false, List.of(), 1))
                .hasMessageContaining("server of (8)");
    }
}
