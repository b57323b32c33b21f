package org.trainyard.experiments.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.Simulator;

class PreemptionDrawsTest {
    private static final int DRAWS = 4_000;

    private final PreemptionDraws draws =
            new PreemptionDraws(0.8, List.of(0.0, 900.0), 0.3, List.of(5.0, 60.0), 0.5, 0.1, 0.25, 0.2);

    @Test
    void rules_are_drawn_in_their_shares_and_ranges() {
        RandomGenerator random = RandomStreams.stream(1, "draws");
        int own = 0;
        int bySize = 0;
        int forbidden = 0;
        int limited = 0;
        int saved = 0;
        int allowed = 0;
        for (int i = 0; i < DRAWS; i++) {
            Simulator.Options drawn = draws.draw(Simulator.Options.DEFAULT, random);
            PreemptionRules rules = drawn.preemption();
            if (drawn.equals(Simulator.Options.DEFAULT)) {
                own++;
                continue;
            }
            if (drawn.restart() instanceof RestartCost.BySize cost) {
                bySize++;
                assertThat(Math.round(cost.mostSeconds() * 1e9)).isBetween(15_000_000_000L, 900_000_000_000L);
            } else {
                assertThat(Math.round(((RestartCost.Fixed) drawn.restart()).seconds() * 1e9))
                        .isBetween(0L, 900_000_000_000L);
            }
            if (!rules.allowsAny()) {
                forbidden++;
                continue;
            }
            allowed++;
            limited += rules.mostPerJob() <= 4 ? 1 : 0;
            saved += rules.savedEveryNanos() == 0 ? 1 : 0;
            if (rules.savedEveryNanos() > 0 && rules.savedEveryNanos() < PreemptionRules.SAVES_NOTHING) {
                assertThat(rules.savedEveryNanos()).isBetween(300_000_000_000L, 3_600_000_000_000L);
            }
        }
        double drawn = DRAWS - own;
        assertThat(own / (double) DRAWS).isCloseTo(0.2, within(0.03));
        assertThat(bySize / drawn).isCloseTo(0.3, within(0.03));
        assertThat(forbidden / drawn).isCloseTo(0.25, within(0.03));
        assertThat(limited / drawn).isCloseTo(0.2, within(0.03));
        assertThat(saved / (double) allowed).isCloseTo(0.5, within(0.03));
    }

    @Test
    void equal_streams_draw_equal_rules() {
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(draws.draw(Simulator.Options.DEFAULT, RandomStreams.stream(seed, "draws")))
                    .isEqualTo(draws.draw(Simulator.Options.DEFAULT, RandomStreams.stream(seed, "draws")));
        }
    }

    @Test
    void shares_and_ranges_are_checked() {
        assertThatThrownBy(
                        () -> new PreemptionDraws(0.8, List.of(9.0, 1.0), 0.3, List.of(5.0, 60.0), 0.5, 0.1, 0.25, 0.2))
                .isInstanceOf(InvalidFieldException.class);
        assertThatThrownBy(
                        () -> new PreemptionDraws(0.8, List.of(0.0, 1.0), 0.3, List.of(5.0, 60.0), 0.5, 0.6, 0.25, 0.2))
                .isInstanceOf(InvalidFieldException.class);
    }
}
