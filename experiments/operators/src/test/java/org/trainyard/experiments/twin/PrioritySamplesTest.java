package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Priorities by age alone, 1000 for ten minutes, of a log written by hand; job 7 is submitted in the first second. */
class PrioritySamplesTest {
    private static final String AGES = """
            PriorityType=priority/multifactor
            PriorityMaxAge=00:10:00
            PriorityWeightAge=1000
            """ + SmallRecording.CONF;

    @TempDir
    private Path folder;

    private PrioritySamples samples(String conf, String... log) throws IOException {
        TwinFolder files = new SmallRecording(folder)
                .conf(conf)
                .job("7", 1, 10)
                .job("8", 1, 10)
                .folder(log);
        return PrioritySamples.of(files, Objects.requireNonNull(files.log()));
    }

    private static String priority(long millis, int value) {
        return "%d priority/multifactor: _get_priority_internal: Job 7 priority: 1.0 + 0 = %d.00"
                .formatted(millis, value);
    }

    /** After 60 s its age is a tenth of the most. */
    @Test
    void a_priority_of_the_log_is_calculated_anew_and_told_where_it_differs() throws IOException {
        PrioritySamples samples = samples(
                AGES,
                "100 submit 7 1",
                "900 main",
                priority(60_100, 100),
                priority(90_100, 149),
                priority(90_200, 150));

        assertThat(samples.equal.share()).as("with that of the submission").isEqualTo(0.75);
        assertThat(samples.divergences).containsExactly("08:01:30.100: priority of job 7, past 149, twin 150");
    }

    /** Lines within a second after a calculation are of it. */
    @ParameterizedTest
    @CsvSource({"60999, 100", "61899, 100", "61900, 101", "62000, 103"})
    void a_priority_is_of_the_calculation_before_its_line(long millis, int value) throws IOException {
        PrioritySamples samples = samples(
                AGES,
                "100 submit 7 1",
                "200 main",
                "60900 priority/multifactor: _ft_debug:     root (root):  inf",
                priority(millis, value));

        assertThat(samples.divergences).isEmpty();
        assertThat(samples.equal.share()).isEqualTo(1);
    }

    @Test
    void priorities_of_jobs_that_run_or_are_unknown_are_not_compared() throws IOException {
        PrioritySamples samples =
                samples(AGES, "50 submit 99 7", "100 submit 7 1", "900 main", "901 start 7 n1", priority(60_100, 7));

        assertThat(samples.divergences).isEmpty();
        assertThat(samples.equal.share()).isEqualTo(1);
    }

    @Test
    void the_first_twenty_differences_are_kept() throws IOException {
        List<String> log = new ArrayList<>(List.of("100 submit 7 1", "900 main"));
        for (int second = 1; second <= 30; second++) {
            log.add(priority(60_000 + 1000L * second, 1));
        }

        PrioritySamples samples = samples(AGES, log.toArray(String[]::new));

        assertThat(samples.divergences).hasSize(20);
        assertThat(samples.equal.share()).isEqualTo(1 / 31.0);
    }

    /**
     * Fair share alone, of users u and v in accounts with one share each: u has used GPUs and is the second of two.
     * Where the log says no calculation, there is one each period of five minutes from the second of the first line on.
     */
    @ParameterizedTest
    @CsvSource({"299999, 1000", "300000, 500"})
    void usage_counts_once_a_period_where_the_log_does_not_say_when(long millis, long value) throws IOException {
        TwinFolder files = new SmallRecording(folder)
                .conf("""
                        PriorityType=priority/multifactor
                        PriorityCalcPeriod=00:05:00
                        PriorityWeightFairshare=1000
                        """ + SmallRecording.CONF)
                .file(
                        "assoc.txt",
                        "Account|User|ParentName|Share",
                        "root|||1",
                        "a||root|1",
                        "b||root|1",
                        "a|u||1",
                        "b|v||1")
                .job("7", 1, 10)
                .job("8", 1, 10)
                .folder(
                        "100 submit 7 1000",
                        "901 start 7 n1",
                        "290000 end 7",
                        "%d submit 8 %d".formatted(millis, value));

        PrioritySamples samples = PrioritySamples.of(files, Objects.requireNonNull(files.log()));

        assertThat(samples.divergences).isEmpty();
        assertThat(samples.equal.share()).isEqualTo(1);
    }
}
