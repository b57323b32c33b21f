package org.trainyard.experiments.export;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.trainyard.env.FailedWriteException;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.FolderLock;

/**
 * A folder that appears complete or not at all: it is written under another name beside the target and renamed at the
 * end. What is left when the program fails or is interrupted is deleted, at the latest by the next export to the same
 * place.
 */
final class ExportFolder implements AutoCloseable {
    private static final String DELETER = "export-cleanup";

    private final Path target;
    private final Path temporary;
    /** An earlier export while this one takes its place. */
    private final Path old;

    private final FolderLock lock;
    private final Thread cleanup;

    /**
     * Begins a folder.
     *
     * @param force whether an earlier export there is replaced
     * @throws InputException when the target is in use
     */
    ExportFolder(Path folder, boolean force) {
        target = folder.toAbsolutePath().normalize();
        Path parent = target.getParent();
        if (parent == null) {
            throw InputException.at("--out", folder, "a folder that can be made");
        }
        AtomicFiles.makeFolder(parent);
        temporary = parent.resolve(".%s.part".formatted(target.getFileName()));
        old = parent.resolve(".%s.old".formatted(target.getFileName()));
        lock = FolderLock.take(parent.resolve(".%s.lock".formatted(target.getFileName())), target);
        boolean isFree = false;
        try {
            recover();
            requireFree(force);
            AtomicFiles.makeFolder(temporary);
            isFree = true;
        } finally {
            if (!isFree) {
                lock.close();
            }
        }
        cleanup = new Thread(() -> delete(temporary), DELETER);
        Runtime.getRuntime().addShutdownHook(cleanup);
    }

    /** Ends what a killed export began: an earlier export that it had moved away comes back. */
    private void recover() {
        delete(temporary);
        try {
            if (Files.exists(old) && !Files.exists(target)) {
                Files.move(old, target, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw new FailedWriteException(target, e);
        }
        delete(old);
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
            throw new FailedWriteException(target, e);
        }
        delete(old);
    }

    @Override
    public void close() {
        delete(temporary);
        lock.close();
        try {
            Runtime.getRuntime().removeShutdownHook(cleanup);
        } catch (IllegalStateException e) {
            // The program is being stopped, and the hook deletes the folder.
            return;
        }
    }

    private static void delete(Path folder) {
        try {
            AtomicFiles.deleteTree(folder);
        } catch (IOException e) {
            throw new FailedWriteException(folder, e);
        }
    }
}
