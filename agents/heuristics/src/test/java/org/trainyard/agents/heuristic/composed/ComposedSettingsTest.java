package org.trainyard.agents.heuristic.composed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.ForSeeds;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.SchedulerRegistry;

class ComposedSettingsTest {
    @ForSeeds
    void a_name_says_all_knobs(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "settings");
        for (int i = 0; i < 20; i++) {
            ComposedSettings settings = ComposedSchedulerTest.draw(random);

            assertThat(ComposedSettings.parse(settings.name())).isEqualTo(settings);
        }
    }

    @Test
    void a_member_that_ships_has_a_short_name_that_stands_for_all_its_knobs() {
        assertThat(ComposedSettings.shipped()).contains("tuned-contended").hasSizeGreaterThan(5);
        for (String name : ComposedSettings.shipped()) {
            ComposedSettings member = ComposedSettings.parse(name);
            assertThat(member.name()).isEqualTo(name);
            assertThat(ComposedSettings.parse(member.nameWithKnobs())).isEqualTo(member);
            assertThat(SchedulerRegistry.named(member.nameWithKnobs()).name()).isEqualTo(name);
            assertThat(SchedulerRegistry.named("controller:" + name).description())
                    .contains(member.nameWithKnobs());
        }
    }

    @Test
    void knobs_that_stand_as_usual_are_left_out() {
        ComposedSettings settings = ComposedSettings.parse("tuned:spwf+lif+delay=2.0+share=1+queues=3600/36000");

        assertThat(settings.name()).isEqualTo("tuned:spwf+lif+delay=2");
        assertThat(SchedulerRegistry.named("tuned:las+spread+delay=never").name())
                .isEqualTo("tuned:las+spread+delay=never");
        assertThat(settings.queueGpuSeconds()).isEqualTo(List.of(3_600L, 36_000L));
    }

    @Test
    void traits_follow_from_the_knobs() {
        assertThat(SchedulerRegistry.named("tuned:fifo+best-fit").has(SchedulerRegistry.Flag.NEEDS_PREDICTIONS))
                .isFalse();
        assertThat(SchedulerRegistry.named("tuned:fifo+best-fit+delay=never")
                        .has(SchedulerRegistry.Flag.NEEDS_PREDICTIONS))
                .isFalse();
        assertThat(SchedulerRegistry.named("tuned:fifo+best-fit+delay=1").has(SchedulerRegistry.Flag.NEEDS_PREDICTIONS))
                .isTrue();
        assertThat(SchedulerRegistry.named("tuned:las+best-fit").has(SchedulerRegistry.Flag.PREEMPTIVE))
                .isTrue();
        assertThat(SchedulerRegistry.named("tuned:sjf+best-fit").has(SchedulerRegistry.Flag.PREEMPTIVE))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "tuned:, ORDER+PLACEMENT",
        "tuned:spwf, ORDER+PLACEMENT",
        "tuned:spwf+best, 'one of best-fit, first-fit, spread, lif, lifw'",
        "tuned:spf+lif, 'one of fifo, sjf, spwf, las, srtf, gittins, gittins-limit'",
        "tuned:spwf+lif+wait=2, KEY=VALUE",
        "tuned:spwf+lif+delay, KEY=VALUE",
        "tuned:spwf+lif+delay=x, 'a number, or never'",
        "tuned:spwf+lif+delay=NaN, 'a number, or never'",
        "tuned:spwf+lif+delay=-1, predicted run times",
        "tuned:spwf+lif+limit=0.5, at least 1",
        "tuned:spwf+lif+share=0, above 0",
        "tuned:spwf+lif+queues=5/5, ascending",
        "tuned:srtf+lif+migrate=-1, 0 or more",
        "tuned:las+lif+migrate=1, 'srtf, gittins or gittins-limit'",
        "tuned:gittins+lif+width=-1, 0 to 2",
        "tuned:srtf+lif+width=1, 'gittins or gittins-limit'",
        "tuned:srtf+sets+migrate=1+racks=2, '1, or never'",
        "tuned:srtf+sets+racks=1, migrate above 0",
        "tuned:srtf+lif+migrate=1+racks=1, the placement sets"
    })
    void a_name_that_says_nothing_is_refused_in_one_line(String name, String fragment) {
        assertThatThrownBy(() -> SchedulerRegistry.named(name))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(fragment)
                .message()
                .doesNotContain("\n");
    }
}
