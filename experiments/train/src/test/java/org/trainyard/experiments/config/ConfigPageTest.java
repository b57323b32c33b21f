package org.trainyard.experiments.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The page of all keys of an experiment, made from the comments of the files that have all keys. */
class ConfigPageTest {
    private static final Path EXPERIMENTS = Path.of(System.getProperty("trainyard.root"), "experiments");
    private static final Path BASE = EXPERIMENTS.resolve("configs/base.yaml");
    private static final Path DQN = EXPERIMENTS.resolve("configs/baselines/dqn.yaml");
    private static final Path PAGE = EXPERIMENTS.resolve("docs/reference/config.md");
    private static final Pattern KEY = Pattern.compile("( *)([a-z_]+):(?: (.*))?");

    /** A key with its value in the file and the comment above it, which is empty where the key before has it. */
    private record Key(String path, String value, String meaning) {
        String named() {
            return "`%s`%s".formatted(path, value.isEmpty() ? "" : " (`" + value + "`)");
        }
    }

    @Test
    void the_page_has_every_key_as_the_files_explain_it() throws IOException {
        String page = page();
        if (Boolean.getBoolean("trainyard.freeze")) {
            Files.writeString(PAGE, page);
        }

        assertThat(page).isEqualTo(Files.readString(PAGE));
    }

    @Test
    void the_base_has_every_key_of_an_experiment_and_says_what_each_is() throws IOException {
        List<Key> keys = keys(BASE);
        Set<String> expected = new TreeSet<>();
        addKeys(ExperimentConfig.class, "", expected);

        assertThat(keys.stream().map(Key::path)).containsAll(expected);
    }

    private static void addKeys(Class<?> type, String path, Set<String> keys) {
        for (RecordComponent component : type.getRecordComponents()) {
            String key = path + component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
            keys.add(key);
            // Of records that may be null the base has an example in its comment.
            if (component.getType().isRecord() && !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                addKeys(component.getType(), key + ".", keys);
            }
        }
    }

    private static String page() throws IOException {
        List<Key> learner = keys(DQN).stream()
                .filter(key -> key.path().startsWith("learner."))
                .toList();
        return """
            # Keys of an experiment

            Made from the comments of `experiments/configs/base.yaml` and `baselines/dqn.yaml`; `ConfigPageTest` holds it equal to them.
            A config names a `base` and has only the keys that differ from it. Values in brackets are those of the files.

            %s
            ## Learner `Dqn`

            %s\
            """.formatted(rows(keys(BASE)), rows(learner));
    }

    /** An entry for each comment, with all keys that it explains, in lines of at most 150 characters. */
    private static String rows(List<Key> keys) {
        StringBuilder rows = new StringBuilder();
        for (int first = 0; first < keys.size(); ) {
            int next = first + 1;
            while (next < keys.size() && keys.get(next).meaning().isEmpty()) {
                next++;
            }
            rows.append("- %s: %s%n"
                    .formatted(
                            keys.subList(first, next).stream().map(Key::named).collect(Collectors.joining(", ")),
                            keys.get(first).meaning())
                    .replaceAll("(.{60,150}) (?=.)", "$1\n   "));
            first = next;
        }
        return rows.toString();
    }

    /** The keys of a file in its order. */
    private static List<Key> keys(Path file) throws IOException {
        List<Key> keys = new ArrayList<>();
        Deque<String> parents = new ArrayDeque<>();
        List<String> comment = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            Matcher key = KEY.matcher(line);
            if (line.strip().startsWith("#")) {
                comment.add(line.strip().substring(1).strip());
            } else if (line.isBlank()) {
                comment.clear();
            } else if (key.matches()) {
                while (parents.size() > key.group(1).length() / 2) {
                    parents.removeLast();
                }
                parents.addLast(key.group(2));
                String value = key.group(3) == null ? "" : key.group(3);
                keys.add(new Key(String.join(".", parents), value, String.join(" ", comment)));
                comment.clear();
            }
        }
        return keys;
    }
}
