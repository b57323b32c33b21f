package org.trainyard.experiments.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;

/** Jobs in the words of those who ask, with their units. */
class AskedJobTest {
    private static final long NOW = 7_000_000_000L;

    private static TraceJob asked(String text) {
        return AskedJob.parse("--job", text, NOW);
    }

    @ParameterizedTest
    @CsvSource({
        "30 s, 30",
        "90 sec, 90",
        "5 m, 300",
        "2 min, 120",
        "1.5 h, 5400",
        "3 hours, 10800",
        "2 d, 172800",
        "1 day, 86400",
        "24 H limit, 86400"
    })
    void a_time_is_the_limit(String time, long seconds) {
        TraceJob job = asked("8 gpus," + time);

        assertThat(job.terms().limitNanos()).isEqualTo(seconds * 1_000_000_000L);
        assertThat(job.durationNanos()).isEqualTo(seconds * 1_000_000_000L);
    }

    /** Memory in MiB, of whichever unit; CPUs in thousandths. */
    @ParameterizedTest
    @CsvSource({
        "64 cpus, 64000, 0",
        "1 core, 1000, 0",
        "0.5 CPUs, 500, 0",
        "512 mib, 0, 512",
        "512mb, 0, 512",
        "100 GiB, 0, 102400",
        "1.5 gb memory, 0, 1536",
        "2 tib, 0, 2097152",
        "0.5 tb, 0, 524288"
    })
    void cpus_and_memory_have_their_units(String host, long cpuMilli, long memoryMib) {
        TraceJob job = asked("1 gpu, " + host);

        assertThat(job.demand().cpuMilli()).isEqualTo(cpuMilli);
        assertThat(job.demand().memoryMib()).isEqualTo(memoryMib);
        assertThat(job.gpus()).isEqualTo(1);
    }

    @Test
    void each_name_is_in_its_field() {
        TraceJob job = asked("4 gpus, user ann, account Phys, qos long, partition p1, group bert, type H100,"
                + " virtual cluster vc2, one server");

        assertThat(List.of(job.id(), job.gpus(), job.submitNanos())).isEqualTo(List.of(AskedJob.ID, 4, NOW));
        assertThat(List.of(
                        job.user(),
                        job.terms().account(),
                        job.terms().qos(),
                        job.terms().partition(),
                        job.group(),
                        job.virtualCluster()))
                .isEqualTo(List.of("ann", "Phys", "long", "p1", "bert", "vc2"));
        assertThat(asked("2 gpus, name resnet").group()).isEqualTo("resnet");
        assertThat(job.demand().gpuTypes()).containsExactly("H100");
        assertThat(job.demand().oneServer()).isTrue();
        TraceJob plain = asked("4 gpus");
        assertThat(plain.demand().oneServer()).isFalse();
        assertThat(plain.demand().gpuTypes()).isEmpty();
        assertThat(plain.user()).isNull();
        assertThat(plain.group()).isNull();
        assertThat(plain.virtualCluster()).isNull();
        assertThat(plain.terms().limitNanos()).isZero();
        assertThat(plain.durationNanos()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 gpus|a number of GPUs above 0",
                "user ann|a number of GPUs above 0",
                "2 gpus, 0 h|0 h",
                "2 gpus, fast|fast",
                "2 gpus,|2 gpus,",
                "2 gpus, 5 weeks|5 weeks",
                "2 gpus, 60000 d|60000 d",
                "2 gpus, 99999999999999999999 d limit|99999999999999999999 d limit"
            })
    void other_words_are_refused(String text, String says) {
        assertThatThrownBy(() -> asked(text)).isInstanceOf(InputException.class).hasMessageContaining(says);
    }
}
