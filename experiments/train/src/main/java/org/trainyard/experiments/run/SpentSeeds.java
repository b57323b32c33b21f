package org.trainyard.experiments.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.binding.Yaml;
import org.trainyard.env.binding.YamlReader;
import org.trainyard.experiments.io.InputFiles;

/** Seeds whose test episodes have been used for choices, as {@code experiments/test-seeds.yaml} lists them. */
final class SpentSeeds {
    private static final String FILE = "experiments/test-seeds.yaml";

    private SpentSeeds() {}

    /** A note on a root seed of generated test episodes that is spent; null for any other, and without the list. */
    static @Nullable String note(long testSeed) {
        Path file = Path.of(System.getProperty("trainyard.root", "."), FILE);
        boolean isSpent = Files.isRegularFile(file)
                && entry(YamlReader.read(file.toString(), InputFiles.text(file)), "spent")
                        instanceof Yaml.Sequence spent
                && spent.items().stream()
                        .map(one -> entry(one, "seed"))
                        .filter(Objects::nonNull)
                        .map(Yaml::describe)
                        .toList()
                        .contains(Long.toString(testSeed));
        return isSpent
                ? "episodes.test_seed=%d is spent: choices were made on its test episodes (%s)"
                        .formatted(testSeed, FILE)
                : null;
    }

    private static @Nullable Yaml entry(Yaml yaml, String key) {
        return yaml instanceof Yaml.Mapping mapping ? mapping.entries().get(key) : null;
    }
}
