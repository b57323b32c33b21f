package org.trainyard.experiments.modules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The arrows between the modules that are here: a module of the core uses no wing, and a wing only what its pom names.
 */
class ModulesTest {
    private static final Path ROOT =
            Path.of(System.getProperty("trainyard.root", "..")).toAbsolutePath().normalize();
    private static final Pattern ARTIFACT = Pattern.compile("</parent>\\s*<artifactId>([^<]+)</artifactId>");
    private static final Pattern DEPENDENCY =
            Pattern.compile("<groupId>org\\.trainyard</groupId><artifactId>([^<]+)</artifactId>");
    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?(org\\.trainyard(?:\\.[a-z]\\w*)*)\\.([A-Z]\\w*)", Pattern.MULTILINE);

    /** A module with the modules that its pom names, by artifact. */
    private record Module(Path folder, boolean isWing, Set<String> named) {}

    private static final Map<String, Module> MODULES = modules();

    @Test
    void no_module_of_the_core_stands_on_a_wing_even_in_its_tests() {
        List<String> arrows = new ArrayList<>();
        MODULES.forEach((name, module) -> module.named().stream()
                .filter(to -> !module.isWing()
                        && MODULES.containsKey(to)
                        && MODULES.get(to).isWing())
                .forEach(to -> arrows.add(name + " -> " + to)));

        assertThat(MODULES).containsKeys("env-world", "env-gym", "gnn", "agents-learned", "experiments-train");
        assertThat(arrows).isEmpty();
    }

    @Test
    void every_class_uses_only_modules_below_its_own() throws IOException {
        Map<String, String> homes = new TreeMap<>();
        for (Map.Entry<String, Module> module : MODULES.entrySet()) {
            for (Path file : sources(module.getValue())) {
                homes.put(className(file), module.getKey());
            }
        }
        List<String> arrows = new ArrayList<>();
        for (Map.Entry<String, Module> module : MODULES.entrySet()) {
            Set<String> below = below(module.getKey());
            for (Path file : sources(module.getValue())) {
                Matcher imports = IMPORT.matcher(Files.readString(file));
                while (imports.find()) {
                    String home = homes.get(imports.group(1) + "." + imports.group(2));
                    if (home != null && !home.equals(module.getKey()) && !below.contains(home)) {
                        arrows.add("%s: %s -> %s (%s)"
                                .formatted(ROOT.relativize(file), module.getKey(), home, imports.group(2)));
                    }
                }
            }
        }

        assertThat(homes).hasSizeGreaterThan(500);
        assertThat(arrows).as("%d forbidden arrows", arrows.size()).isEmpty();
    }

    private static Set<String> below(String module) {
        Set<String> below = new TreeSet<>();
        List<String> next = new ArrayList<>(MODULES.get(module).named());
        while (!next.isEmpty()) {
            String one = next.remove(next.size() - 1);
            if (MODULES.containsKey(one) && below.add(one)) {
                next.addAll(MODULES.get(one).named());
            }
        }
        return below;
    }

    private static Map<String, Module> modules() {
        Map<String, Module> modules = new TreeMap<>();
        try (Stream<Path> poms = Files.find(ROOT, 3, (file, of) -> file.endsWith("pom.xml"))) {
            for (Path pom : poms.toList()) {
                String text = Files.readString(pom);
                Matcher artifact = ARTIFACT.matcher(text);
                // Spark's part is a profile of its own.
                if (artifact.find()
                        && !text.contains("<packaging>pom</packaging>")
                        && !pom.toString().contains("spark")) {
                    Set<String> named = new TreeSet<>();
                    DEPENDENCY.matcher(text).results().forEach(one -> named.add(one.group(1)));
                    // The program has whatever is there.
                    if (!artifact.group(1).equals("experiments-app")) {
                        modules.put(
                                artifact.group(1),
                                new Module(pom.getParent(), text.contains("<wing>true</wing>"), named));
                    }
                }
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return modules;
    }

    private static List<Path> sources(Module module) throws IOException {
        Path folder = module.folder().resolve("src/main/java");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static String className(Path file) {
        String path = file.toString().replace('\\', '/');
        return path.substring(
                        path.indexOf("/src/main/java/") + "/src/main/java/".length(), path.length() - ".java".length())
                .replace('/', '.');
    }
}
