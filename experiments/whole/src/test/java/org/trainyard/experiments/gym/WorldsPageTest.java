package org.trainyard.experiments.gym;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.env.Counted;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.run.Experiment;

/** The page of the worlds that Python can make by their ids, made from the configs and the environments themselves. */
class WorldsPageTest {
    private static final Path EXPERIMENTS = Path.of(System.getProperty("trainyard.root", ".."), "experiments");
    private static final Path CONFIGS = EXPERIMENTS.resolve("configs");
    private static final Path DOCS = EXPERIMENTS.resolve("docs");
    private static final Path PAGE = DOCS.resolve("reference/worlds.md");
    private static final String PLACE = "<!-- made by WorldsPageTest -->\n";
    private static final Pattern TRACE = Pattern.compile("(?m)^  trace: (\\S+\\.gz)");

    @Test
    void the_page_has_every_world_as_its_config_makes_it_and_its_picture() throws IOException {
        String present = Files.readString(PAGE);
        StringBuilder made = new StringBuilder(present.substring(0, present.indexOf(PLACE) + PLACE.length()));
        List<Path> worlds = worlds();
        for (Path config : worlds) {
            made.append(section(config));
        }
        if (Boolean.getBoolean("trainyard.freeze")) {
            Files.writeString(PAGE, made);
        }

        assertThat(Files.readString(PAGE)).isEqualTo(made.toString());
        assertThat(worlds)
                .allSatisfy(config -> assertThat(DOCS.resolve(picture(config)))
                        .as("run experiments/src/site/worlds.py")
                        .isNotEmptyFile());
    }

    /** The configs of bids, in the order of their names, as {@code trainyard.ids()} has them. */
    private static List<Path> worlds() throws IOException {
        try (Stream<Path> files = Files.list(CONFIGS.resolve("auction"))) {
            return files.sorted()
                    .filter(file -> file.toString().endsWith(".yaml"))
                    .toList();
        }
    }

    private static String section(Path file) throws IOException {
        // Spaces depend on the cluster and the learner alone; the traces of some worlds are not the project's.
        Matcher trace = TRACE.matcher(Files.readString(file));
        @Nullable String log = trace.find() ? trace.group(1) : null;
        ExperimentConfig config = ConfigReader.read(file, log == null ? List.of() : List.of("workload.trace=null"));
        try (Experiment experiment = new Experiment(config)) {
            String title = title(file);
            Topology topology = experiment.topology();
            int bids = new AuctionEnvironment(experiment, GymHandshake.read("{\"protocol\": 1}", 1)).mostBids();
            String reward = config.environment().reward().getClass().getSimpleName();
            return Counted.say(
                    """

                    ## %s

                    %s

                    ![%s](../%s)

                    `%s` on `%s`: %d GPUs, %d servers, %d racks; %d agents; %d bids, %d nodes.
                    Episodes of %s jobs; `%s`; %s.
                    """,
                    title,
                    about(file),
                    title,
                    picture(file),
                    name(file),
                    config.cluster(),
                    topology.gpus(),
                    topology.servers(),
                    topology.racks(),
                    experiment.domains().count(),
                    bids,
                    topology.servers() + topology.racks() + 1,
                    jobs(config, log),
                    reward,
                    config.environment().preemption() ? config.physics().preemptionInWords() : "no decision preempts");
        }
    }

    private static String jobs(ExperimentConfig config, @Nullable String log) {
        return "%d %s"
                .formatted(
                        config.episodes().jobs(),
                        log != null
                                ? "logged (`%s`, not part of the project)"
                                        .formatted(Path.of(log).getFileName())
                                : "generated (offered load %s)"
                                        .formatted(config.workload().generator().offeredLoad()));
    }

    /**
     * What the head of a config says of its world; sentences that name pages and commands speak to its readers alone.
     */
    private static String about(Path file) throws IOException {
        String head = Files.readAllLines(file).stream()
                .takeWhile(line -> line.startsWith("#"))
                .map(line -> line.substring(1).strip())
                .collect(Collectors.joining(" "));
        return Arrays.stream(head.split("(?<=[.:]) "))
                .filter(sentence -> !sentence.matches(".*(docs/|\\.\\./|trainyard |--set|base\\.yaml).*"))
                .collect(Collectors.joining(" "))
                .replaceFirst(":$", ".");
    }

    private static String name(Path file) {
        return CONFIGS.relativize(file).toString().replace('\\', '/').replace(".yaml", "");
    }

    private static String title(Path file) {
        return Arrays.stream(stem(file).split("-"))
                .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                .collect(Collectors.joining());
    }

    private static String picture(Path file) {
        return "images/worlds/" + stem(file) + ".png";
    }

    private static String stem(Path file) {
        return file.getFileName().toString().replace(".yaml", "");
    }
}
