package org.trainyard.env.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelArchitecturesTest {
    private static LayerProfile profile(String name) {
        return Objects.requireNonNull(ModelArchitectures.find(name));
    }

    @ParameterizedTest
    @CsvSource({
        "bert-large, 340,    0.02",
        "gpt2-xl,    1557.6, 0.01",
        "xlnet-large, 361,   0.03",
        "gnmt,       278,    0.10",
        "vgg19,      143.67, 0.001",
        "resnet50,   25.557, 0.001",
    })
    void parameters_are_as_many_as_published(String model, double millions, double error) {
        assertThat(profile(model).parameterBytes() / 4e6).isCloseTo(millions, within(error * millions));
    }

    @ParameterizedTest
    @CsvSource({"vgg19, 19.6, 0.01", "resnet50, 4.1, 0.02"})
    void convolutions_multiply_as_often_as_published(String model, double billions, double error) {
        LayerProfile profile = profile(model);
        double multiplyAdds = profile.forwardSeconds(0, profile.size()) * 10e12 / 2 / profile.microBatch() / 1e9;
        assertThat(multiplyAdds).isCloseTo(billions, within(error * billions));
    }

    @Test
    void coarse_profiles_keep_the_sums() {
        LayerProfile fine = profile("gpt2-xl");
        LayerProfile coarse = fine.coarsened(16);
        assertThat(coarse.size()).isEqualTo(16);
        assertThat(coarse.computeSeconds()).isCloseTo(fine.computeSeconds(), within(1e-12));
        assertThat(coarse.parameterBytes()).isCloseTo(fine.parameterBytes(), within(1.0));
        assertThat(coarse.cutBytes(8)).isEqualTo(fine.cutBytes(8));
    }
}
