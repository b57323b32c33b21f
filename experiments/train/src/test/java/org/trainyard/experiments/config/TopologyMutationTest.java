package org.trainyard.experiments.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.experiments.config.topology.TopologyReader;

/**
 * Topology files broken at random are read or refused, never anything else: {@code -Dtrainyard.mutants=N} tries N of
 * each.
 */
class TopologyMutationTest {
    private static final int MUTATIONS = Integer.getInteger("trainyard.mutants", 100);
    private static final String[] PIECES = {
        "",
        "-1",
        "0",
        "1e9",
        "1e999999999",
        "99999999999",
        "NaN",
        ".inf",
        "null",
        "~",
        "{}",
        "[]",
        "[[",
        "{a: b}",
        "true",
        "\"",
        "'",
        ":",
        "- ",
        "#",
        "&a",
        "*a",
        "!!int 3",
        "---\n",
        "\t",
        "\n",
        "\0",
        "\u00ff",
        "100000",
        "64",
        "A100",
        "G6",
        "node-1",
        ",",
        ",,\n"
    };

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "small.yaml",
                "mixed-interiors.yaml",
                "inference-edge.yaml",
                "two-generations.yaml",
                "leaf-spine.yaml",
                "oversubscribed.yaml",
                "fat-tree.yaml",
                "graph.yaml"
            })
    void a_mutated_topology_is_read_or_refused_in_one_line(String name) throws IOException {
        mutate(name, Files.readAllBytes(TestTopologies.CLUSTERS.resolve(name)));
    }

    @Test
    void a_mutated_table_of_machines_is_read_or_refused_in_one_line() throws IOException {
        mutate("lingjun.csv", TestTopologies.LINGJUN.getBytes(ISO_8859_1));
        mutate("openb.csv", TestTopologies.OPENB.getBytes(ISO_8859_1));
        mutate("lingjun.csv.gz", zipped(TestTopologies.LINGJUN));
    }

    @Test
    void a_mutated_yaml_around_a_table_is_read_or_refused_in_one_line() throws IOException {
        Files.writeString(directory.resolve("hosts.csv"), TestTopologies.LINGJUN);
        Files.writeString(directory.resolve("nodes.csv"), TestTopologies.OPENB);
        String edge = Files.readString(TestTopologies.CLUSTERS.resolve("inference-edge.yaml"));
        String fabric = edge.substring(edge.indexOf("fabric:"), edge.indexOf("racks:"));
        String server = edge.substring(edge.indexOf("server: {"), edge.indexOf("racks_per_pod"));
        mutate(
                "lingjun.yaml",
                ("type: Lingjun\nname: a\nfile: hosts.csv\noversubscription: 2\n" + fabric + server)
                        .getBytes(ISO_8859_1));
        mutate(
                "nodes.yaml",
                ("type: NodeList\nname: b\nfile: nodes.csv\nsharing: mig\nservers_per_rack: 2\noversubscription: 2\n"
                                + fabric)
                        .getBytes(ISO_8859_1));
    }

    private static byte[] zipped(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(ISO_8859_1));
        }
        return bytes.toByteArray();
    }

    private void mutate(String name, byte[] good) throws IOException {
        Path file = directory.resolve(name);
        Files.write(file, good);
        assertThat(isRefused(file, -1, "unchanged")).as(name).isFalse();
        int refused = 0;
        for (int seed = 0; seed < MUTATIONS; seed++) {
            RandomGenerator random = RandomStreams.stream(seed, "mutations");
            String text = new String(good, ISO_8859_1);
            for (int i = random.nextInt(3); i >= 0; i--) {
                text = mutate(text, random);
            }
            Files.write(file, text.getBytes(ISO_8859_1));
            refused += isRefused(file, seed, text) ? 1 : 0;
        }
        assertThat(refused).as(name).isGreaterThanOrEqualTo(MUTATIONS / 4);
    }

    private static boolean isRefused(Path file, int seed, String text) {
        String about = "seed %d:%n%s".formatted(seed, text);
        return assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> {
                    try {
                        assertThat(TopologyReader.read(file).gpus()).as(about).isPositive();
                        return false;
                    } catch (InputException e) {
                        assertThat(e.getMessage()).as(about).isNotBlank().doesNotContain("\n");
                        return true;
                    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
                        throw new AssertionError(about, e);
                    }
                },
                about);
    }

    private static String mutate(String text, RandomGenerator random) {
        if (text.isEmpty()) {
            return PIECES[random.nextInt(PIECES.length)];
        }
        int at = random.nextInt(text.length());
        int end = Math.min(text.length(), at + 1 + random.nextInt(12));
        return switch (random.nextInt(6)) {
            case 0 -> text.substring(0, at) + (char) random.nextInt(256) + text.substring(at + 1);
            case 1 -> text.substring(0, at) + text.substring(end);
            case 2 -> text.substring(0, at) + PIECES[random.nextInt(PIECES.length)] + text.substring(at);
            case 3 -> text.substring(0, end) + text.substring(at);
            case 4 -> text.substring(0, at);
            default -> replaceValue(text, at, PIECES[random.nextInt(PIECES.length)]);
        };
    }

    /** Puts the piece in place of whatever follows the next colon. */
    private static String replaceValue(String text, int from, String piece) {
        int colon = text.indexOf(": ", from);
        if (colon < 0) {
            return text + piece;
        }
        int end = colon + 2;
        while (end < text.length() && ",}\n".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return text.substring(0, colon + 2) + piece + text.substring(end);
    }
}
