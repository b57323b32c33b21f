package org.trainyard.experiments.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.experiments.Shell;

/** Links, commands and files that the documents name exist. */
class DocumentationTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(#[^)\\s]*)?\\)");
    private static final Pattern COMMAND =
            Pattern.compile("\\./trainyard ((?:(?:fit|predict|reproduce) )?[a-z][a-z-]*)([^`\\n]*)");
    private static final Path NOTEBOOK = ROOT.resolve("experiments/docs/notebook");
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*");
    private static final Pattern CONFIG = Pattern.compile("experiments/[\\w/.-]+\\.yaml");

    static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        try (Stream<Path> top = Files.walk(ROOT, 2);
                Stream<Path> pages = Files.walk(ROOT.resolve("experiments/docs"));
                Stream<Path> cards = Files.walk(ROOT.resolve("checkpoints"))) {
            Stream.of(top, pages, cards)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .distinct()
                    .sorted()
                    .forEach(documents::add);
        }
        return documents;
    }

    @ParameterizedTest
    @MethodSource("documents")
    void every_relative_link_leads_to_a_file(Path document) throws IOException {
        assertThat(LINK.matcher(Files.readString(document))
                        .results()
                        .map(link -> link.group(1))
                        .filter(link -> !link.contains(":"))
                        .filter(link -> !Files.exists(document.resolveSibling(link))))
                .isEmpty();
    }

    /** Pages of the notebook are frozen: their commands are those of their commits. */
    static List<Path> livingDocuments() throws IOException {
        return documents().stream()
                .filter(document -> !document.startsWith(NOTEBOOK))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("livingDocuments")
    void every_command_has_the_options_and_configs_that_it_is_shown_with(Path document) throws IOException {
        String text = Files.readString(document).replace("\\\n", " ");
        for (MatchResult command : COMMAND.matcher(text).results().toList()) {
            List<String> args = new ArrayList<>(List.of(command.group(1).split(" ")));
            args.add("--help");
            Shell help = Shell.run(args);
            assertThat(help.code()).as(command.group()).isZero();
            assertThat(matches(OPTION, command.group(2)))
                    .as(command.group())
                    .allMatch(option -> help.out().contains(option));
            assertThat(matches(CONFIG, command.group(2)))
                    .as(command.group())
                    .filteredOn(file -> !file.contains("NAME"))
                    .allSatisfy(file -> assertThat(ROOT.resolve(file)).exists());
        }
    }

    private static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group).toList();
    }
}
