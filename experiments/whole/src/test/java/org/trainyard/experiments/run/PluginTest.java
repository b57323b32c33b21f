package org.trainyard.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.io.Sha256;

class PluginTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final Path EXAMPLE = ROOT.resolve("experiments/examples/plugin/src");
    private static final String SCHEDULERS = "META-INF/services/org.trainyard.env.gym.registry.SchedulerPlugin";
    private static final String REWARDS = "META-INF/services/org.trainyard.env.gym.reward.RewardPlugin";
    private static final String LOGS = "META-INF/services/org.trainyard.env.workload.log.LogPlugin";

    @TempDir
    private Path directory;

    @Test
    void the_example_of_a_plugin_schedules_beside_the_schedulers_of_the_project() throws IOException {
        Path jar = example();

        Shell listed = Shell.command("list schedulers --plugin %s", jar);
        Shell shell = simulate(jar, "fifo,sjf,narrow-first");

        assertThat(listed.out()).containsPattern("(?m)^narrow-first .*\\[from a plugin, needs predictions]$");
        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).containsPattern("narrow-first +[0-9a-f]{64}");
        assertThat(shell.err()).contains("narrow-first.jar", "SHA-256", "scheduler narrow-first");
    }

    @Test
    void the_names_of_a_plugin_are_forgotten_after_the_command() throws IOException {
        Path jar = example();
        Shell.command("list schedulers --plugin %s", jar);

        Shell shell = Shell.command("simulate --trace generated --cluster 2x4 --scheduler narrow-first");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("narrow-first").hasLineCount(1);
    }

    @Test
    void a_placer_of_a_plugin_serves_every_order_and_a_reward_trains() throws IOException {
        Path jar = jar("more", """
            import java.util.List;
            import org.trainyard.env.gym.registry.SchedulerPlugin;
            import org.trainyard.env.gym.registry.PlacementPolicies;
            import org.trainyard.env.gym.reward.*;
            import org.trainyard.env.performance.InterferenceModel;
            import org.trainyard.agents.heuristic.placing.FirstFit;
            import org.trainyard.env.topology.Topology;
            public final class More implements SchedulerPlugin, RewardPlugin {
                public List<PlacementPolicies.Entry> placers() {
                    return List.of(new PlacementPolicies.Entry("front", "first fit", (on, target, seed) -> new FirstFit()));
                }
                public String name() { return "all-jobs"; }
                public String description() { return "minus the jobs in the system"; }
                public Reward create(Topology topology, InterferenceModel belief) { return new JctReward(); }
            }
            """, "More", List.of(SCHEDULERS, REWARDS));

        Shell simulated = simulate(jar, "srtf/front,srtf/first-fit");
        Shell trained = train(jar, "{type: Plugin, name: all-jobs}", "plugged");
        Shell own = train(jar, "{type: Jct}", "own");

        assertThat(simulated.code()).as(simulated.err()).isZero();
        assertThat(hash(simulated, "srtf/front")).isEqualTo(hash(simulated, "srtf/first-fit"));
        assertThat(trained.code()).as(trained.err()).isZero();
        assertThat(own.code()).as(own.err()).isZero();
        assertThat(directory.resolve("plugged/checkpoints/best/policy.bin"))
                .hasSameBinaryContentAs(directory.resolve("own/checkpoints/best/policy.bin"));
        assertThat(Shell.command("list rewards --plugin %s", jar).out()).contains("all-jobs");
        assertThat(train(null, "{type: Plugin, name: all-jobs}", "without").err())
                .contains("all-jobs", "--plugin")
                .hasLineCount(1);
    }

    @Test
    void a_training_records_the_hash_of_its_reward_and_is_not_resumed_with_a_rebuilt_one() throws IOException {
        String reward = "{type: Plugin, name: weighted}";
        Path jar = weighted(3);
        String begun = Sha256.of(jar);
        Shell trained = train(jar, reward, "run");
        Path run = directory.resolve("run");
        Path record = run.resolve("checkpoints/best/provenance.json");
        Files.delete(run.resolve("summary.json"));
        weighted(300);

        Shell changed = train(jar, reward, "run", "--resume");

        assertThat(trained.code()).as(trained.err()).isZero();
        assertThat(new ObjectMapper().readTree(record.toFile()).get("plugin_sha256"))
                .hasToString("{\"weighted.jar\":\"%s\"}".formatted(begun));
        assertThat(changed.code()).isEqualTo(2);
        assertThat(changed.err().lines().toList())
                .hasSize(2)
                .last()
                .isEqualTo(
                        "trainyard: --plugin: 'weighted.jar, SHA-256 %s' is not valid: expected SHA-256 %s, with which the run began (%s); --replace starts anew"
                                .formatted(Sha256.of(jar), begun, record));
        assertThat(run.resolve("summary.json")).doesNotExist();
        assertThat(train(jar, reward, "run", "--replace").code()).isZero();
    }

    private Path weighted(int weight) throws IOException {
        return jar("weighted", """
            import org.trainyard.env.gym.reward.*;
            import org.trainyard.env.performance.InterferenceModel;
            import org.trainyard.env.topology.Topology;
            public final class Weighted implements RewardPlugin {
                static final int WEIGHT = %d;
                public String name() { return "weighted"; }
                public String description() { return "minus the jobs in the system, " + WEIGHT; }
                public Reward create(Topology topology, InterferenceModel belief) { return new JctReward(); }
            }
            """.formatted(weight), "Weighted", List.of(REWARDS));
    }

    @Test
    void a_log_in_a_format_of_a_plugin_is_read_and_listed() throws IOException {
        Path jar = jar("logs", logs("colons"), "Colons", List.of(LOGS));
        Path log = Files.writeString(directory.resolve("log.txt"), "::one:2:30\n::two:1:60\n");

        Shell told = Shell.command("simulate --trace %s --cluster 1x2 --scheduler fifo --plugin %s", log, jar);
        Shell named = Shell.command(
                "simulate --trace %s --format colons --cluster 1x2 --scheduler fifo --plugin %s", log, jar);

        assertThat(told.code()).as(told.err()).isZero();
        assertThat(told.out()).contains("2 jobs").isEqualTo(named.out());
        assertThat(told.err()).contains("logs.jar", "format of logs colons");
        assertThat(Shell.command("list traces --plugin %s", jar).out().lines().toList())
                .last()
                .asString()
                .matches("colons +columns id, gpus, seconds");
        assertThat(Shell.command("simulate --trace %s --format colons --cluster 1x2 --scheduler fifo", log)
                        .err())
                .contains("colons")
                .hasLineCount(1);
    }

    /** A plugin that reads lines {@code ::ID:GPUS:SECONDS}. */
    private static String logs(String label) {
        return """
            import java.io.IOException;
            import java.util.List;
            import java.util.function.Consumer;
            import org.trainyard.env.workload.TraceJob;
            import org.trainyard.env.workload.log.*;
            public final class Colons implements LogPlugin {
                public List<LogFormat> formats() {
                    return List.of(new Lines());
                }
                static final class Lines extends RowFormat {
                    Lines() { super("%s", List.of("id", "gpus", "seconds"), List.of()); }
                    public boolean sniff(LogFile file) { return file.first().line().startsWith("::"); }
                    protected LogRows rows(LogRows.Source source) {
                        return row -> new TraceJob(row.text("id"), 0, row.gpus("gpus"),
                                row.nanosAboveZero("seconds", TraceRow.SECOND), null, null, null, null);
                    }
                    public Trace read(LogFile file, TraceReader.Options options, Consumer<TraceJob> jobs)
                            throws IOException {
                        TraceCollector all = new TraceCollector(
                                file.name(), options, this, new TraceColumns(required()), jobs);
                        int number = 0;
                        for (String line : file.text().lines().toList()) {
                            all.add(List.of(line.substring(2).split(":")), ++number);
                        }
                        return all.finish();
                    }
                }
            }
            """.formatted(label);
    }

    @Test
    void what_is_no_plugin_is_refused_in_a_line() throws IOException {
        Path text = Files.writeString(directory.resolve("text.jar"), "no jar");
        Path empty = jar("empty", "final class Empty {}", "Empty", List.of());
        Path absent = jar("absent", "final class Absent {}", "Missing", List.of(SCHEDULERS));
        Path taken = jar("taken", named("sjf"), "Taken", List.of(SCHEDULERS));
        Path takenLog = jar("taken-log", logs("sacct"), "Colons", List.of(LOGS));
        Path spelt = jar("spelt", named("Sjf 2"), "Taken", List.of(SCHEDULERS));

        assertRefused(directory.resolve("none.jar").toString(), "an existing jar file");
        assertRefused(text.toString(), "expected a jar file");
        assertRefused(empty.toString(), "META-INF/services");
        assertRefused(absent.toString(), SCHEDULERS + ", but it names Missing, which is not in the jar");
        assertRefused(taken.toString(), "Trainyard's own");
        assertRefused(takenLog.toString(), "a name that no other format of logs has");
        assertRefused(spelt.toString(), "lower-case words");
    }

    @Test
    void a_plugin_that_lacks_a_class_while_it_schedules_is_named_in_a_line() throws IOException {
        Path jar = jar("broken", """
            import java.util.List;
            import org.trainyard.env.gym.registry.*;
            import org.trainyard.env.simulation.*;
            public final class Broken implements SchedulerPlugin {
                public List<SchedulerRegistry.Entry> schedulers() {
                    return List.of(SchedulerRegistry.Entry.plugin("broken", "", (topology, belief, seed) -> this::decide));
                }
                Decision decide(SimView view) {
                    throw new NoSuchMethodError("SimView.gone");
                }
            }
            """, "Broken", List.of(SCHEDULERS));

        Shell shell = simulate(jar, "broken");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().lines().toList()).hasSize(2).last().asString().contains("broken.jar", "SimView.gone");
    }

    @Test
    void of_several_schedulers_the_one_whose_decision_is_refused_is_named_in_a_line() throws IOException {
        Path jar = failing("failing", "return new Decision.Preempt(0);");

        Shell shell = simulate(jar, "fifo,failing,sjf");

        assertThat(shell.code()).isEqualTo(1);
        assertThat(shell.err().lines().filter(line -> line.startsWith("trainyard: ")))
                .containsExactly(
                        "trainyard: failed: scheduler failing: cannot preempt job (0): it is WAITING (--stacktrace shows where)");
    }

    /** A scheduler whose code fails when it first decides. */
    private Path failing(String name, String failure) throws IOException {
        return jar(name, """
            import java.util.List;
            import org.trainyard.env.gym.registry.*;
            import org.trainyard.env.simulation.*;
            public final class Failing implements SchedulerPlugin {
                public List<SchedulerRegistry.Entry> schedulers() {
                    return List.of(SchedulerRegistry.Entry.plugin("failing", "", (topology, belief, seed) -> this::decide));
                }
                Decision decide(SimView view) {
                    %s
                }
            }
            """.formatted(failure), "Failing", List.of(SCHEDULERS));
    }

    @Test
    void a_plugin_that_fails_in_a_worker_is_named_in_a_line() throws IOException {
        Map<String, String> failures = new LinkedHashMap<>();
        failures.put(
                "throw new IllegalArgumentException(\"no\\nluck\");", "java.lang.IllegalArgumentException: no luck");
        failures.put("throw new AssertionError(\"never\");", "java.lang.AssertionError: never");
        failures.put("return decide(view);", "java.lang.StackOverflowError");
        failures.put("throw new OutOfMemoryError(\"asked for much\");", "java.lang.OutOfMemoryError: asked for much");
        for (Map.Entry<String, String> failure : failures.entrySet()) {
            Path jar = failing("failing", failure.getKey());

            Shell shell = Shell.command(
                    "evaluate %s --schedulers fifo,failing --set episodes.jobs=20 --set episodes.test=4 "
                            + "--plugin %s",
                    ROOT.resolve("experiments/configs/heuristics.yaml"), jar);

            assertThat(shell.code()).isEqualTo(1);
            assertThat(shell.err().lines().filter(line -> line.startsWith("trainyard: ")))
                    .containsExactly("trainyard: failed: plugin %s: %s (--stacktrace shows where)"
                            .formatted(jar, failure.getValue()));
            assertThat(shell.err()).doesNotContain("\tat ");
            assertThat(simulate(jar, "failing").err())
                    .contains(failure.getValue())
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void a_plugin_whose_classes_cannot_be_made_is_named_with_the_cause() throws IOException {
        String source = """
            import java.util.List;
            import org.trainyard.env.gym.registry.*;
            public final class Made implements SchedulerPlugin {
                %s
                public List<SchedulerRegistry.Entry> schedulers() { %s }
            }
            """;
        Path initialiser = jar(
                "initialiser",
                source.formatted("static final int ZERO = 1 / Integer.parseInt(\"0\");", "return List.of();"),
                "Made",
                List.of(SCHEDULERS));
        Path constructor = jar(
                "constructor",
                source.formatted("public Made() { throw new IllegalStateException(\"no\"); }", "return List.of();"),
                "Made",
                List.of(SCHEDULERS));
        Path entries = jar(
                "entries",
                source.formatted("", "throw new IllegalStateException(\"no entries\");"),
                "Made",
                List.of(SCHEDULERS));

        assertRefused(initialiser.toString(), "initialiser.jar' is not valid");
        assertRefused(initialiser.toString(), "java.lang.ArithmeticException: / by zero");
        assertRefused(constructor.toString(), "java.lang.IllegalStateException: no");
        assertRefused(entries.toString(), "java.lang.IllegalStateException: no entries");
    }

    private static String named(String name) {
        return """
            import java.util.List;
            import org.trainyard.env.gym.registry.*;
            public final class Taken implements SchedulerPlugin {
                public List<SchedulerRegistry.Entry> schedulers() {
                    return List.of(SchedulerRegistry.Entry.plugin("%s", "", (topology, belief, seed) -> view -> null));
                }
            }
            """.formatted(name);
    }

    private static void assertRefused(String jar, String fragment) {
        Shell shell = Shell.command("list schedulers --plugin %s", jar);
        assertThat(shell.code()).as(shell.err()).isEqualTo(2);
        assertThat(shell.err()).contains(fragment).hasLineCount(1);
        assertThat(shell.out()).isEmpty();
    }

    private static Shell simulate(Path jar, String schedulers) {
        return Shell.command(
                "simulate --trace generated --jobs 50 --cluster 2x4 --scheduler %s --verbose --plugin %s",
                schedulers, jar);
    }

    private static String hash(Shell shell, String scheduler) {
        return shell.out()
                .lines()
                .filter(line -> line.matches("%s +[0-9a-f]{64}".formatted(scheduler)))
                .map(line -> line.replaceAll(".* ", ""))
                .findFirst()
                .orElseThrow();
    }

    private Shell train(@Nullable Path jar, String reward, String folder, String... more) {
        List<String> args = new ArrayList<>(Shell.words(
                "train %s --set learner.updates=2 --set episodes.validation=2 --set episodes.test=2 --set "
                        + "episodes.jobs=30 --set %s --out %s",
                ROOT.resolve("experiments/configs/auction/small.yaml"),
                "environment.reward=" + reward,
                directory.resolve(folder)));
        if (jar != null) {
            args.addAll(List.of("--plugin", jar.toString()));
        }
        args.addAll(List.of(more));
        return Shell.run(args);
    }

    private Path example() throws IOException {
        return jar(
                "narrow-first",
                Files.readString(EXAMPLE.resolve("NarrowFirst.java")),
                Files.readString(EXAMPLE.resolve(SCHEDULERS)).strip(),
                List.of(SCHEDULERS));
    }

    /** Compiles one source and packs it with the service files that name the provider. */
    private Path jar(String name, String source, String provider, List<String> services) throws IOException {
        Path folder = Files.createDirectories(directory.resolve(name));
        String type = source.replaceAll("(?s).*?final class (\\w+).*", "$1");
        Path file = Files.writeString(folder.resolve(type + ".java"), source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int code = compiler.run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.toString(),
                file.toString());
        assertThat(code).as("compiles").isZero();
        Path jar = directory.resolve(name + ".jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                var classes = Files.list(folder)) {
            for (Path compiled :
                    classes.filter(path -> path.toString().endsWith(".class")).toList()) {
                out.putNextEntry(new JarEntry(compiled.getFileName().toString()));
                Files.copy(compiled, out);
            }
            for (String service : services) {
                out.putNextEntry(new JarEntry(service));
                out.write((provider + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        }
        return jar;
    }
}
