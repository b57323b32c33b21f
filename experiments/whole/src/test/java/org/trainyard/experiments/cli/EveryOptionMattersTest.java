package org.trainyard.experiments.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.experiments.Shell;
import picocli.CommandLine;

/**
 * Every option of every command changes what a run of {@code options.txt} prints or writes, by more than lines that
 * repeat its value, or is refused there; or the file names the test of the option, or of the class behind it.
 */
class EveryOptionMattersTest {
    private static final Path ROOT =
            Path.of(System.getProperty("trainyard.root")).toAbsolutePath().normalize();
    private static final Path RESOURCES = ROOT.resolve("experiments/whole/src/test/resources");
    private static final Path DATA = RESOURCES.resolve("frozen/commands/data");
    private static final String SLURM = "%d|a|ann|c|COMPLETED|%s|%s|%s|gres/%s|";
    private static final String POD = """
            {"kind": "Pod", "metadata": {"name": "p%1$d", "namespace": "ml", "creationTimestamp": "%4$sZ"},
             "spec": {"containers": [{"resources": {"limits": {"nvidia.com/gpu%2$s": "%3$d"}}}]},
             "status": {"phase": "Succeeded", "startTime": "%5$sZ", "containerStatuses": [{"state":
             {"terminated": {"startedAt": "%5$sZ", "finishedAt": "%6$sZ"}}}]}}""";
    /** Options whose runs take a second or more of processor time. */
    private static final Pattern SLOW = Pattern.compile(
            "^(train|export|stress|sweep|reproduce|fit (interiors|interference)|evaluate --(checkpoint|beside)|advise --(slurm|checkpoint|constraint|metric|seed|replace|restart|search.*))");

    /** Of longer files, and of those that are no text, the hash counts. */
    private static final int MOST_BYTES = 50_000;

    private static final String VALUE = "VALUE";
    private static final String ELSEWHERE = "elsewhere";
    /** Options of all commands: FrozenCommandsTest has each help, CommandLineTest and PluginTest the others. */
    private static final Set<String> COMMON = Set.of("--help", "--stacktrace", "--plugin");
    /** Files with wall-clock times. */
    private static final Pattern LEFT_OUT =
            Pattern.compile("(.*/)?(timing\\.json|tensorboard/.*|results\\.duckdb)|drive/.*");

    private static final Pattern TIMES = Pattern.compile(
            "(?<= % {1,9}\\d{1,4}) +[\\d,]+$|\"\\w*per_second\" : .*|decided in \\d+ ms|\\d\\d:\\d\\d:\\d\\d\\.\\d{3}|\\d+\\.\\d\\d s +[\\d,]+|took [\\d.]+ s|, [\\d.]+ s left");

    @TempDir
    private static Path in;

    /** The runs that are compared with several others. */
    private static final Map<String, Run> KNOWN = new HashMap<>();

    /** One line of the file; words is a whole command, without the option. */
    record Fixture(String command, String option, String words, String change) {
        @Override
        public String toString() {
            return (command + " " + option).strip();
        }

        boolean isElsewhere() {
            return words.equals(ELSEWHERE);
        }
    }

    /** The lines of one run: printed, written and the exit code. */
    record Run(int code, Set<String> lines) {}

    static List<Fixture> fixtures() throws IOException {
        Map<String, String> names = new LinkedHashMap<>();
        Map<String, String> logs = new LinkedHashMap<>();
        List<Fixture> common = new ArrayList<>();
        List<Fixture> fixtures = new ArrayList<>();
        for (String line : Files.readAllLines(RESOURCES.resolve("options.txt"))) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts =
                    Arrays.stream(line.split(" \\|", -1)).map(String::strip).toArray(String[]::new);
            if (parts.length == 2) {
                (parts[0].startsWith("$") ? names : logs).put(parts[0], parts[1]);
            } else if (parts[0].equals("logs")) {
                logs.forEach((command, words) ->
                        common.add(new Fixture(command, parts[1], words.replace("LOG", parts[2]), parts[3])));
            } else {
                String beside = parts[2];
                for (Map.Entry<String, String> name : names.entrySet()) {
                    beside = beside.replace(name.getKey(), name.getValue());
                }
                String words = beside.equals(ELSEWHERE) ? ELSEWHERE : (parts[0] + " " + beside).strip();
                Stream.of(parts[1].split(" ", -1))
                        .forEach(option -> fixtures.add(new Fixture(parts[0], option, words, parts[3])));
            }
        }
        Set<String> own = fixtures.stream().map(Fixture::toString).collect(Collectors.toSet());
        common.stream().filter(one -> !own.contains(one.toString())).forEach(fixtures::add);
        return fixtures;
    }

    private static Stream<Fixture> here(boolean isSlow) throws IOException {
        return fixtures().stream()
                .filter(fixture -> !fixture.isElsewhere()
                        && SLOW.matcher(fixture.toString()).find() == isSlow);
    }

    static Stream<Fixture> quick() throws IOException {
        return here(false);
    }

    static Stream<Fixture> slow() throws IOException {
        return here(true);
    }

    @Test
    void every_option_has_a_run_in_which_it_matters_or_a_test_that_names_it() throws IOException {
        Set<String> expected = new TreeSet<>();
        addOptions("", Trainyard.all(), expected);
        Map<String, Path> tests = new HashMap<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            files.filter(file -> file.toString().contains("/src/test/") && Files.isRegularFile(file))
                    .forEach(file -> tests.put(file.getFileName().toString(), file));
        }

        List<String> listed =
                new ArrayList<>(fixtures().stream().map(Fixture::toString).toList());
        assertThat(listed).doesNotHaveDuplicates();
        assertThat(expected.stream().filter(option -> !listed.contains(option)))
                .as("not in options.txt")
                .isEmpty();
        assertThat(listed).isSubsetOf(expected);
        for (Fixture fixture : fixtures()) {
            if (fixture.isElsewhere()) {
                String[] parts = fixture.change.split(" ", 2);
                Path test = tests.get(parts[0].contains(".") ? parts[0] : parts[0] + ".java");
                String word = parts.length > 1 ? parts[1] : fixture.option;
                assertThat(test).as("%s", fixture).isNotNull();
                assertThat(Files.readString(test))
                        .as("%s", fixture)
                        .containsPattern("(?<![\\w-])" + Pattern.quote(word) + "(?![\\w-])");
            }
        }
    }

    private static void addOptions(String path, CommandLine command, Set<String> options) {
        command.getCommandSpec().options().stream()
                .map(option -> option.longestName())
                .filter(name -> !COMMON.contains(name))
                .forEach(name -> options.add((path + " " + name).strip()));
        command.getSubcommands().forEach((name, one) -> addOptions((path + " " + name).strip(), one, options));
    }

    @ParameterizedTest
    @MethodSource("quick")
    void another_value_changes_the_answer(Fixture fixture) throws IOException {
        assertMatters(fixture);
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("slow")
    void another_value_changes_the_answer_of_a_slow_command(Fixture fixture) throws IOException {
        assertMatters(fixture);
    }

    /** A second run without the option proves that lines differ by the option alone. */
    private static void assertMatters(Fixture fixture) throws IOException {
        boolean isRefused = fixture.change.startsWith("!");
        boolean isNeeded = fixture.change.startsWith("?");
        String change = isRefused || isNeeded ? fixture.change.substring(1).strip() : fixture.change;
        int to = change.indexOf("-> ");
        String before = to < 0 ? "" : change.substring(0, to).strip();
        String after = to < 0 ? change : change.substring(to + 3).strip();
        String base = to < 0 ? fixture.words : with(fixture, before);

        Run now = KNOWN.get(base);
        if (now == null) {
            now = run(base);
            assertThat(run(base)).as("a second run of %s", base).isEqualTo(now);
            KNOWN.put(base, now);
        }
        Run then = run(with(fixture, after));

        assertThat(now.code).as("%s: %s", base, now.lines).isEqualTo(isNeeded ? 2 : 0);
        assertThat(then.code).as("%s: %s", fixture, then.lines).isEqualTo(isRefused ? 2 : 0);
        Set<String> known = new LinkedHashSet<>();
        now.lines.forEach(line -> known.add(without(before, line)));
        Set<String> fresh = new LinkedHashSet<>();
        then.lines.forEach(line -> fresh.add(without(after, line)));
        fresh.removeAll(known);
        fresh.removeIf(line -> before.isEmpty() && !isRefused && line.contains(VALUE));
        assertThat(fresh).as("%s changes nothing beside %s", after, base).isNotEmpty();
    }

    /** A line with a word in place of the value, which both runs may repeat. */
    private static String without(String value, String line) {
        return value.isEmpty() ? line : line.replaceAll("(?<![\\w.])" + Pattern.quote(value) + "(?![\\w.])", VALUE);
    }

    private static String with(Fixture fixture, String value) {
        String option = "%s %s".formatted(fixture.option, value).strip();
        return fixture.words.contains("OPTION")
                ? fixture.words.replace("OPTION", option)
                : fixture.words + " " + option;
    }

    @AfterAll
    static void forget() {
        KNOWN.clear();
    }

    /** The files of $IN. */
    @BeforeAll
    static void files() throws IOException {
        List<String> log = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,start_s,end_s,model,user,group"));
        List<String> night =
                new ArrayList<>(List.of("JobID|JobName|User|Cluster|State|Submit|Start|End|AllocTRES|ReqTRES"));
        List<String> pods = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            int submit = 150 * i;
            int start = submit + 200 * (i % 3);
            int end = start + 300 + 97 * i % 900;
            int gpus = 1 << i % 3;
            log.add("j%d,%d,%d,%d,%d,%d,,u%d,g%d".formatted(i, submit, gpus, end - start, start, end, i % 4, i % 2));
            night.add(SLURM.formatted(i, time(submit), time(start), time(end), "gpu=" + gpus));
            pods.add(POD.formatted(i, i % 20 == 19 ? ".shared" : "", gpus, time(submit), time(start), time(end)));
        }
        file("log.csv", log);
        file("night.txt", night);
        file("pods.json", List.of("{\"kind\": \"List\", \"items\": [" + String.join(",\n", pods) + "]}"));
        night.add(SLURM.formatted(999, time(0), time(20), time(18000), "shard=32"));
        file("shards.txt", night);
        List<String> clusters = new ArrayList<>();
        for (int i = 0; i < log.size(); i++) {
            clusters.add(log.get(i) + (i == 0 ? ",virtual_cluster" : i % 9 == 0 ? ",v1" : ",v2"));
        }
        file("clusters.csv", clusters);
        file(
                "foreign.csv",
                log.stream()
                        .map(line -> line.replaceFirst(
                                "^job,submit_s,gpus,duration_s,start_s,end_s", "id,sent,n,took,began,over"))
                        .toList());
        List<String> wide = new ArrayList<>(log);
        wide.add("wide,100,64,5000,200,5200,,u,g");
        file("wide.csv", wide);
        log.add("j999,100,none,5,,,,u,g");
        file("damaged.csv", log);
        file("again.csv", List.of(Files.readString(DATA.resolve("matrix.csv")).replace("0.9034", "0.8034")));
        file(
                "slurm.sh",
                List.of(
                        "#!/bin/sh",
                        "asked=$1",
                        "shift",
                        "echo \"$@\" >> \"$asked\"",
                        "exec \"%s\" \"$@\"".formatted(DATA.resolve("slurm/answer"))));
        Files.setPosixFilePermissions(in.resolve("slurm.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(Shell.command("fit runtime --data generated --jobs 150 --out %s", in.resolve("model"))
                        .code())
                .isZero();
        Files.createDirectory(in.resolve("plan"));
        file(
                "plan/reservations.txt",
                List.of(
                        "ReservationName=m StartTime=2026-10-25T02:30:00 EndTime=2026-10-25T08:30:00 Duration=06:00:00",
                        "   Nodes=ALL NodeCnt=2 CoreCnt=16 Features=(null) PartitionName=(null)"
                                + " Flags=MAINT,IGNORE_JOBS,SPEC_NODES,ALL_NODES",
                        "   Users=root Accounts=(null) State=INACTIVE"));
    }

    /** In the night in which clocks of Berlin go back. */
    private static String time(int second) {
        return LocalDateTime.of(2026, 10, 25, 0, 0).plusSeconds(second).format(DateTimeFormatter.ISO_LOCAL_DATE_TIME);
    }

    private static void file(String name, List<String> lines) throws IOException {
        Files.write(in.resolve(name), lines);
    }

    /** Runs commands joined by {@code &&} of which the last counts, in an empty folder. */
    private static Run run(String words) throws IOException {
        Path out = Files.createTempDirectory(in, "out");
        Shell shell = new Shell(0, "", "");
        for (String command : words.replace("OPTION", "").split("&&", -1)) {
            shell = Shell.run(Stream.of(command.strip().split(" +", -1))
                    .filter(word -> !word.isEmpty())
                    .map(word -> word.replace('~', ' ').replace("$OUT", out.toString()))
                    .map(EveryOptionMattersTest::filled)
                    .toArray(String[]::new));
        }
        Set<String> lines = new LinkedHashSet<>();
        shell.out().lines().forEach(line -> lines.add(masked(line, out)));
        shell.err().lines().forEach(line -> lines.add("error: " + masked(line, out)));
        try (Stream<Path> files = Files.walk(out)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String name = out.relativize(file).toString();
                if (!LEFT_OUT.matcher(name).matches()) {
                    lines.add(name + ": a file");
                    byte[] bytes = Files.readAllBytes(file);
                    String text = new String(bytes, StandardCharsets.UTF_8);
                    if (bytes.length > MOST_BYTES || text.contains("\uFFFD")) {
                        lines.add(name + ": " + Arrays.hashCode(bytes));
                    } else {
                        text.lines().forEach(line -> lines.add(name + ": " + masked(line, out)));
                    }
                }
            }
        }
        return new Run(shell.code(), lines);
    }

    private static String filled(String word) {
        return word.replace("$IN", in.toString())
                .replace("$DATA", DATA.toString())
                .replace("$ROOT", ROOT.toString());
    }

    private static String masked(String line, Path out) {
        return TIMES.matcher(line.replace(out.toString(), "$OUT")).replaceAll("...");
    }
}
