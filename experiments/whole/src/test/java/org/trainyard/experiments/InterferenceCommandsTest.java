package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.RandomStreams;

class InterferenceCommandsTest {
    private static final List<String> LABELS =
            List.of("FSDP,2,2", "FSDP,4,2", "FSDP,8,4", "MoE,2,2", "MoE,4,4", "DLRM,8,8");

    @TempDir
    private static Path shared;

    @TempDir
    private Path dir;

    private static Path model;

    /** A matrix in DeepShare's format, under another name, with a fifth of its cells empty. */
    @BeforeAll
    static void fit() throws IOException {
        RandomGenerator random = RandomStreams.stream(1, "matrix");
        StringBuilder text = new StringBuilder();
        LABELS.forEach(label -> text.append(",\"").append(label).append('"'));
        for (int victim = 0; victim < LABELS.size(); victim++) {
            text.append("\n\"").append(LABELS.get(victim)).append('"');
            for (int neighbour = 0; neighbour < LABELS.size(); neighbour++) {
                double ratio = 1 - 0.1 * (neighbour + 1) * (victim < 3 ? 1 : 0.5) + 0.01 * random.nextDouble();
                text.append(',').append(random.nextInt(5) == 0 ? "" : String.valueOf(ratio));
            }
        }
        Path matrix = Files.writeString(shared.resolve("mine.csv"), text.append('\n'));
        model = shared.resolve("model");
        Shell fitted = Shell.command("fit interference --data %s --compare none --out %s", matrix, model);
        assertThat(fitted.err()).isEmpty();
        assertThat(fitted.code()).isZero();
        assertThat(fitted.out()).contains("random rows", "unseen architectures", "process", "additive");
    }

    private Shell pairs(String text, Path out) throws IOException {
        Path file = Files.writeString(dir.resolve("pairs.csv"), text);
        return Shell.command("predict interference --model %s --pairs %s --out %s", model, file, out);
    }

    @Test
    void one_victim_beside_two_is_slowed_more_than_beside_one() {
        List<String> ask = List.of(
                "predict", "interference", "--model", model.toString(), "--victim", "FSDP,4,2", "--scope", "nic");
        double one = slowdown(ask, "MoE,4,4");
        double two = slowdown(ask, "MoE,4,4,DLRM,8,8");

        assertThat(one).isBetween(1.4, 2.6);
        assertThat(two).isGreaterThan(one + 0.5);
    }

    private static double slowdown(List<String> ask, String neighbours) {
        List<String> words = new ArrayList<>(ask);
        words.addAll(List.of("--with", neighbours));
        Shell shell = Shell.run(words);
        assertThat(shell.code()).isZero();
        return Double.parseDouble(shell.out().split("[ ,]", -1)[1]);
    }

    @Test
    void pairs_come_back_in_their_order_with_their_columns_and_three_more() throws IOException {
        Path out = dir.resolve("out.csv");
        Shell shell = pairs("""
            note,victim,neighbour
            b,"DLRM,8,8","FSDP,2,2"
            a,"FSDP,2,2","DLRM,8,8"
            b,"DLRM,8,8","FSDP,2,2"
            """, out);

        assertThat(shell.code()).isZero();
        List<String> lines = Files.readAllLines(out);
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).isEqualTo("note,victim,neighbour,slowdown,lower,upper");
        assertThat(lines.get(1)).startsWith("b,\"DLRM,8,8\",\"FSDP,2,2\",1.").isEqualTo(lines.get(3));
        String[] cells = lines.get(2).split("\",", -1)[2].split(",", -1);
        assertThat(lines.get(2)).startsWith("a,\"FSDP,2,2\",\"DLRM,8,8\",");
        assertThat(Double.parseDouble(cells[0])).isBetween(1.4, 3.2);
        assertThat(Double.parseDouble(cells[1])).isBetween(1.0, Double.parseDouble(cells[0]));
        assertThat(Double.parseDouble(cells[2])).isGreaterThanOrEqualTo(Double.parseDouble(cells[0]));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "victim,neighbour\\n\"FSDP,2,2\",\"Nobody,2,2\"\\n | pairs.csv:2, neighbour | Nobody,2,2",
                "victim,neighbour\\n\"FSDP,2,2\",\\n | pairs.csv:2 | neighbour",
                "victim,other\\n\"FSDP,2,2\",\"FSDP,2,2\"\\n | pairs.csv | neighbour",
                "victim,neighbour\\n | pairs.csv | no pairs",
                "'' | pairs.csv | no pairs",
            })
    void pairs_that_cannot_be_asked_are_refused_in_one_line(String text, String place, String what) throws IOException {
        Path out = dir.resolve("out.csv");
        Shell shell = pairs(text.replace("\\n", "\n"), out);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().lines()).singleElement().asString().contains(place.strip(), what.strip());
        assertThat(out).doesNotExist();
    }

    @Test
    void a_damaged_model_is_refused_in_one_line() throws IOException {
        Path copy = Files.createDirectory(dir.resolve("damaged"));
        byte[] bytes = Files.readAllBytes(model.resolve("model.json"));
        bytes[bytes.length / 2] ^= 1;
        Files.write(copy.resolve("model.json"), bytes);
        Shell shell = Shell.command("predict interference --model %s --victim FSDP,2,2", copy);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().lines()).singleElement().asString().contains("model.json", "damaged");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ",\"FSDP,2,2\"\\n\"FSDP,2,2\",much\\n | m.csv:2 | much",
                ",\"FSDP,2,2\"\\n\"FSDP,2\",0.5\\n | m.csv:2 | FSDP,2",
                ",\"FSDP,2,2\"\\n\"FSDP,2,2\",0.5,0.6\\n | m.csv | equally many cells",
                ",\"FSDP,2,2\"\\n\"FSDP,2,2\",0.5\\n | --data | at least 20",
                ",\"FSDP,2,2\"\\n\"FSDP,2,2\",\\n | m.csv | no measured",
                "'' | m.csv | expected",
            })
    void data_that_cannot_be_fitted_is_refused_in_one_line(String text, String place, String what) throws IOException {
        Path matrix = Files.writeString(dir.resolve("m.csv"), text.replace("\\n", "\n"));
        Path out = dir.resolve("out");
        Shell shell = Shell.command("fit interference --data %s --out %s", matrix, out);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().lines()).singleElement().asString().contains(place.strip(), what.strip());
        assertThat(out).doesNotExist();
    }

    @Test
    void a_model_is_held_against_the_truth_of_an_experiment() {
        String config = Path.of(System.getProperty("trainyard.root", "."), "experiments/configs/auction/small.yaml")
                .toString();
        Shell shell = Shell.command("inspect %s --truth %s", model, config);

        assertThat(shell.code()).isZero();
        assertThat(shell.out()).contains("against the truth of small.yaml", "ranks correlate by");
    }
}
