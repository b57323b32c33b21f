package org.trainyard.interference.fitting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.interference.candidates.PairTrainer;
import org.trainyard.interference.fit.FittedFiles;
import org.trainyard.interference.fit.FittedInterference;
import org.trainyard.interference.fit.ModelKind;
import org.trainyard.interference.measured.MeasurementTable;
import org.trainyard.interference.measured.SourceFile;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairModel;
import org.trainyard.interference.tables.DataPack;

/** The belief that ships is what a fit of today makes of the published measurements. */
class ShippedMeasuredTest {
    @Test
    void refitted_on_the_same_files_it_answers_the_same() {
        MeasurementTable table = DataPack.table(DataPack.DEEPSHARE, DataPack.GAVEL, DataPack.MINSKY);
        FittedInterference shipped = FittedFiles.shipped();

        assertThat(shipped.sources())
                .extracting(SourceFile::sha256)
                .containsExactlyElementsOf(
                        table.sources().stream().map(SourceFile::sha256).toList());
        for (var scope : shipped.scopes()) {
            PairModel refitted = PairTrainer.of(shipped.kind()).train(table.of(scope), shipped.seed());
            List<Pair> pairs = new ArrayList<>();
            table.of(scope).forEach(row -> pairs.add(Pair.of(row)));
            double[] expected = refitted.ratios(pairs);
            double[] ratios =
                    Objects.requireNonNull(shipped.models().get(scope)).ratios(pairs);
            for (int i = 0; i < ratios.length; i++) {
                // Not the last bits: they are those of the processor's matrix product.
                assertThat(ratios[i]).as(pairs.get(i).toString()).isCloseTo(expected[i], within(1e-6));
            }
        }
        assertThat(shipped.known().keySet())
                .containsExactlyElementsOf(table.domains().stream()
                        .filter(domain -> table.of(domain.scope()).size() >= InterferenceFit.LEAST_ROWS)
                        .toList());
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
            Class<?> model = loader.loadClass(FittedFiles.class.getName());

            assertThat(model.getMethod("shipped").invoke(null))
                    .asString()
                    .startsWith("FittedInterference[kind=%s".formatted(ModelKind.PROCESS));
            assertThatThrownBy(() -> loader.loadClass("org.nd4j.linalg.factory.Nd4j"))
                    .isInstanceOf(ClassNotFoundException.class);
        }
    }
}
