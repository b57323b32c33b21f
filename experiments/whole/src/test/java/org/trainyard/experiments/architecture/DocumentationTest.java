package org.trainyard.experiments.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.experiments.Shell;

/** Links, commands and files that the documents name exist. */
class DocumentationTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(#[^)\\s]*)?\\)");
    private static final Path NOTEBOOK = ROOT.resolve("experiments/docs/notebook");
    private static final String DIRECTORY = "trainyard.directory";
    private static final String QUICKSTART = "train experiments/configs/quickstart.yaml";

    /** Commands of all pages, those that ran apart. */
    private static final Set<List<String>> SEEN = new HashSet<>();

    private static final Set<List<String>> RAN = new HashSet<>();

    static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        try (Stream<Path> top = Files.walk(ROOT, 2);
                Stream<Path> pages = Files.walk(ROOT.resolve("experiments/docs"));
                Stream<Path> cards = Files.walk(ROOT.resolve("checkpoints"))) {
            Stream.of(top, pages, cards)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .distinct()
                    .forEach(documents::add);
        }
        for (String folder : List.of("env", "agents", "experiments")) {
            try (Stream<Path> modules = Files.list(ROOT.resolve(folder))) {
                modules.filter(module -> Files.exists(module.resolve("pom.xml")))
                        .map(module -> module.resolve("README.md"))
                        .forEach(documents::add);
            }
        }
        return documents.stream().sorted().toList();
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
    void every_command_runs_or_is_parsed_and_finds_what_it_names(Path document, @TempDir Path folder)
            throws IOException {
        String page = Files.readString(document);
        List<DocumentedCommand> commands = DocumentedCommand.of(page);
        if (commands.isEmpty()) {
            return;
        }
        ReadersFiles.write(folder, ROOT, !page.contains(QUICKSTART));
        Set<String> unmade = new HashSet<>();
        SoftAssertions.assertSoftly(softly -> {
            for (DocumentedCommand command : commands) {
                softly.assertThatCode(() -> {
                            follow(command, folder, unmade);
                        })
                        .as("%s", command.words())
                        .doesNotThrowAnyException();
            }
        });
        ReadersFiles.unlink(folder);
    }

    private static void follow(DocumentedCommand command, Path folder, Set<String> unmade) {
        boolean isNew = SEEN.add(command.words());
        command.parsed();
        if (!command.runsIn(folder, unmade)) {
            command.requireNames(ROOT, unmade);
            unmade.addAll(command.outputs());
            return;
        }
        RAN.add(command.words());
        if (!isNew) {
            return;
        }
        Shell shell = in(folder, command.small());
        assertThat(shell.code()).as("%s: %s", command.small(), shell.err()).isZero();
    }

    private static Shell in(Path folder, List<String> words) {
        System.setProperty(DIRECTORY, folder.toString());
        try {
            return Shell.run(words.stream()
                    .map(word -> word.replaceAll("\\b(kueue|slurm|volcano):(?=experiments/)", "$1:" + folder + "/"))
                    .toList());
        } finally {
            System.clearProperty(DIRECTORY);
        }
    }

    @AfterAll
    static void two_of_five_commands_run() {
        assertThat(RAN.size() * 5).isGreaterThanOrEqualTo(SEEN.size() * 2);
    }
}
