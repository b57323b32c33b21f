package org.trainyard.env.workload.dally;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.Workload;

class DallyJobsTest {
    private static Map<Integer, Integer> byGpus(Workload workload, String model) {
        Map<Integer, Integer> jobs = new TreeMap<>();
        IntStream.range(0, workload.size())
                .mapToObj(workload::job)
                .filter(job -> model.isEmpty() || job.model().name().equals(model))
                .forEach(job -> jobs.merge(job.gpus(), 1, Integer::sum));
        return jobs;
    }

    private static double serialHours(DallyJobs.Drawn drawn) {
        return IntStream.range(0, drawn.workload().size())
                .mapToDouble(job -> drawn.idealSeconds().get(job)
                        * drawn.workload().job(job).gpus()
                        / 3600)
                .sum();
    }

    @Test
    void the_batch_has_the_published_demands_and_hours() {
        DallyJobs.Drawn batch = DallyJobs.batch(1);

        assertThat(batch.workload().size()).isEqualTo(500);
        assertThat(byGpus(batch.workload(), "MobileNetV3"))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(1, 17, 2, 2, 4, 15, 8, 52, 16, 26, 32, 10, 40, 1, 48, 1, 56, 1));
        assertThat(byGpus(batch.workload(), "ResNet-18")).containsExactlyInAnyOrderEntriesOf(Map.of(1, 35, 4, 3));
        assertThat(serialHours(batch)).isCloseTo(13_054, within(1e-3));
    }

    @Test
    void the_week_has_the_published_demands_hours_and_about_its_length() {
        DallyJobs.Drawn week = DallyJobs.week(1);

        assertThat(byGpus(week.workload(), ""))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(2, 41, 3, 1, 4, 96, 8, 190, 16, 56, 32, 23, 40, 2, 48, 1, 56, 1));
        assertThat(serialHours(week)).isCloseTo(13_413, within(1e-3));
        // 410 exponential gaps: four standard deviations are 20 %.
        assertThat(week.workload().job(410).submitNanos() / 1e9).isCloseTo(410 * 1_472.0, within(0.2 * 410 * 1_472));
    }

    @Test
    void equal_seeds_give_equal_jobs_and_others_others() {
        assertThat(DallyJobs.batch(3).idealSeconds())
                .isEqualTo(DallyJobs.batch(3).idealSeconds());
        assertThat(DallyJobs.batch(4).idealSeconds())
                .isNotEqualTo(DallyJobs.batch(3).idealSeconds());
    }
}
