package org.trainyard.experiments.frozen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.cli.Trainyard;
import picocli.CommandLine;

/**
 * What every command prints and writes stays as it is: its help, and runs of a moment. The folder
 * {@code frozen/commands} has the lines of the runs in {@code lines.txt}, files that they read in {@code data}, and in
 * {@code answers} a folder for each line: what was printed in {@code console.txt}, and short files that were written.
 */
class FrozenCommandsTest {
    private static final Path FOLDER = FrozenText.FOLDER.resolve("commands");
    private static final Path ANSWERS = FOLDER.resolve("answers");
    private static final Path ROOT = FrozenText.ROOT.toAbsolutePath().normalize();
    private static final Path DATA = FOLDER.resolve("data").toAbsolutePath().normalize();
    /** Longer files are kept as their size and their hash. */
    private static final int LONGEST = 10_000;
    /** What decoding writes for bytes that are no text. */
    private static final String NO_TEXT = "\uFFFD";
    /** Files with wall-clock times. */
    private static final Pattern LEFT_OUT = Pattern.compile("(.*/)?(timing\\.json|tensorboard/.*)|drive/.*");
    /** Files that libraries fill as they like, or with their last digits: only the name is kept. */
    private static final Pattern NAMED = Pattern.compile(
            "(.*/)?(results\\.(duckdb|parquet)|.*\\.gz|.*\\.npz|weights\\.bin|model/((model|errors)\\.json|card\\.html))");
    /** What is masked in a line, between a group and another. */
    private static final List<Pattern> MASKED = Stream.of(
                    // What build and machine made a policy, and the hash of a file that says so.
                    "^( *\"?(?:code_version|code_sha256|java|os)\"?(?: : | {2,})).*()$",
                    "^( {2}\"sha256\" : )\"[0-9a-f]{64}\"()$",
                    "^(\\| code \\| ).*( \\|)$",
                    // Last digits of native libraries.
                    "^( *\"largest_(?:difference|sum_error)\" : ).*(,)$",
                    "( decisions equal, largest difference of scores ).*()$",
                    "( parameters, kept as they are, SHA-256 ).*()$",
                    // The number of schedulers that a refusal does not name.
                    "(expected a known name .* and )\\d+( more)$",
                    // Wall-clock times.
                    "^()\\d\\d:\\d\\d:\\d\\d\\.\\d{3}( )",
                    "^(.*\\d) +\\d+\\.\\d\\d s +[\\d,]+()$",
                    "^(.* \\d+ % +\\d+) +[\\d,]+()$",
                    "(, decided in )\\d+( ms)$")
            .map(rule -> Pattern.compile(rule, Pattern.MULTILINE))
            .toList();

    @TempDir
    private Path out;

    private final Map<String, String> answer = new TreeMap<>();
    private final StringBuilder console = new StringBuilder();

    static Stream<Arguments> lines() throws IOException {
        List<Arguments> lines = new ArrayList<>();
        helps("", Trainyard.all(), lines);
        for (String line : Files.readAllLines(FOLDER.resolve("lines.txt"))) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                int at = line.indexOf(": ");
                lines.add(Arguments.of(line.substring(0, at), line.substring(at + 2)));
            }
        }
        return lines.stream();
    }

    private static void helps(String path, CommandLine command, List<Arguments> lines) {
        lines.add(Arguments.of(("help" + path).replace(' ', '-'), (path + " --help").strip()));
        command.getSubcommands().forEach((name, one) -> helps(path + " " + name, one, lines));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lines")
    void a_command_prints_and_writes_as_ever(String name, String line) throws IOException {
        for (String command : line.split(" && ", -1)) {
            run(command);
        }
        readFiles();
        answer.put("console.txt", console.toString());

        Path folder = ANSWERS.resolve(name);
        if (FrozenText.IS_WRITING) {
            delete(folder);
            for (Map.Entry<String, String> file : answer.entrySet()) {
                Path path = folder.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue());
            }
        }
        Map<String, String> frozen = new TreeMap<>();
        for (Path file : files(folder)) {
            frozen.put(relative(folder, file), Files.readString(file));
        }
        assertThat(answer.keySet()).isEqualTo(frozen.keySet());
        answer.forEach((file, text) -> assertThat(text.lines())
                .as("%s of %s; -Dtrainyard.freeze writes it anew", file, name)
                .containsExactlyElementsOf(frozen.get(file).lines().toList()));
    }

    @Test
    void every_answer_has_its_line() throws IOException {
        try (Stream<Path> folders = Files.list(ANSWERS)) {
            assertThat(folders.map(folder -> folder.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            lines().map(line -> (String) line.get()[0]).toList());
        }
    }

    /** Of a noun beside its number, in all that commands print and write; names of options and files are no prose. */
    @Test
    void no_answer_has_one_thing_in_the_plural_or_a_duration_with_a_unit_of_zero() throws IOException {
        Pattern plural = Pattern.compile(
                "(?<![\\w.,/+:-])1 (?:such |test |virtual )?(?:accounts|agents|clusters|CPUs|days|episodes"
                        + "|GPUs|groups|hours|jobs|nodes|pods|racks|replays|rows|runs|schedulers|servers|steps|tasks|times|users)\\b");
        Pattern zero = Pattern.compile("\\d (?:min 0 s|h 0 min|d 0 h)\\b");
        List<String> wrong = new ArrayList<>();
        for (Path file : files(ANSWERS)) {
            for (String line : Files.readAllLines(file)) {
                if (plural.matcher(line).find() || zero.matcher(line).find()) {
                    wrong.add(relative(ANSWERS, file) + ": " + line);
                }
            }
        }
        assertThat(files(ANSWERS)).isNotEmpty();
        assertThat(wrong).isEmpty();
    }

    private void run(String command) {
        String words = command.replace("$OUT", out.toString())
                .replace("$DATA", DATA.toString())
                .replace("$ROOT", ROOT.toString());
        Shell shell = Shell.run(words.split(" ", -1));
        console.append("$ trainyard %s\n%s".formatted(command, masked(shell.out())));
        if (!shell.err().isEmpty()) {
            console.append("$ errors\n").append(masked(shell.err()));
        }
        if (shell.code() != 0) {
            console.append("$ exit %d\n".formatted(shell.code()));
        }
    }

    private String masked(String text) {
        String masked = text.replace(out.toString(), "$OUT")
                .replace(DATA.toString(), "$DATA")
                .replace(ROOT.toString(), "$ROOT");
        for (Pattern rule : MASKED) {
            masked = rule.matcher(masked).replaceAll("$1...$2");
        }
        return masked;
    }

    private void readFiles() throws IOException {
        for (Path file : files(out)) {
            String name = relative(out, file);
            if (LEFT_OUT.matcher(name).matches()) {
                continue;
            }
            String text = masked(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
            if (NAMED.matcher(name).matches()) {
                console.append("$ file %s\n".formatted(name));
            } else if (text.length() > LONGEST || text.contains(NO_TEXT)) {
                console.append(
                        "$ file %s, %d characters, %s\n".formatted(name, text.length(), new Fingerprint().add(text)));
            } else {
                answer.put(name, text);
            }
        }
    }

    private static String relative(Path folder, Path file) {
        return folder.relativize(file).toString().replace('\\', '/');
    }

    private static List<Path> files(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void delete(Path folder) throws IOException {
        for (Path file : files(folder)) {
            Files.delete(file);
        }
    }
}
