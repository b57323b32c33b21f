package org.trainyard.env.workload.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.TestFiles;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;

class ModelCatalogTest {
    private final ModelCatalog catalog = ModelCatalog.standard();

    private static TraceJob job(String id, @Nullable String user, @Nullable String group) {
        return new TraceJob(id, 0, 1, 1, null, user, group, null);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a2c",
                "bert",
                "dqn",
                "gpt2",
                "resnet18",
                "resnet50",
                "vgg11",
                "vgg16",
                "vgg19",
                "shufflenet_v2_x1_0",
                "resnet101",
                "resnet152",
                "inception3",
                "inception4",
                "alexnet",
                "googlenet",
                "deepspeech2",
                "ResNet-50",
                "Inception_v3"
            })
    void names_as_traces_use_them_are_known(String name) {
        assertThat(catalog.find(name)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "muri/trace1.csv.gz",
                "muri/trace2.csv.gz",
                "muri/trace3.csv.gz",
                "muri/trace4.csv.gz",
                "tiresias/60_job.csv"
            })
    void every_model_of_the_real_traces_is_known(String file) {
        Trace trace = TraceReader.read(TestFiles.real(file), TraceReader.Options.DEFAULT);
        assertThat(trace.jobs()).allMatch(job -> catalog.find(Objects.requireNonNull(job.model())) != null);
    }

    @Test
    void unknown_and_empty_names_are_unknown() {
        assertThat(Stream.of("", " ", "resnet", "51").map(catalog::find)).containsOnlyNulls();
    }

    @Test
    void the_draw_follows_the_stated_mix() {
        RandomGenerator random = RandomStreams.stream(1, "test");
        Map<ModelProfile, Long> drawn = IntStream.range(0, 50_000)
                .mapToObj(i -> catalog.draw(random))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        assertThat(catalog.profiles().stream().mapToDouble(catalog::share).sum())
                .isCloseTo(1, within(1e-12));
        for (ModelProfile profile : catalog.profiles()) {
            double share = drawn.getOrDefault(profile, 0L) / 50_000.0;
            assertThat(share).as(profile.name()).isCloseTo(catalog.share(profile), within(0.008));
        }
    }

    @Test
    void the_neutral_model_is_the_mean_of_the_mix_and_not_in_the_table() {
        ModelProfile neutral = catalog.neutral();
        double seconds = 0;
        double nic = 0;
        for (ModelProfile profile : catalog.profiles()) {
            seconds += catalog.share(profile) * Math.log(profile.computeSeconds());
            nic += catalog.share(profile) * profile.sensitivity().nic();
        }

        assertThat(neutral.computeSeconds()).isCloseTo(Math.exp(seconds), within(1e-12));
        assertThat(neutral.sensitivity().nic()).isCloseTo(nic, within(1e-12));
        assertThat(catalog.profiles()).doesNotContain(neutral);
        assertThat(catalog.find("Neutral")).isSameAs(neutral);
    }

    @Test
    void the_model_of_a_job_without_one_hangs_on_its_group_else_its_user_else_its_id() {
        for (int seed = 0; seed < 20; seed++) {
            assertThat(catalog.drawFor(job("a", "ann", "g"), seed))
                    .isEqualTo(catalog.drawFor(job("b", "bob", "g"), seed));
            assertThat(catalog.drawFor(job("a", "ann", null), seed))
                    .isEqualTo(catalog.drawFor(job("b", "ann", null), seed));
        }
        List<ModelProfile> bySeed = IntStream.range(0, 50)
                .mapToObj(seed -> catalog.drawFor(job("a", null, "g"), seed))
                .toList();
        List<ModelProfile> byId = IntStream.range(0, 50)
                .mapToObj(id -> catalog.drawFor(job("j" + id, null, null), 1))
                .toList();
        assertThat(bySeed.stream().distinct().count()).isGreaterThan(4);
        assertThat(byId.stream().distinct().count()).isGreaterThan(4);
    }
}
