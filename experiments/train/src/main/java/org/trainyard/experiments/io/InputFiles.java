package org.trainyard.experiments.io;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.trainyard.env.InputException;

/** Files named by users. */
public final class InputFiles {
    private static final long MAX_CONFIG_BYTES = 1 << 20;

    /** Names the working directory of the command in a process that works for it and was started in another folder. */
    private static final String DIRECTORY = "trainyard.directory";

    /** Files that are not regular, and were said to be none. */
    private static final Set<Path> PIPES = ConcurrentHashMap.newKeySet();

    private InputFiles() {}

    /** Where relative paths start: the working directory of the command. */
    public static Path workingDirectory() {
        return Path.of(System.getProperty(DIRECTORY, "")).toAbsolutePath();
    }

    /** A path of the working directory. */
    public static Path path(String text) {
        Path path = pathIn(text);
        return System.getProperty(DIRECTORY) == null ? path : workingDirectory().resolve(path);
    }

    /** A path of a folder that the caller knows. */
    public static Path pathIn(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new InputException("'%s' is not a path: expected a file".formatted(text.replace('\0', '?')));
        }
    }

    /** The file; an error when it does not exist, is a folder or cannot be read. */
    public static Path readable(Path file) {
        if (!Files.exists(file)) {
            throw new InputException("%s: no such file".formatted(file));
        }
        if (Files.isDirectory(file)) {
            throw new InputException("%s: is a directory: expected a file".formatted(file));
        }
        if (!Files.isReadable(file)) {
            throw new InputException("%s: cannot be read: expected a file that this user may read".formatted(file));
        }
        if (!Files.isRegularFile(file) && PIPES.add(file)) {
            System.err.println("note: %s is a pipe or a device, and is read until it ends".formatted(file));
        }
        return file;
    }

    /** The length of a file, or 0 when it cannot be told. */
    public static long bytes(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }

    /**
     * A file, or the files of a folder in the order of their names.
     *
     * @param suffix of the files of a folder that count
     */
    public static List<Path> ofFileOrFolder(Path fileOrFolder, String suffix) {
        if (!Files.isDirectory(fileOrFolder)) {
            return List.of(readable(fileOrFolder));
        }
        try (Stream<Path> entries = Files.list(fileOrFolder)) {
            List<Path> files = entries.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
            if (files.isEmpty()) {
                throw new InputException("%s: holds no files that end in %s".formatted(fileOrFolder, suffix));
            }
            return files;
        } catch (IOException e) {
            throw new InputException(
                    "%s: cannot be read (%s): expected a folder".formatted(fileOrFolder, e.getMessage()));
        }
    }

    /** The text of a configuration or topology. */
    public static String text(Path file) {
        readable(file);
        try {
            if (Files.size(file) > MAX_CONFIG_BYTES) {
                throw new InputException("%s: has %d bytes: expected YAML of at most %d"
                        .formatted(file, Files.size(file), MAX_CONFIG_BYTES));
            }
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw new InputException("%s: is not UTF-8 text: expected YAML".formatted(file));
        } catch (IOException e) {
            throw new InputException("%s: cannot be read (%s): expected YAML".formatted(file, e.getMessage()));
        }
    }
}
