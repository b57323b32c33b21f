package org.trainyard.interference.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.interference.ForEverySeed;
import org.trainyard.interference.runtime.RunStatistics.RunningMedian;

class RunningMedianTest {
    @ForEverySeed
    void it_is_the_middle_of_the_sorted_numbers_at_every_moment(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "median");
        RunningMedian median = new RunningMedian();
        double[] numbers = new double[60];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = random.nextInt(20) - 10;
            median.add(numbers[i]);
            double[] sorted = Arrays.copyOf(numbers, i + 1);
            Arrays.sort(sorted);
            assertThat(median.median()).isEqualTo((sorted[i / 2] + sorted[(i + 1) / 2]) / 2);
            assertThat(median.sorted()).isEqualTo(sorted);
        }
    }
}
