package org.trainyard.interference.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.interference.ForEverySeed;
import org.trainyard.interference.data.InterferenceSample;
import org.trainyard.interference.validation.FitErrors;

class ShippedPressureTest {
    /** Leaves the fit in {@code target/}; when the recipe has changed, that file is the one to ship. */
    @Test
    void it_is_what_our_own_code_fits() throws IOException {
        PressureFit.Fitted again = ShippedPressure.fit();
        Files.writeString(Path.of("target", "pressure-model.json"), PressureFile.json(again));
        PressureFit.Fitted shipped = PressureFile.shipped();

        assertThat(again.model().socket()).isCloseTo(shipped.model().socket(), within(1e-9));
        assertThat(again.model().pcie()).isCloseTo(shipped.model().pcie(), within(1e-9));
        assertThat(again.model().nic()).isCloseTo(shipped.model().nic(), within(1e-9));
        assertThat(again.errors().mape()).isCloseTo(shipped.errors().mape(), within(1e-9));
        assertThat(again.samples()).isEqualTo(shipped.samples());
        assertThat(again.seed()).isEqualTo(shipped.seed());
    }

    /** The analytic physics adds where the model multiplies, so some error must stay; it is stated here. */
    @ForEverySeed
    void on_models_it_has_never_seen_it_errs_by_less_than_two_percent_and_far_less_than_their_mean(long seed) {
        List<InterferenceSample> fresh = ShippedPressure.campaign(seed, 0).measure(2000, seed);
        double mean = fresh.stream()
                .mapToDouble(InterferenceSample::slowdown)
                .average()
                .orElseThrow();

        FitErrors errors = FitErrors.of(PressureFile.shipped().model(), fresh, mean);

        assertThat(errors.mape()).isLessThan(0.02);
        assertThat(errors.rmse()).isLessThan(0.09).isLessThan(0.4 * errors.meanRmse());
        assertThat(errors.rankCorrelation()).isGreaterThan(0.99);
    }

    @Test
    void it_is_loaded_without_nd4j() throws Exception {
        List<URL> withoutNd4j = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!entry.contains("nd4j")) {
                withoutNd4j.add(Path.of(entry).toUri().toURL());
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(withoutNd4j.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> model = loader.loadClass(PressureFile.class.getName());

            assertThat(model.getMethod("shipped").invoke(null))
                    .hasToString(PressureFile.shipped().toString());
            assertThatThrownBy(() -> loader.loadClass("org.nd4j.linalg.factory.Nd4j"))
                    .isInstanceOf(ClassNotFoundException.class);
        }
    }
}
