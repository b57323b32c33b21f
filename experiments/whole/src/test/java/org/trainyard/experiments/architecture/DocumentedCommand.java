package org.trainyard.experiments.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.trainyard.experiments.cli.Trainyard;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.config.topology.Clusters;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * A command of the command line as a page shows it.
 *
 * <p>A command runs when it ends by itself within seconds at a small size, writes nothing into the source tree, and all
 * that it reads is in the source tree, among the reader's own files or made by a command above it that runs. Every
 * other command (services, searches, several worlds or seeds, other machines' programs, placeholders) is parsed, and
 * the files, clusters, schedulers and configs that it names are looked up.
 *
 * @param words after the name of the launcher
 */
record DocumentedCommand(List<String> words) {
    /** Commands that end within seconds at a small size. */
    private static final Set<String> SHORT = Set.of(
            "advise",
            "evaluate",
            "export",
            "help",
            "inspect",
            "list",
            "plan",
            "predict",
            "records",
            "shadow",
            "simulate",
            "stress",
            "train",
            "when",
            "--version");

    /**
     * Options that ask for a search, for other machines, for another command's state or for another machine's programs.
     */
    private static final Set<String> LONG =
            Set.of("--tune", "--on", "--resume", "--columns", "--seeds", "--exec-prefix", "--search", "--verify");

    /** How much is done, and how little of it is enough to see that it is done. */
    private static final Map<String, String> AMOUNTS =
            Map.of("--jobs", "40", "--evaluations", "32", "--minutes", "0.01", "--runs", "3");

    private static final List<String> TINY = List.of(
            "learner.updates=1",
            "learner.plays_per_episode=2",
            "learner.episodes_per_update=1",
            "learner.minibatch=64",
            "episodes.jobs=12",
            "episodes.validation=1",
            "episodes.test=2",
            "schedulers=[fifo, sjf]");

    private static final List<String> TINY_GAME = List.of("learner.updates=20");

    private static final Pattern COMMAND = Pattern.compile("\\./trainyard ([^`\\n]*)");
    private static final Pattern WORD = Pattern.compile("((?:[^\\s'\"]|'[^']*'|\"[^\"]*\")+)");
    private static final Pattern FILE = Pattern.compile(
            "[\\w./*-]+\\.(csv|csv\\.gz|txt|yaml|jar)\\b|(?<![\\w./-])(\\.\\./|runs/|experiments/|checkpoints/)[\\w./*-]+");
    private static final Pattern CONFIG = Pattern.compile("experiments/configs/(?!games/).*\\.yaml");
    private static final Pattern TREE =
            Pattern.compile("(?<![\\w/.-])(experiments|checkpoints)/(?![\\w/-]+/target/)[\\w./-]+");
    private static final Pattern PLACEHOLDER =
            Pattern.compile("[A-Z]{2,}|.*python:.*|.*/\\{.*|.*…|.*\\bPATH/.*|.*/NAME|slurm");

    /** The commands of a page, in its order. */
    static List<DocumentedCommand> of(String page) {
        return COMMAND.matcher(page.replace("\\\n", " "))
                .results()
                .map(command -> new DocumentedCommand(split(command.group(1))))
                .toList();
    }

    private static List<String> split(String line) {
        List<String> words = new ArrayList<>();
        for (MatchResult word : WORD.matcher(line).results().toList()) {
            if (Set.of("#", ">", "|", "&").contains(word.group())) {
                break;
            }
            // [--quick] is an option that may be left out.
            String bare = word.group().matches("\\[--.*]")
                    ? word.group().substring(1, word.group().length() - 1)
                    : word.group();
            words.add(bare.replace("'", "").replace("\"", ""));
        }
        return words;
    }

    private String name() {
        return words.get(0);
    }

    /** The command line's own reading of the words; an unknown option or a value of another type is an error. */
    ParseResult parsed() {
        String[] read =
                words.subList(name().equals("help") ? 1 : 0, words.size()).toArray(String[]::new);
        ParseResult result = Trainyard.reading(read).parseArgs(read);
        while (result.hasSubcommand()) {
            result = result.subcommand();
        }
        return result;
    }

    /** The values of an option, split as the command splits them. */
    private List<String> values(String option) {
        return parsed().matchedArgs().stream()
                .filter(arg -> arg instanceof OptionSpec named
                        && List.of(named.names()).contains(option))
                .map(ArgSpec::stringValues)
                .flatMap(List::stream)
                .toList();
    }

    /**
     * Whether the command runs.
     *
     * @param unmade what commands above this one would have written
     */
    boolean runsIn(Path folder, Set<String> unmade) {
        return SHORT.contains(name())
                && words.stream().noneMatch(LONG::contains)
                && words.stream().noneMatch(word -> PLACEHOLDER.matcher(word).matches())
                && words.stream().noneMatch(word -> unmade.stream().anyMatch(word::contains))
                && outputs().stream().noneMatch(out -> out.startsWith("experiments/"))
                && missing(folder).isEmpty()
                && hasItsData()
                && !isOfManyWorlds(folder);
    }

    /** Whether the folder of public data is there, where the command reads it. */
    private boolean hasItsData() {
        return parsed().commandSpec().findOption("--data") == null
                || !values("--data").isEmpty()
                || Files.isDirectory(
                        Path.of(System.getProperty("trainyard.root", ".")).resolve("../shared/data"));
    }

    /** Whether the command trains one policy for several worlds, each with episodes of its own. */
    private boolean isOfManyWorlds(Path folder) {
        return name().equals("train")
                && words.stream()
                        .filter(word -> CONFIG.matcher(word).matches())
                        .map(config -> ConfigReader.read(folder.resolve(config), List.of())
                                .worlds())
                        .anyMatch(worlds -> worlds != null && worlds.size() > 1);
    }

    /** Where the command writes. */
    List<String> outputs() {
        return values("--out");
    }

    /** Files that the command names and that are not there, but for those that it writes. */
    List<String> missing(Path folder) {
        return words.stream()
                .filter(word -> !outputs().contains(word))
                .flatMap(word -> FILE.matcher(word).results())
                .map(MatchResult::group)
                .filter(file -> !Files.exists(folder.resolve(file)))
                .toList();
    }

    /**
     * Fails when a file of the source tree, a cluster, a scheduler or a key of a config is not there.
     *
     * @param unmade what commands above this one would have written
     */
    void requireNames(Path root, Set<String> unmade) {
        List<String> named = words.stream()
                .filter(word -> !PLACEHOLDER.matcher(word).matches())
                .toList();
        assertThat(named.stream().flatMap(word -> TREE.matcher(word).results()).map(MatchResult::group))
                .as("%s", words)
                .allSatisfy(file -> assertThat(root.resolve(file)).exists());
        Stream.of("--scheduler", "--schedulers")
                .flatMap(option -> values(option).stream())
                .filter(name -> !words.contains("--plugin")
                        && !Set.of("all", "learned").contains(name)
                        && name.matches("[^A-Z…/]+"))
                .forEach(name -> Schedulers.named("--scheduler", name));
        values("--cluster").stream()
                .filter(name -> !name.matches("[A-Z]+|.*\\.(yaml|gz)"))
                .forEach(name -> Clusters.resolve("--cluster", name));
        if (Set.of("train", "evaluate", "gym").contains(name())) {
            List<String> settings = values("--set").stream()
                    .filter(setting -> !setting.contains("/") && unmade.stream().noneMatch(setting::contains))
                    .toList();
            named.stream()
                    .filter(word -> CONFIG.matcher(word).matches())
                    .forEach(config -> ConfigReader.read(root.resolve(config), settings));
        }
    }

    /** The words with small amounts in place of theirs. */
    List<String> small() {
        List<String> small = new ArrayList<>(words);
        AMOUNTS.forEach((option, amount) -> {
            int at = small.indexOf(option);
            if (at >= 0) {
                small.set(at + 1, amount);
            }
        });
        if (words.contains("generated") && !words.contains("--jobs")) {
            small.addAll(List.of("--jobs", "40"));
        }
        if (name().equals("stress") && !words.contains("--evaluations") && !words.contains("--minutes")) {
            small.addAll(List.of("--evaluations", "32"));
        }
        if (Set.of("train", "evaluate").contains(name())) {
            List<String> tiny = words.stream().anyMatch(word -> word.contains("/games/")) ? TINY_GAME : TINY;
            tiny.stream()
                    .filter(setting -> name().equals("train") || !setting.startsWith("learner."))
                    .forEach(setting -> small.addAll(List.of("--set", setting)));
        }
        if (parsed().commandSpec().findOption("--replace") != null && !words.contains("--replace") && writes()) {
            small.add("--replace");
        }
        return small;
    }

    private boolean writes() {
        return name().equals("train") || !outputs().isEmpty();
    }
}
