package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NaiveRunTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void a_run_and_its_forks_are_those_of_a_walk_from_second_to_second(long seed) {
        NaiveRun run = new NaiveRun(seed);

        run.play();

        assertThat(run.isRich()).isTrue();
    }
}
