package org.trainyard.env.workload.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.workload.Segments;

/** Segments in the options of submissions. */
class SegmentOptionsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "sbatch -N 8 --segment=4 train.sh | 0 | --segment=4",
                "sbatch -N8 --segment 4 --consolidate-segments train.sh | 0 | --segment=4 --consolidate-segments",
                "sbatch --consolidate-segments -N8 train.sh | 0 | none",
                "sbatch --consolidate-segments -N8 train.sh | 16 | --segment=16 --consolidate-segments",
                "sbatch -N8 --wrap=train | 2 | --segment=2",
                "sbatch -N 8 train.sh --segment=4 --consolidate-segments | 0 | none",
                "sbatch --segment=many train.sh | 0 | none",
                "'' | 0 | none",
                "--segment=4 | 0 | --segment=4"
            })
    void options_before_the_script_ask_for_segments(String command, int known, String expected) {
        Segments segments = SegmentOptions.of(command, known);

        assertThat(segments == null ? null : segments.toString()).isEqualTo(expected);
    }
}
