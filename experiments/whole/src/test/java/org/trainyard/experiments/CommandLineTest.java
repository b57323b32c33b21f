package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.experiments.cli.Trainyard;
import picocli.CommandLine;

class CommandLineTest {
    private static final List<String> SIMULATE =
            Shell.words("simulate --trace generated --jobs 50 --cluster 2x4 --scheduler fifo,las --runtime oracle");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "simulate",
                "advise",
                "plan",
                "train",
                "evaluate",
                "bench",
                "stress",
                "export",
                "gym",
                "fit",
                "predict",
                "twin",
                "watch",
                "inspect",
                "list"
            })
    void every_command_explains_itself_with_an_example(String command) {
        Shell shell = Shell.run(command, "--help");

        assertThat(shell.code()).isZero();
        assertThat(shell.out()).contains("Usage: trainyard " + command, "Example: trainyard " + command);
    }

    @Test
    void it_knows_its_version() {
        assertThat(Shell.command("--version").out()).matches("trainyard [0-9].*\\R");
    }

    @ParameterizedTest
    @ValueSource(strings = {"de-DE", "ar-EG", "tr-TR", "fr-CH"})
    void numbers_are_written_alike_in_every_country(String country) throws IOException {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag(country));
            Path many = Files.write(
                    directory.resolve("many.csv"),
                    Stream.concat(
                                    Stream.of("job,submit_s,gpus,duration_s", "a,1,1,1"),
                                    Stream.generate(() -> "x,-1,1,1").limit(1_200))
                            .toList());

            assertThat(Shell.command("inspect %s", many).out()).contains("bad lines      1,200");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void the_help_of_the_whole_command_line_reads_no_options_of_its_commands() {
        CommandLine outline = Trainyard.reading("--help");

        assertThat(outline.getUsageMessage()).isEqualTo(Trainyard.all().getUsageMessage());
        assertThat(outline.getSubcommands().values())
                .isNotEmpty()
                .allSatisfy(command ->
                        assertThat(command.getCommandSpec().options()).isEmpty());
    }

    private static Stream<CommandLine> all(CommandLine command) {
        return Stream.concat(
                Stream.of(command), command.getSubcommands().values().stream().flatMap(CommandLineTest::all));
    }

    /** By the name of each command that has the option, the label of its value and what it says of it. */
    private static Map<String, String> meanings(String option) {
        Map<String, String> meanings = new TreeMap<>();
        all(Trainyard.all()).forEach(command -> {
            CommandLine.Model.OptionSpec found = command.getCommandSpec().findOption(option);
            if (found != null) {
                meanings.put(
                        command.getCommandSpec().qualifiedName(),
                        found.paramLabel() + " " + String.join(" ", found.description()));
            }
        });
        return meanings;
    }

    @Test
    void a_configuration_of_slurm_and_a_restart_are_the_same_thing_in_all_commands() {
        assertThat(meanings("--slurm"))
                .containsKeys("trainyard advise", "trainyard when", "trainyard shadow", "trainyard simulate");
        assertThat(Set.copyOf(meanings("--slurm").values())).hasSize(1);
        assertThat(meanings("--restart"))
                .containsOnlyKeys("trainyard advise", "trainyard simulate", "trainyard simulate stream")
                .allSatisfy((command, said) ->
                        assertThat(said).startsWith("SECONDS").contains("after a preemption"));
    }

    @Test
    void a_restart_is_given_in_seconds_or_as_in_a_config() {
        String run = "simulate --trace generated --jobs 60 --cluster 2x4 --scheduler srtf --json --restart ";
        Shell plain = Shell.command(run + "900");
        Shell whole =
                Shell.run(Stream.concat(Stream.of(run.strip().split(" ")), Stream.of("{type: Fixed, seconds: 900.0}"))
                        .toList());

        assertThat(plain.code()).as(plain.err()).isZero();
        assertThat(plain.out().lines().filter(line -> line.contains("event_log_sha256")))
                .isNotEmpty()
                .containsExactlyElementsOf(whole.out()
                        .lines()
                        .filter(line -> line.contains("event_log_sha256"))
                        .toList());
    }

    private static Shell evaluate(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "evaluate",
                Path.of(System.getProperty("trainyard.root", ".."), "experiments/configs/quickstart.yaml")
                        .toString(),
                "--schedulers",
                "fifo,sjf,las",
                "--set",
                "episodes.jobs=20",
                "--set",
                "episodes.test=5"));
        words.addAll(List.of(more));
        return Shell.run(words);
    }

    @Test
    void another_seed_says_that_the_test_episodes_are_the_same() {
        Shell first = evaluate();
        Shell other = evaluate("--set", "seed=2");

        assertThat(other.err()).contains("note: seed=2 changes only what schedulers draw", "episodes.test_seed");
        assertThat(first.err()).doesNotContain("note: seed");
        assertThat(other.out().lines().filter(line -> line.startsWith("sjf")))
                .containsExactlyElementsOf(first.out()
                        .lines()
                        .filter(line -> line.startsWith("sjf"))
                        .toList());
    }

    @Test
    void schedulers_are_compared_with_the_one_that_is_asked_for() {
        Shell shell = evaluate("--reference", "las");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("las *", "vs *", "* reference asked for")
                .doesNotContain("best heuristic");
        assertThat(evaluate().out()).contains("vs best *").doesNotContain("las *");
        assertThat(evaluate("--reference", "srtf").err())
                .hasLineCount(1)
                .contains("--reference", "one of --schedulers");
    }

    @Test
    void without_a_command_it_says_what_there_is() {
        Shell shell = Shell.run();

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("simulate", "train", "evaluate", "inspect", "list");
    }

    @ParameterizedTest
    @CsvSource({
        "simulte, did you mean 'simulate'?",
        "simulate --schedular x, did you mean '--scheduler'?",
        "simulate --trace generated --cluster small, --scheduler",
        "list schedulers traces, traces",
        "simulate --trace generated --cluster small --scheduler fifo --seed x, --seed",
        "train, CONFIG"
    })
    void wrong_usage_is_answered_in_two_lines(String line, String fragment) {
        Shell shell = Shell.run(line.split(" "));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().lines()).hasSizeLessThanOrEqualTo(2);
        assertThat(shell.err()).contains(fragment);
        assertThat(shell.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"schedulers, tiresias-srtf", "traces, philly", "clusters, two-generations", "rewards, Jct"})
    void lists_are_there_for_people_and_machines(String kind, String entry) throws IOException {
        assertThat(Shell.command("list %s", kind).out().lines()).anyMatch(line -> line.startsWith(entry + " "));
        assertThat(json(Shell.command("list %s --json", kind)).has(entry)).isTrue();
    }

    @Test
    void schedulers_are_listed_with_what_they_do_and_need() throws IOException {
        assertThat(Shell.command("list schedulers").out())
                .containsPattern(
                        "(?m)^srtf .*\\[textbook, preemptive, needs predictions, network aware, keeps segments]$");
        JsonNode all = json(Shell.command("list schedulers --json"));
        JsonNode srtf = all.get("srtf/random");
        assertThat(srtf.get("preemptive").asBoolean()).isTrue();
        assertThat(srtf.get("network_aware").asBoolean()).isFalse();
        assertThat(srtf.get("elastic").asBoolean()).isFalse();
        assertThat(srtf.get("kind").asText()).isEqualTo("textbook");
        assertThat(srtf.get("caveat").asText()).isEmpty();
        assertThat(all.get("fgd").get("kind").asText()).isEqualTo("as published");
    }

    @Test
    void a_list_says_with_which_settings_a_published_simulator_is_replayed() throws IOException {
        String people = Shell.command("list schedulers").out();
        JsonNode machines = json(Shell.command("list schedulers --json"));

        assertThat(people)
                .containsPattern("(?m)^muri-srtf .*]\\n +replayed with: its overhead of starts and restarts set to 0")
                .containsPattern(
                        "(?m)^helios-fifo .*]\\n +replayed with: placer consolidate, run times as in the trace");
        machines.properties()
                .forEach(row -> assertThat(
                                row.getValue().get("replayed_with").asText().isEmpty())
                        .as(row.getKey())
                        .isEqualTo(!row.getKey().matches("(helios|muri|shockwave)-.*|tiresias-(?!gittins).*")));
    }

    @Test
    void a_list_says_what_a_name_promises_in_vain() throws IOException {
        String people = Shell.command("list schedulers").out();
        JsonNode machines = json(Shell.command("list schedulers --json"));

        assertThat(people)
                .containsPattern("(?m)^a-srpt .*\\[our reading.*]\\n"
                        + " +read from the abstract; constants and backfill are ours")
                .containsPattern("(?m)^sjf .*]\\n +also called wcs-duration")
                .containsPattern("(?m)^sjf-bco .*\\[ours.*]\\n +the online form is ours");
        for (String simplified : List.of("lucid", "gandiva", "hived", "optimus", "themis")) {
            assertThat(people).containsPattern("(?m)^" + simplified + " .*\\[our reading.*]\\n +simplified: ");
            assertThat(machines.get(simplified).get("caveat").asText()).startsWith("simplified: ");
        }
        machines.properties().stream()
                .filter(row -> row.getKey().startsWith("muri-") || row.getKey().startsWith("shockwave-"))
                .forEach(row -> assertThat(row.getValue().get("caveat").asText())
                        .as(row.getKey())
                        .contains("not among the schedulers"));
    }

    @Test
    void a_simulation_has_a_sentence_and_a_table_of_100_columns_and_all_tables_when_asked() throws IOException {
        Shell brief = Shell.run(SIMULATE);
        Shell people = Shell.run(with(SIMULATE, "--verbose"));
        JsonNode machines = json(Shell.run(with(SIMULATE, "--json")));

        assertThat(people.code()).as(people.err()).isZero();
        assertThat(people.err()).isEmpty();
        assertThat(brief.out()).contains("Result: ", "slowdown *").doesNotContain("SHA-256", "makespan");
        assertThat(brief.out().lines().skip(2))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        assertThat(people.out()).contains("mean JCT", "makespan", "preemptions").containsPattern("las +[0-9a-f]{64}");
        assertThat(machines.at("/schedulers/0/name").asText()).isEqualTo("fifo");
        assertThat(machines.at("/schedulers/0/jobs").asInt()).isEqualTo(50);
    }

    @Test
    void a_physics_file_changes_the_world_and_every_shipped_one_can_be_read() throws IOException {
        String standard = json(Shell.run(with(SIMULATE, "--json")))
                .at("/schedulers/0/jct_s/mean")
                .asText();
        Path shipped = Path.of(System.getProperty("trainyard.root", ".."), "experiments", "physics");
        try (Stream<Path> files = Files.list(shipped)) {
            for (Path file : files.toList()) {
                Shell shell = Shell.run(with(SIMULATE, "--json", "--physics", file.toString()));

                assertThat(shell.code()).as(shell.err()).isZero();
                assertThat(json(shell).at("/schedulers/1/jct_s/mean").asText()).isNotEqualTo(standard);
            }
        }
    }

    @Test
    void a_physics_file_that_is_not_one_is_refused_in_a_line() throws IOException {
        Path file = Files.writeString(directory.resolve("p.yaml"), "stragglers: 0.1\n");
        Shell missing = Shell.run(with(SIMULATE, "--physics", "no-such-file.yaml"));
        Shell incomplete = Shell.run(with(SIMULATE, "--physics", file.toString()));

        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err()).contains("no-such-file.yaml").hasLineCount(1);
        assertThat(incomplete.code()).isEqualTo(2);
        assertThat(incomplete.err()).contains("are missing", "interference").hasLineCount(1);
    }

    @Test
    void a_simulation_repeated_writes_the_same_files() throws IOException {
        Path one = directory.resolve("one");
        Path two = directory.resolve("two");
        assertThat(Shell.run(with(SIMULATE, "--out", one.toString())).code()).isZero();
        assertThat(Shell.run(with(SIMULATE, "--out", two.toString())).code()).isZero();

        assertThat(one.resolve("summary.json")).hasSameBinaryContentAs(two.resolve("summary.json"));
        assertThat(one.resolve("jobs.csv")).hasSameBinaryContentAs(two.resolve("jobs.csv"));
        assertThat(one.resolve("timing.json")).exists();
        assertThat(Files.readAllLines(one.resolve("jobs.csv"))).hasSize(1 + 2 * 50);
    }

    @Test
    void another_simulation_does_not_overwrite_the_first() {
        List<String> first = with(SIMULATE, "--out", directory.toString());
        Shell.run(first);

        Shell second = Shell.run(with(first, "--seed", "2"));

        assertThat(second.code()).isEqualTo(2);
        assertThat(second.err().lines()).hasSize(1);
    }

    @Test
    void a_failure_while_running_is_one_line_unless_asked_for_more() throws IOException {
        List<String> args = with(SIMULATE, "--out", directory.toString());
        Shell.run(args);
        Files.delete(directory.resolve("report.html"));
        Files.createDirectories(directory.resolve("report.html/in the way"));

        Shell brief = Shell.run(args);
        Shell full = Shell.run(with(args, "--stacktrace"));

        assertThat(brief.code()).isEqualTo(1);
        assertThat(brief.err().lines()).hasSize(1);
        assertThat(brief.err()).contains("trainyard: failed: cannot write", "report.html: ");
        assertThat(full.code()).isEqualTo(1);
        assertThat(full.err()).contains("\tat org.trainyard");
    }

    @Test
    void bad_lines_left_out_of_a_simulation_are_counted() throws IOException {
        Path trace = Files.writeString(
                directory.resolve("t.csv"), "job,submit_s,gpus,duration_s\na,0,1,5\nb,0,x,5\nc,3,2,7\n");
        Shell shell = Shell.command("simulate --trace %s --cluster 1x8 --scheduler helios-fifo", trace);

        assertThat(shell.code()).isZero();
        assertThat(shell.err()).contains("1 bad line was left out", "t.csv:3, gpus");
        assertThat(shell.out()).contains("2 jobs");
    }

    /** Job a has 100 s of work and 101.5 s for Muri; b comes at 10 s and is shorter. */
    @Test
    void presets_of_several_simulators_each_take_a_trace_as_theirs_does() throws IOException {
        Path trace = Files.writeString(
                directory.resolve("t.csv"),
                "job_id,num_gpu,submit_time,iterations,iteration_time\na,8,0,1000,100\nb,8,10000,100,100\n");
        Path out = directory.resolve("out");
        Shell shell = Shell.command(
                "simulate --trace %s --cluster 1x8 --scheduler muri-srtf,tiresias-srtf,helios-srtf " + "--out %s",
                trace, out);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(Files.readAllLines(out.resolve("jobs.csv")))
                .containsExactly(
                        "scheduler,episode,job,submit,first_start,end,gpus,queueing_delay,run_time,preemptions,"
                                + "user,group,virtual_cluster,model,servers,racks,undisturbed,restart,interference,placement",
                        "muri-srtf,0,a,0,0,111.65,8,10.15,101.5,1,,,,neutral,1,1,101.5,0,0,0",
                        "muri-srtf,0,b,10,10,20.15,8,0,10.15,0,,,,neutral,1,1,10.15,0,0,0",
                        "tiresias-srtf,0,a,0,0,110,8,10,100,1,,,,neutral,1,1,100,0,0,0",
                        "tiresias-srtf,0,b,10,10,20,8,0,10,0,,,,neutral,1,1,10,0,0,0",
                        "helios-srtf,0,a,0,0,142,8,11,131,1,,,,neutral,1,1,101,30,0,0",
                        "helios-srtf,0,b,10,10,21,8,0,11,0,,,,neutral,1,1,11,0,0,0");
        assertThat(shell.out()).contains("Note: run times of muri-srtf are 1.015 times those of a Muri trace");
    }

    @Test
    void a_trace_is_inspected_with_its_bad_lines() throws IOException {
        Path trace = Files.writeString(directory.resolve("t.csv"), "job,submit_s,gpus,duration_s\na,0,1,5\nb,0,x,5\n");
        Shell people = Shell.command("inspect %s --cluster small", trace);
        JsonNode machines = json(Shell.command("inspect %s --json", trace));

        assertThat(people.out()).contains("format trainyard", "bad lines      1", "t.csv:3, gpus: 'x'");
        assertThat(machines.get("bad_line_count").asInt()).isEqualTo(1);
        assertThat(machines.get("jobs").asInt()).isEqualTo(1);
    }

    @Test
    void a_topology_is_inspected_with_its_links_and_routes() throws IOException {
        Shell people = Shell.command("inspect two-generations");

        assertThat(people.out()).contains("128 GPUs on 24 servers", "A100", "spine", "server 0 to 23");
        assertThat(people.out()).contains("oversubscription: racks 1.667:1 to 2:1", "4 x P100", "unlimited");
        assertThat(json(Shell.command("inspect 2x4x8 --json")).get("gpus").asInt())
                .isEqualTo(64);
    }

    @Test
    void a_fabric_and_a_table_of_machines_are_inspected() throws IOException {
        Path nodes = Files.writeString(
                directory.resolve("nodes.csv"),
                "sn,cpu_milli,memory_mib,gpu,model\na,32000,65536,0,\nb,96000,393216,8,G2\n");
        Shell tree = Shell.command("inspect fat-tree:4x8");

        assertThat(Shell.command("inspect %s", nodes).out())
                .contains("servers are called a to b", "{G2=8}", "32 cores", "384 GiB", "fractions");
        // 16 NICs of 12.5 GB/s, half of them below either half of the pods.
        assertThat(tree.out())
                .contains("8 leaf, 8 spine, 4 core", "pods 1:1", "100 GB/s between two halves of the pods");
        assertThat(json(Shell.command("inspect %s --json", nodes))
                        .get("kinds")
                        .get(0)
                        .get("memory_mib")
                        .asInt())
                .isEqualTo(65_536);
    }

    private static JsonNode json(Shell shell) throws IOException {
        assertThat(shell.code()).as(shell.err()).isZero();
        return new ObjectMapper().readTree(shell.out());
    }

    private static List<String> with(List<String> args, String... more) {
        List<String> all = new ArrayList<>(args);
        all.addAll(List.of(more));
        return all;
    }
}
