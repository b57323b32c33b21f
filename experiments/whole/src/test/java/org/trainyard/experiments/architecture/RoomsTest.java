package org.trainyard.experiments.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The packages of all modules and the arrows between them, held against {@code rooms.txt}: each line names a package
 * and the packages that it may depend on. An arrow of the code that the file does not list fails, and so does a listed
 * arrow that no class uses.
 */
class RoomsTest {
    private static final String ROOT = "org.trainyard.";
    /** Javadoc of a package whose first sentence ends with a full stop. */
    private static final Pattern SENTENCE = Pattern.compile("/\\*\\*[\\s*]+[A-Z](?s:.*?)\\w\\W*\\.\\s");

    @Test
    void every_arrow_between_packages_is_listed_and_every_listed_arrow_is_used() throws IOException {
        Map<String, String> used = usedArrows();
        Set<String> listed = new TreeSet<>();
        listedArrows().forEach((from, targets) -> targets.forEach(to -> listed.add(from + " -> " + to)));

        assertThat(used.entrySet().stream()
                        .filter(arrow -> !listed.contains(arrow.getKey()))
                        .map(arrow -> arrow.getKey() + ", for " + arrow.getValue()))
                .as("arrows that rooms.txt does not allow")
                .isEmpty();
        assertThat(listed.stream().filter(arrow -> !used.containsKey(arrow)))
                .as("arrows of rooms.txt that no class uses")
                .isEmpty();
    }

    @Test
    void every_package_is_listed() throws IOException {
        assertThat(listedArrows().keySet())
                .isEqualTo(ProgramClasses.ALL.stream()
                        .filter(type -> !type.getSimpleName().equals("package-info"))
                        .map(RoomsTest::room)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void no_packages_depend_on_each_other_in_a_circle() throws IOException {
        Map<String, Set<String>> arrows = listedArrows();
        for (String room : arrows.keySet()) {
            Deque<String> next = new ArrayDeque<>(arrows.get(room));
            Set<String> reached = new TreeSet<>();
            while (!next.isEmpty()) {
                String other = next.pop();
                if (reached.add(other)) {
                    next.addAll(arrows.getOrDefault(other, Set.of()));
                }
            }
            assertThat(reached).as("packages that %s depends on", room).doesNotContain(room);
        }
    }

    /** A package ends where its subject does, not at a number of files. */
    @Test
    void every_package_says_in_a_sentence_what_belongs_into_it() throws IOException {
        Map<Path, Boolean> said = new TreeMap<>();
        for (Path source : sources()) {
            Path folder = source.getParent();
            if (folder.toString().contains("/src/main/java/")) {
                said.putIfAbsent(folder, false);
                if (source.endsWith("package-info.java")) {
                    said.put(folder, SENTENCE.matcher(Files.readString(source)).find());
                }
            }
        }

        assertThat(said).isNotEmpty();
        assertThat(said.entrySet().stream().filter(folder -> !folder.getValue()).map(Map.Entry::getKey))
                .isEmpty();
    }

    @Test
    void no_two_classes_have_one_simple_name() throws IOException {
        Map<String, List<Path>> byName = sources().stream()
                .filter(file -> !file.endsWith("package-info.java"))
                .collect(Collectors.groupingBy(file -> file.getFileName().toString()));
        byName.values().removeIf(files -> files.size() == 1);

        assertThat(byName).isEmpty();
    }

    /** From "a -> b" to two classes that make it so. */
    private static Map<String, String> usedArrows() {
        Map<String, String> arrows = new TreeMap<>();
        for (JavaClass type : ProgramClasses.ALL) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (target.getPackageName().startsWith(ROOT) && !room(type).equals(room(target))) {
                    arrows.putIfAbsent(
                            room(type) + " -> " + room(target),
                            type.getSimpleName() + " uses " + target.getSimpleName());
                }
            }
        }
        return arrows;
    }

    private static Map<String, Set<String>> listedArrows() throws IOException {
        Map<String, Set<String>> arrows = new TreeMap<>();
        for (String line : Files.readAllLines(root().resolve("experiments/whole/src/test/resources/rooms.txt"))) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] sides = line.split(":", 2);
            arrows.put(
                    sides[0].strip(),
                    Arrays.stream(sides[1].strip().split("\\s+"))
                            .filter(name -> !name.isEmpty())
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
        return arrows;
    }

    private static String room(JavaClass type) {
        return type.getPackageName().substring(ROOT.length());
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(root())) {
            return files.filter(file ->
                            file.toString().endsWith(".java") && file.toString().contains("/src/"))
                    .toList();
        }
    }

    private static Path root() {
        return Path.of(System.getProperty("trainyard.root", ".."));
    }
}
