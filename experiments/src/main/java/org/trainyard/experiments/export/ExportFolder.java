package org.trainyard.experiments.export;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.AtomicFiles;

/**
 * A folder that appears complete or not at all: it is written under another name beside the target and renamed at the end. What is left when the
 * program fails or is interrupted is deleted.
 */
final class ExportFolder implements AutoCloseable {
    private static final String DELETER = "export-cleanup";

    private final Path target;
    private final Path temporary;
    private final Thread cleanup;

    /**
     * Begins a folder.
     *
     * @param force whether an earlier export there is replaced
     * @throws InputException when the target is in use
     */
    ExportFolder(Path folder, boolean force) {
        target = folder.toAbsolutePath().normalize();
        requireFree(force);
        Path parent = target.getParent();
        if (parent == null) {
            throw InputException.at("--out", folder, "a folder that can be made");
        }
        AtomicFiles.makeFolder(parent);
        temporary = parent.resolve(".%s.%d.part"
                .formatted(target.getFileName(), ProcessHandle.current().pid()));
        deleteTree(temporary);
        AtomicFiles.makeFolder(temporary);
        cleanup = new Thread(() -> deleteTree(temporary), DELETER);
        Runtime.getRuntime().addShutdownHook(cleanup);
    }

    private void requireFree(boolean force) {
        if (!Files.exists(target)) {
            return;
        }
        if (!Files.isDirectory(target)) {
            throw InputException.at("--out", target, "a folder, not a file");
        }
        try (Stream<Path> entries = Files.list(target)) {
            if (entries.findAny().isEmpty()) {
                return;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(target, e), e);
        }
        if (!Files.isRegularFile(target.resolve(PolicyExport.CONTRACT))) {
            throw new InputException(
                    "%s is not empty and holds no export: give --out another folder".formatted(target));
        }
        if (!force) {
            throw new InputException(
                    "%s holds an export: give --out another folder, or --force to replace it".formatted(target));
        }
    }

    /** A file of the folder, while it is written. */
    Path file(String name) {
        return temporary.resolve(name);
    }

    /** Moves the folder to its place. */
    void publish() {
        Path old = temporary.resolveSibling(temporary.getFileName() + ".old");
        try {
            if (Files.exists(target)) {
                Files.move(target, old, StandardCopyOption.ATOMIC_MOVE);
            }
            try {
                Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                if (Files.exists(old)) {
                    Files.move(old, target, StandardCopyOption.ATOMIC_MOVE);
                }
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot move the export to %s: %s".formatted(target, e), e);
        }
        deleteTree(old);
    }

    @Override
    public void close() {
        deleteTree(temporary);
        try {
            Runtime.getRuntime().removeShutdownHook(cleanup);
        } catch (IllegalStateException e) {
            // The program is being stopped, and the hook deletes the folder.
            return;
        }
    }

    private static void deleteTree(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> entries = Files.walk(folder)) {
            for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(entry);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete %s: %s".formatted(folder, e), e);
        }
    }
}
