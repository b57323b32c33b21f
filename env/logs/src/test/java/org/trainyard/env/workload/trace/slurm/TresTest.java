package org.trainyard.env.workload.trace.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;

class TresTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "cpu=64,gres/gpu=8,mem=100G,node=2; 8; 64",
                "billing=3,gres/gpu:a100=4,cpu=2K; 4; 2048",
                "gres/gpu:a100=4,gres/gpu:v100=2; 6; -1",
                "gres/gpu=6,gres/gpu:a100=4,gres/gpu:v100=2; 6; -1",
                "CPU=16,GRES/gpu=2,Mem=1.5Gn; 2; 16",
                "''; 0; -1"
            })
    void resources_are_read_as_slurm_lists_them(String text, int gpus, int cpus) {
        Tres tres = Tres.of("sacct.txt:2, ReqTRES", text);

        assertThat(tres.gpus()).isEqualTo(gpus);
        assertThat(tres.count("cpu")).isEqualTo(cpus);
    }

    @Test
    void powers_of_1024_and_fractions_count() {
        assertThat(Tres.of("", "mem=1.5G").counts()).containsEntry("mem", 3L << 29);
        assertThat(Tres.licenses("cpu=1,license/matlab=2,license/ansys=1")).isEqualTo("matlab:2,ansys:1");
    }

    @Test
    void an_amount_that_is_none_is_refused_with_its_place() {
        assertThatThrownBy(() -> Tres.of("qos.txt:3, MaxTRES", "gres/gpu=many"))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "qos.txt:3, MaxTRES: 'gres/gpu=many' is not valid: expected TRES=number, such as gres/gpu=8");
        assertThatThrownBy(() -> Tres.pairs("qos.txt:3, MaxTRES", "cpu"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("qos.txt:3, MaxTRES: 'cpu'");
    }
}
