package org.trainyard.experiments.build;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The sources of a checkout, and those that are not as they were built.
 *
 * @param work a folder for what is built
 * @param all the files, relative to the root
 * @param changed the files that were changed, added or deleted
 */
record ChangedSources(Path root, Path work, Set<String> all, Set<String> changed) {
    static final String JAVA = "/src/main/java/";
    static final String RESOURCES = "/src/main/resources/";

    /** From lists by cksum of the sources as they were built, and as they are. */
    static ChangedSources read(Path root, Path work, Path built, Path listed) throws IOException {
        Map<String, String> before = sums(built);
        Map<String, String> now = sums(listed);
        Set<String> changed = new TreeSet<>(before.keySet());
        changed.addAll(now.keySet());
        changed.removeIf(file -> now.getOrDefault(file, "").equals(before.get(file)));
        return new ChangedSources(root, work, now.keySet(), changed);
    }

    private static Map<String, String> sums(Path list) throws IOException {
        Map<String, String> sums = new TreeMap<>();
        for (String line : Files.readAllLines(list)) {
            String[] parts = line.split(" ", 3);
            sums.put(parts[2], parts[0] + " " + parts[1]);
        }
        return sums;
    }

    /** Whether only classes and resources changed, none of them a resource that Maven may filter. */
    boolean areClassesAndResources() throws IOException {
        for (String file : changed) {
            boolean isPlain = file.contains(RESOURCES)
                    && (!all.contains(file)
                            || !Files.readString(root.resolve(file), StandardCharsets.ISO_8859_1)
                                    .contains("${"));
            if (!isPlain && !file.contains(JAVA)) {
                return false;
            }
        }
        return true;
    }

    Stream<String> below(String folder, Set<String> files) {
        return files.stream().filter(file -> file.startsWith(folder)).map(file -> file.substring(folder.length()));
    }
}
