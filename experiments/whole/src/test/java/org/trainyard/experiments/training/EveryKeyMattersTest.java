package org.trainyard.experiments.training;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.RecordKeys;
import org.trainyard.env.binding.Variants;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.evaluation.SchedulerFactory;
import org.trainyard.experiments.run.Experiment;

/**
 * Every key of an experiment changes an outcome of a small world in {@code keys.txt}: its jobs, the schedules of a
 * heuristic and of untrained agents, or the rewards of the heuristic's schedule.
 */
class EveryKeyMattersTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root"));
    private static final Path BASE = ROOT.resolve("experiments/configs/base.yaml");
    private static final Path KEYS = ROOT.resolve("experiments/whole/src/test/resources/keys.txt");
    private static final String ELSEWHERE = "elsewhere";
    /** Keys whose effect is seen without a schedule. */
    private static final Pattern OF_JOBS =
            Pattern.compile("seed|(workload|episodes)(?!.freezing|.speeds|.share_gpus|.as_).*");

    /** One line of the file. */
    record Fixture(String key, String beside, String change) {
        @Override
        public String toString() {
            return key;
        }
    }

    @TempDir
    private static Path dir;

    private static final Map<String, String> VALUES = new LinkedHashMap<>();
    private static final Map<String, Outcome> KNOWN = new LinkedHashMap<>();

    /** The parts of an outcome, the cheapest first; an outcome that is refused has its message alone. */
    private static final List<Function<Experiment, Object>> PARTS = List.of(
            EveryKeyMattersTest::jobs,
            EveryKeyMattersTest::schedules,
            EveryKeyMattersTest::rewards,
            EveryKeyMattersTest::agents);

    static List<Fixture> fixtures() throws IOException {
        return Files.readAllLines(KEYS).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split(" \\|", -1))
                .map(parts -> new Fixture(parts[0].strip(), parts[1].strip(), parts[2].strip()))
                .toList();
    }

    private static Stream<Fixture> here(boolean isOfJobs) throws IOException {
        return fixtures().stream()
                .filter(fixture -> !fixture.beside.equals(ELSEWHERE))
                .filter(fixture -> isOfJobs == OF_JOBS.matcher(fixture.key).matches());
    }

    static Stream<Fixture> ofJobs() throws IOException {
        return here(true);
    }

    static Stream<Fixture> others() throws IOException {
        return here(false);
    }

    @Test
    void every_key_of_an_experiment_has_a_world_in_which_it_matters_or_a_test_elsewhere() throws IOException {
        List<Fixture> fixtures = fixtures();
        Set<String> expected = new TreeSet<>();
        addKeys(ExperimentConfig.class, "", expected);

        assertThat(fixtures.stream().map(Fixture::key)).containsExactlyInAnyOrderElementsOf(expected);
        try (Stream<Path> files = Files.walk(ROOT)) {
            Set<String> tests = files.filter(file -> file.toString().contains("/src/test/java/"))
                    .map(file -> file.getFileName().toString())
                    .collect(Collectors.toSet());
            assertThat(fixtures)
                    .filteredOn(fixture -> fixture.beside.equals(ELSEWHERE))
                    .allMatch(fixture -> tests.contains(fixture.change + ".java"));
        }
    }

    private static void addKeys(Class<?> type, String path, Set<String> keys) {
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                addKeys(component.getType(), path, keys);
                continue;
            }
            String key = path + RecordKeys.snake(component.getName());
            keys.add(key);
            boolean isList = component.getGenericType() instanceof ParameterizedType list
                    && list.getActualTypeArguments()[0] instanceof Class;
            Class<?> inner = isList
                    ? (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0]
                    : component.getType();
            if (inner.isRecord()) {
                addKeys(inner, key + (isList ? "[]." : "."), keys);
            } else if (Variants.has(inner)) {
                Variants.of(inner).forEach(one -> addKeys(one, key + "{" + one.getSimpleName() + "}.", keys));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ofJobs")
    void another_value_changes_the_jobs(Fixture fixture) throws IOException {
        assertMatters(fixture);
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("others")
    void another_value_changes_what_comes_of_the_jobs(Fixture fixture) throws IOException {
        assertMatters(fixture);
    }

    private static void assertMatters(Fixture fixture) throws IOException {
        boolean isRefused = fixture.change.startsWith("! ");
        String value = filled(isRefused ? fixture.change.substring(2) : fixture.change);
        String changed = value.contains("=") ? value : fixture.key.replaceAll("\\{.*?}", "") + "=" + value;
        List<String> before = new ArrayList<>();
        for (String one : filled(fixture.beside).split(" ; ", -1)) {
            if (!one.isBlank()) {
                before.add(one.strip());
            }
        }
        List<String> after = new ArrayList<>(before);
        after.add(changed);

        Outcome now = KNOWN.computeIfAbsent(before.toString(), any -> new Outcome(before));
        Outcome then = new Outcome(after);
        assertThat(now.part(0)).as("%s", before).doesNotStartWith("refused");
        int part = 0;
        while (part < PARTS.size() && now.part(part).equals(then.part(part))) {
            part++;
        }
        then.close();

        assertThat(part).as("%s changes no outcome beside %s", changed, before).isLessThan(PARTS.size());
        assertThat(then.part(part).startsWith("refused")).as(then.part(part)).isEqualTo(isRefused);
    }

    /** The parts of what comes of a config, each computed when it is asked for. */
    private static final class Outcome {
        private final List<String> parts = new ArrayList<>();
        private @Nullable Experiment experiment;

        Outcome(List<String> overrides) {
            List<String> all = new ArrayList<>(List.of(
                    "episodes.jobs=14",
                    "episodes.validation=1",
                    "episodes.test=1",
                    "schedulers=[patient-moves]",
                    "learner.start.hidden=4"));
            all.addAll(overrides);
            try {
                experiment = new Experiment(ConfigReader.read(BASE, all));
            } catch (InputException e) {
                parts.add("refused: " + e.getMessage());
            }
        }

        /** A part, or the message of what was refused. */
        String part(int part) {
            while (experiment != null && parts.size() <= part) {
                try {
                    parts.add(String.valueOf(PARTS.get(parts.size()).apply(experiment)));
                } catch (InputException e) {
                    close();
                    parts.add("refused: " + e.getMessage());
                }
            }
            return parts.get(Math.min(part, parts.size() - 1));
        }

        void close() {
            if (experiment != null) {
                experiment.close();
                experiment = null;
            }
        }
    }

    @AfterAll
    static void close() {
        KNOWN.values().forEach(Outcome::close);
        KNOWN.clear();
    }

    private static Object jobs(Experiment experiment) {
        List<Workload> episodes = new ArrayList<>(List.of(experiment.train(1)));
        episodes.addAll(experiment.validation());
        episodes.addAll(experiment.test());
        return experiment.domains().count()
                + episodes.stream().map(EveryKeyMattersTest::jobs).toList().toString();
    }

    private static String jobs(Workload episode) {
        StringBuilder jobs = new StringBuilder("%d warm".formatted(episode.warmJobs()));
        for (int id = 0; id < episode.size(); id++) {
            JobSpec job = episode.job(id);
            jobs.append("%n%s %s %s %s %s %s %s %s %s"
                    .formatted(
                            job.name(),
                            job.submitNanos(),
                            job.demand(),
                            job.model().name(),
                            job.plan().getClass().getSimpleName(),
                            job.user(),
                            job.virtualCluster(),
                            job.terms(),
                            episode.trueIterations(id)));
        }
        return jobs.toString();
    }

    private static Object schedules(Experiment experiment) {
        EvaluationRunner runner = new EvaluationRunner(experiment, experiment.test());
        return experiment.config().schedulers().stream()
                .map(name -> outcomes(runner, SchedulerFactory.registered(experiment, name)))
                .toList();
    }

    private static String outcomes(EvaluationRunner runner, SchedulerFactory scheduler) {
        List<RunResult> results = runner.run(scheduler).episodes();
        return results.stream()
                .map(run -> run.eventLogSha256()
                        + run.jobs().stream()
                                .map(job -> "%s %s".formatted(job.utility(), job.accuracyPenalty()))
                                .toList())
                .toList()
                .toString();
    }

    private static Object agents(Experiment experiment) {
        LearnerSettings.Auction learner =
                (LearnerSettings.Auction) experiment.config().learner();
        BidPolicy policy = BidStarts.first(
                learner.policy(),
                experiment.config().network(),
                experiment.config().seed());
        return outcomes(
                new EvaluationRunner(experiment, experiment.test()),
                SchedulerFactory.learned(experiment, "agents", policy));
    }

    private static Object rewards(Experiment experiment) {
        Reward reward = experiment.reward();
        Scheduler scheduler =
                experiment.scheduler(experiment.config().schedulers().get(0), 0);
        double[] sum = {0};
        experiment.world().simulator(experiment.test(0)).run(view -> {
            sum[0] += reward.perHour(view);
            return scheduler.decide(view);
        });
        return sum[0];
    }

    /** The text with the files and values in place of their names. */
    private static String filled(String text) throws IOException {
        if (VALUES.isEmpty()) {
            fill();
        }
        String filled = text;
        for (int i = 0; i < 2; i++) {
            for (Map.Entry<String, String> value : VALUES.entrySet()) {
                filled = filled.replace("$" + value.getKey(), value.getValue());
            }
        }
        return filled;
    }

    private static void fill() throws IOException {
        List<String> jobs = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,model,user,virtual_cluster"));
        for (int i = 0; i < 60; i++) {
            jobs.add("j%d,%d,%d,%d,%s,u%d,v%d"
                    .formatted(
                            i, 400 * i, 1 << i % 4, 600 + 977 * i % 9000, i % 3 == 0 ? "" : "resnet50", i % 4, i % 2));
        }
        Path pool = Files.createDirectory(dir.resolve("pool"));
        for (int i = 0; i < 10; i++) {
            Files.write(pool.resolve(i + ".csv"), jobs.subList(0, 10 + i));
        }
        VALUES.put("pool", pool.toString());
        file("jobs", jobs);
        List<String> damaged = new ArrayList<>(jobs);
        damaged.set(9, "j8,3200,none,60,,u,v");
        file("damaged", damaged);
        file("outages", List.of("server,gpu,from_s,until_s", "0,,4000,9000", "1,,30000,50000"));
        file("others", List.of("server,gpu,from_s,until_s", "1,,4000,9000", "0,,30000,50000"));
        file("speeds", List.of("model,gpu_type,speed", "resnet50,P100,0.2", "vgg16,P100,0.1", "lstm,P100,0.1"));
        VALUES.put("checkpoints", ROOT.resolve("checkpoints").toString());
        VALUES.put("trace", "workload.trace=$jobs ; episodes.train_share=0.4 ; episodes.validation_share=0.3");
        VALUES.put("busy", "cluster=1x4 ; workload.generator.offered_load=9.0 ; episodes.jobs=20");
        VALUES.put("roomy", "cluster=4x4 ; workload.generator.offered_load=1.5 ; episodes.jobs=30");
        VALUES.put("preempting", "schedulers=[srtf] ; $busy ; runtime={type: Oracle}");
        VALUES.put(
                "apart",
                "cluster=2x4 ; workload.generator.offered_load=9.0 ; episodes.jobs=24 ; environment.domains=2"
                        + " ; environment.view={own: servers, others: summary, staleness_minutes: 0}"
                        + " ; environment.jobs=Home ; workload.generator.max_gpus=4");
        VALUES.put(
                "gangs",
                "cluster=6x2 ; workload.generator.offered_load=4.0 ; workload.generator.demands=[{gpus: 3, weight:"
                        + " 1.0}] ; physics.interference.nic_weight=0.0");
        VALUES.put(
                "failing",
                "physics.outages={type: Exponential, server_hours: 3.0, gpu_hours: 0.0, repair_hours: 1.0,"
                        + " checkpoint_minutes: 10.0}");
        VALUES.put("shared", "cluster=" + cluster("shared", "fractions", "V100", "V100"));
        VALUES.put(
                "types", "cluster=" + cluster("types", "whole", "V100", "P100") + " ; workload.model_mix=[resnet50]");
        VALUES.put("linked", "cluster=mixed-interiors ; workload.generator.offered_load=4.0");
        VALUES.put(
                "graphs",
                "$shared ; physics.graph_training=isolated ; workload.plans=[{plan: \"gnn:papers100m:degree\", share:"
                        + " 1.0, cpu_milli_per_gpu: 4000, memory_mib_per_gpu: 4000}] ; $busy");
        VALUES.put(
                "pods",
                "$shared ; workload.pods=[{gpus: 1, gpu_milli: 500, cpu_milli: 2000, memory_mib: 500, weight: 1.0},"
                        + " {gpus: 1, gpu_milli: 300, cpu_milli: 0, memory_mib: 0, weight: 1.0}]");
        VALUES.put(
                "pds",
                "workload.utilities={family: sigmoid, slot_seconds: 600.0, slots: 50, parameter_servers: true, hosts:"
                        + " false}");
    }

    private static void file(String name, List<String> lines) throws IOException {
        VALUES.put(name, Files.write(dir.resolve(name + ".csv"), lines).toString());
    }

    /** Two servers of four GPUs. */
    private static String cluster(String name, String sharing, String... types) throws IOException {
        String rack = """
              - count: 1
                servers: 1
                uplinks: 1
                server: {gpus: 4, gpu_type: %s, sockets: 2, nvlink: false, cpu_milli: 64000, memory_mib: 262144, sharing: %s}
            """;
        String head = """
            type: Tree
            name: %s
            fabric:
              nvlink: {gigabytes_per_second: 150, latency_micros: 1}
              pcie: {gigabytes_per_second: 12, latency_micros: 2}
              nic: {gigabytes_per_second: 3.125, latency_micros: 5}
              tor: {gigabytes_per_second: 3.125, latency_micros: 6}
              spine: {gigabytes_per_second: 3.125, latency_micros: 8}
            racks:
            """;
        String racks =
                Arrays.stream(types).map(type -> rack.formatted(type, sharing)).collect(Collectors.joining());
        return Files.writeString(
                        dir.resolve(name + ".yaml"),
                        head.formatted(name) + racks + "racks_per_pod: 2\npod_uplinks: 1\n")
                .toString();
    }
}
