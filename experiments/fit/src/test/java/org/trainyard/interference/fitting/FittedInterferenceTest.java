package org.trainyard.interference.fitting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nd4j.linalg.factory.Nd4j;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.errors.Score;
import org.trainyard.interference.errors.Split;
import org.trainyard.interference.fit.FittedFiles;
import org.trainyard.interference.fit.FittedInterference;
import org.trainyard.interference.fit.LearnedInterference;
import org.trainyard.interference.fit.ModelKind;
import org.trainyard.interference.fit.PairPrediction;
import org.trainyard.interference.measured.SourceFile;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.validation.HeldOutPrediction;

class FittedInterferenceTest {
    private static final Domain BENCH = new Domain(Scope.NIC, "bench");
    private static final Map<ModelKind, InterferenceFit.Result> FITTED = new EnumMap<>(ModelKind.class);

    private static FittedInterference fitted(ModelKind kind) {
        return result(kind).fitted();
    }

    private static InterferenceFit.Result result(ModelKind kind) {
        return FITTED.computeIfAbsent(
                kind,
                its -> InterferenceFit.fit(
                        SyntheticTable.of(1), new InterferenceFit.Order(its, List.of(), 1, 1), step -> {}));
    }

    @ParameterizedTest
    @EnumSource(ModelKind.class)
    void a_job_alone_is_not_slowed_at_all(ModelKind kind) {
        FittedInterference model = fitted(kind);
        model.types()
                .values()
                .forEach(
                        type -> assertThat(model.answer(type, List.of(), BENCH)).isEqualTo(PairPrediction.ALONE));
    }

    @ParameterizedTest
    @EnumSource(ModelKind.class)
    void one_more_neighbour_never_speeds_a_victim_up_and_their_order_does_not_matter(ModelKind kind) {
        FittedInterference model = fitted(kind);
        List<String> names = new ArrayList<>(new TreeSet<>(model.types().keySet()));
        names.addAll(List.of("vgg16,4,2", "gpt2"));
        RandomGenerator random = RandomStreams.stream(7, "neighbours");
        for (int round = 0; round < 20; round++) {
            JobType victim = model.type("victim", names.get(random.nextInt(names.size())));
            List<JobType> neighbours = new ArrayList<>();
            double before = 1;
            for (int i = 0; i < 4; i++) {
                neighbours.add(model.type("with", names.get(random.nextInt(names.size()))));
                PairPrediction answer = model.answer(victim, neighbours, BENCH);
                assertThat(answer.slowdown()).isGreaterThanOrEqualTo(before);
                assertThat(answer.lower()).isBetween(1.0, answer.slowdown());
                assertThat(answer.upper()).isGreaterThanOrEqualTo(answer.slowdown());
                before = answer.slowdown();
            }
            Collections.reverse(neighbours);
            assertThat(model.answer(victim, neighbours, BENCH).slowdown()).isCloseTo(before, within(1e-9));
        }
    }

    @ParameterizedTest
    @EnumSource(ModelKind.class)
    void the_simulator_s_contract_holds_for_catalogued_models(ModelKind kind) {
        InterferenceModel model = new LearnedInterference(fitted(kind));
        Colocation place = new Colocation();
        List<ModelProfile> profiles = ModelCatalog.standard().profiles();
        RandomGenerator random = RandomStreams.stream(3, "places");
        for (int round = 0; round < 30; round++) {
            ModelProfile victim = profiles.get(random.nextInt(profiles.size()));
            place.reset(8, 1, random.nextBoolean());
            assertThat(model.slowdown(victim, place)).isEqualTo(1);
            double before = 1;
            for (int i = 0; i < 4; i++) {
                ModelProfile neighbour = profiles.get(random.nextInt(profiles.size()));
                place.add(neighbour, 1, random.nextBoolean(), random.nextBoolean(), random.nextBoolean());
                double now = model.slowdown(victim, place);
                assertThat(now).isGreaterThanOrEqualTo(before).isFinite();
                before = now;
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ModelKind.class)
    void it_learns_a_law_far_better_than_the_mean(ModelKind kind) {
        Map<String, List<HeldOutPrediction>> guesses = result(kind).guesses().getOrDefault(Split.PAIRS, Map.of());
        double ours = Score.of(guesses.getOrDefault(kind.label(), List.of()), 0).rmse();
        assertThat(ours)
                .isLessThan(0.5
                        * Score.of(guesses.getOrDefault("mean", List.of()), 0).rmse());
    }

    @ParameterizedTest
    @EnumSource(ModelKind.class)
    void it_answers_the_same_from_its_files(ModelKind kind, @TempDir Path folder) throws IOException {
        FittedInterference model = fitted(kind);
        Path file = Files.write(folder.resolve(FittedFiles.MODEL), FittedFiles.of(model));
        List<Pair> pairs = new ArrayList<>();
        JobType first = model.type("victim", "bert,4,2");
        model.types().values().forEach(type -> pairs.add(new Pair(type, first, BENCH)));
        pairs.add(new Pair(model.type("victim", "vgg16"), first, BENCH));

        assertThat(FittedFiles.read(folder).answers(pairs)).isEqualTo(model.answers(pairs));

        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 0x55;
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
        assertThatThrownBy(() -> FittedFiles.read(folder)).isInstanceOf(InputException.class);
    }

    @ParameterizedTest
    @EnumSource(ModelKind.class)
    void numpy_tables_come_back_as_they_went(ModelKind kind, @TempDir Path folder) throws Exception {
        InterferenceFit.Result result = result(kind);
        Path file = folder.resolve("measurements.npz");
        Files.write(file, NumpyFiles.of(result).getOrDefault("measurements.npz", new byte[0]));

        var arrays = Nd4j.createFromNpzFile(file.toFile());
        assertThat(arrays).containsOnlyKeys("features", "slowdown", "ratio", "weight");
        assertThat(Objects.requireNonNull(arrays.get("slowdown")).toDoubleVector())
                .containsExactly(result.table().rows().stream()
                        .mapToDouble(row -> row.slowdown())
                        .toArray());
    }

    @ParameterizedTest
    @EnumSource(value = ModelKind.class, names = "PRESSURE")
    void a_name_nobody_knows_is_refused(ModelKind kind) {
        assertThatThrownBy(() -> fitted(kind).type("--victim", "frobnicator"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("frobnicator");
    }

    @Test
    void a_file_of_a_kind_that_was_removed_names_the_kinds_that_are_left(@TempDir Path folder) throws IOException {
        String sealed = new String(FittedFiles.of(fitted(ModelKind.PROCESS)), StandardCharsets.UTF_8);
        String head = "\"model\":";
        String json = sealed.substring(sealed.indexOf(head) + head.length(), sealed.length() - "}\n".length())
                .replace("\"kind\":\"PROCESS\"", "\"kind\":\"NETWORK\"");
        String sha256 = SourceFile.sha256(json.getBytes(StandardCharsets.UTF_8));
        Files.writeString(
                folder.resolve(FittedFiles.MODEL), "{\"sha256\":\"%s\",\n\"model\":%s}\n".formatted(sha256, json));

        assertThatThrownBy(() -> FittedFiles.read(folder))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("kind: 'NETWORK'")
                .hasMessageContaining("pressure, process");
    }
}
