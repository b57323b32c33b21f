package org.trainyard.experiments.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No file tells its reader to install {@code trainyard} from the package index, where a project of somebody else has
 * that name.
 */
class InstallCommandsTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final Set<String> BUILT = Set.of("target", "node_modules", "__pycache__", "runs");
    private static final long MOST_BYTES = 2 << 20;

    /** The words of a command in a shell, or of a list of strings in a program, to the end of the command. */
    private static final Pattern COMMAND =
            Pattern.compile("\\b(?:pip[\\d.]*|pipx|uv|poetry|pdm|conda|mamba)[\\s\"',]+(?:-[^\\s\"',]+[\\s\"',]+)*"
                    + "(?:(?:pip|tool)[\\s\"',]+)?(?:install|add|download|run)\\b([^\\n`;&|<]*)");

    private static final Pattern NAME = Pattern.compile("(?i)trainyard(?:[\\[=<>!~@].*|[.:])?");

    /** A line of a list of requirements; the bare name is a word of other files too. */
    private static final Pattern REQUIREMENT = Pattern.compile("(?im)^\\s*(?:-\\s*)?[\"']?trainyard\\s*"
            + "(?:(?:\\[[\\w, -]*])?\\s*(?:[=<>!~]=|[<>@])\\s*[\\w\"'].*|\\[[\\w, -]*][\"']?,?)$");

    private static final Pattern BARE_REQUIREMENT = Pattern.compile("(?im)^\\s*trainyard\\s*(?:[#;].*)?$");

    /** What a file of that name says about our name on the index. */
    private static List<String> faults(String file, String text) {
        String joined = text.replaceAll("\\\\\\R", " ");
        Stream<MatchResult> commands = COMMAND.matcher(joined)
                .results()
                .filter(command -> Stream.of(command.group(1).split("[\\s\"'(),]+"))
                        .anyMatch(word -> NAME.matcher(word).matches()));
        Stream<MatchResult> lines = REQUIREMENT.matcher(joined).results();
        Stream<MatchResult> bare = file.matches(".*require.*\\.(?:txt|in)|.*/examples/.*\\.txt")
                ? BARE_REQUIREMENT.matcher(joined).results()
                : Stream.empty();
        return Stream.of(commands, lines, bare)
                .flatMap(found -> found)
                .map(found -> file + ": " + found.group().strip())
                .toList();
    }

    @Test
    void no_file_says_to_install_a_stranger_s_package() throws IOException {
        List<String> faults = new ArrayList<>();
        List<Path> read = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes about) {
                String name = String.valueOf(folder.getFileName());
                boolean isHidden = name.startsWith(".") && !name.equals(".github");
                return !folder.equals(ROOT) && (isHidden || BUILT.contains(name))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes about) throws IOException {
                if (about.isRegularFile() && about.size() <= MOST_BYTES) {
                    try {
                        faults.addAll(faults(file.toString().replace('\\', '/'), Files.readString(file)));
                        read.add(ROOT.relativize(file));
                    } catch (MalformedInputException e) {
                        return FileVisitResult.CONTINUE;
                    }
                }
                return FileVisitResult.CONTINUE;
            }
        });

        assertThat(read).contains(Path.of("README.md"), Path.of("CHANGELOG.md"), Path.of("trainyard"));
        assertThat(read).anyMatch(file -> file.endsWith("maskable_ppo.py"));
        assertThat(faults).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pip install NAME",
                "    pip install NAME gymnasium sb3-contrib",
                "pip install numpy \\\n    NAME",
                "pip3 install -U NAME",
                "pip3.11 install --user NAME==0.0.3",
                "python -m pip -q install \"NAME[gym,multi]\" torch",
                "pip install 'NAME>=0.1'",
                "Install it by `pip install NAME`.",
                "uv pip install NAME",
                "uv add NAME",
                "uv tool install NAME",
                "pipx install NAME",
                "poetry add NAME",
                "run(List.of(python, \"-m\", \"pip\", \"install\", \"-q\", \"NAME\"))",
                "<code>pip install NAME</code>",
                "NAME==0.1.0",
                "numpy\nNAME >= 0.1\n",
                "  - NAME[gym]",
                "dependencies = [\n    \"NAME>=0.1\",\n]",
            })
    void a_variant_of_the_command_is_found(String text) {
        assertThat(faults("page.md", text.replace("NAME", "trainyard"))).hasSize(1);
    }

    @Test
    void a_bare_line_of_requirements_is_found() {
        assertThat(faults("a/requirements.txt", "numpy\ntrainyard  # the gym\n"))
                .hasSize(1);
        assertThat(faults("python/examples/ppo.txt", "trainyard\n")).hasSize(1);
        assertThat(faults("page.md", "trainyard\n")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pip install trainyard-gym",
                "pip install experiments/target/trainyard_gym-0.1.0-py3-none-any.whl gymnasium",
                "pip install numpy && python -m trainyard list",
                "run `pip install numpy`, then trainyard's recipes",
                "pip uninstall trainyard",
                "import trainyard",
                "trainyard = trainyard.__main__:main",
                "trainyard list > names.txt",
            })
    void other_lines_pass(String text) {
        assertThat(faults("page.md", text)).isEmpty();
    }
}
