package org.trainyard.experiments.papers.archive;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.InputFiles;

/** Text files in an archive that the system's tar unpacks. */
public final class TarFile {
    private TarFile() {}

    /**
     * The lines of the members that match, one file after the other; with {@code -v} among the members, each file is
     * preceded by its name.
     */
    public static List<String> lines(Path archive, String... members) {
        List<String> command = new ArrayList<>(
                List.of("tar", "-xOf", InputFiles.readable(archive).toString()));
        command.addAll(Arrays.asList(members));
        try {
            Process tar = new ProcessBuilder(command).redirectErrorStream(true).start();
            List<String> lines;
            try (BufferedReader reader = tar.inputReader(StandardCharsets.UTF_8)) {
                lines = reader.lines().toList();
            }
            if (tar.waitFor() != 0) {
                throw new InputException("%s: tar cannot unpack it (%s): expected an archive with %s"
                        .formatted(archive, lines.isEmpty() ? "no word" : lines.get(0), List.of(members)));
            }
            return lines;
        } catch (IOException e) {
            throw new InputException("%s: no tar to unpack it with (%s)".formatted(archive, e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while unpacking " + archive, e);
        }
    }
}
