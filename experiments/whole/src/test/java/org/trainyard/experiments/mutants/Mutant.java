package org.trainyard.experiments.mutants;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A small fault of one class, with tests of which one must fail. A file of {@code experiments/mutants} lists those of
 * an area.
 *
 * @param name unique, its area first
 * @param what the fault is
 * @param type simple name of the class whose file has it, wherever that file is
 * @param old text that stands once in the file, whatever its line breaks and indents
 * @param now text in its place
 * @param tests simple names of test classes, or {@code CLASS#METHOD}, the most likely first
 */
record Mutant(String name, String what, String type, String old, String now, List<String> tests) {
    Mutant {
        tests = List.copyOf(tests);
        if (tests.isEmpty()) {
            throw new IllegalArgumentException("mutant %s has no test".formatted(name));
        }
    }

    /** All mutants of a folder, file by file. */
    static List<Mutant> in(Path folder) {
        List<Mutant> mutants = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(one -> one.toString().endsWith(".yaml"))
                    .sorted()
                    .toList()) {
                for (JsonNode one : new YAMLMapper().readTree(file.toFile())) {
                    mutants.add(of(file, one));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return mutants;
    }

    private static Mutant of(Path file, JsonNode node) {
        List<String> tests = new ArrayList<>();
        node.path("tests").forEach(test -> tests.add(test.asText()));
        return new Mutant(
                file.getFileName().toString().replace(".yaml", "") + "/" + text(node, "name"),
                text(node, "what"),
                text(node, "class"),
                text(node, "old"),
                text(node, "new"),
                tests);
    }

    private static String text(JsonNode node, String key) {
        if (!node.path(key).isTextual()) {
            throw new IllegalArgumentException("%s: %s is missing".formatted(node, key));
        }
        return node.get(key).asText();
    }

    /** The source with the fault; null when the old text does not stand in it exactly once. */
    @Nullable String apply(String source) {
        String pattern =
                Stream.of(old.strip().split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s+"));
        Matcher matcher = Pattern.compile(pattern).matcher(source);
        if (!matcher.find()) {
            return null;
        }
        String mutated = source.substring(0, matcher.start()) + now.strip() + source.substring(matcher.end());
        return matcher.find() ? null : mutated;
    }

    @Override
    public String toString() {
        return name + ": " + what;
    }
}
