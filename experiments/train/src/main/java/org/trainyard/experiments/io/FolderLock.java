package org.trainyard.experiments.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.FailedWriteException;
import org.trainyard.env.InputException;

/**
 * The right to write to a folder, which one process has at a time: a lock of the operating system on a file in it,
 * which names the process. It ends with the process, however that ends, so that the folder of a killed one is free.
 */
public final class FolderLock implements AutoCloseable {
    /** Name of the file that is locked; it is deleted when the lock is given up, and means nothing after a kill. */
    public static final String FILE = ".lock";

    private static final int MOST_BYTES = 100;

    /**
     * Lock files of this process. It must not open one of them again: on POSIX systems the first channel of a file that
     * is closed ends all locks that the process has on it.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path file;
    /** The locked one, and one that only was opened by name; both stay open while the lock is held. */
    private final List<FileChannel> channels;
    /** Whether the folder was made for the lock: it goes with the lock when nothing was written into it. */
    private boolean isOwnFolder;

    private FolderLock(Path file, List<FileChannel> channels) {
        this.file = file;
        this.channels = channels;
    }

    /**
     * Takes the lock of a folder, which is created when absent, and deleted again if it is still empty when the lock is
     * given up.
     *
     * @throws InputException when another command writes to the folder, or nobody may
     */
    public static FolderLock take(Path folder) {
        boolean isNew = Files.notExists(folder);
        AtomicFiles.makeFolder(folder);
        FolderLock lock = take(folder.resolve(FILE), folder);
        lock.isOwnFolder = isNew;
        return lock;
    }

    /** Does work that writes to a folder, and holds its lock meanwhile. */
    public static void during(Path folder, Runnable work) {
        FolderLock lock = take(folder);
        try {
            AtomicFiles.deleteUnfinished(folder);
            work.run();
        } finally {
            lock.close();
        }
    }

    /**
     * Takes a lock by another file than that in the folder, whose own folder exists.
     *
     * @param target what is to be written, for messages
     */
    public static FolderLock take(Path file, Path target) {
        Path real = file.toAbsolutePath();
        try {
            real = real.resolveSibling(".").toRealPath().resolve(String.valueOf(file.getFileName()));
            if (!HELD.add(real)) {
                throw refused(target, String.valueOf(ProcessHandle.current().pid()));
            }
        } catch (IOException e) {
            throw unlockable(target, e);
        }
        boolean isTaken = false;
        try {
            FolderLock lock = null;
            while (lock == null) {
                lock = tried(real, target);
            }
            isTaken = true;
            return lock;
        } catch (IOException e) {
            throw unlockable(target, e);
        } finally {
            if (!isTaken) {
                HELD.remove(real);
            }
        }
    }

    /** Null when the file was deleted by the process that held its lock, after this one had opened it. */
    private static @Nullable FolderLock tried(Path file, Path target) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw InputException.at(file.toString(), "no regular file", "a file, and no link to another, or none");
        }
        // A link that comes after the check is not followed either: what it names would be overwritten.
        FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        FileChannel named = null;
        try {
            // Behind the text, which others read while this process lives.
            if (channel.tryLock(MOST_BYTES, 1, false) == null) {
                String owner = text(channel);
                throw refused(target, owner.substring(0, Math.max(0, owner.indexOf(' '))));
            }
            String self = "%d %s%n".formatted(ProcessHandle.current().pid(), UUID.randomUUID());
            channel.truncate(0).write(ByteBuffer.wrap(self.getBytes(StandardCharsets.UTF_8)), 0);
            named = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            if (text(named).equals(self)) {
                FolderLock lock = new FolderLock(file, List.of(channel, named));
                channel = null;
                named = null;
                return lock;
            }
        } catch (NoSuchFileException e) {
            return null;
        } finally {
            close(channel);
            close(named);
        }
        return null;
    }

    private static void close(@Nullable FileChannel channel) throws IOException {
        if (channel != null) {
            channel.close();
        }
    }

    private static String text(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
        channel.read(bytes, 0);
        return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    }

    private static InputException refused(Path target, String pid) {
        return new InputException("%s: %s is writing to it: expected that no other command does"
                .formatted(target, pid.isEmpty() ? "another process" : "process " + pid));
    }

    private static RuntimeException unlockable(Path target, IOException e) {
        return e instanceof AccessDeniedException
                ? new InputException("%s: expected a folder that this user may write to".formatted(target))
                : new FailedWriteException(target, e);
    }

    @Override
    public void close() {
        if (!channels.get(0).isOpen()) {
            return;
        }
        try {
            Files.deleteIfExists(file);
            if (isOwnFolder) {
                Files.deleteIfExists(Objects.requireNonNull(file.getParent()));
            }
        } catch (IOException e) {
            // A file stays, and the next process takes its lock over; or the folder has the results of this one.
        }
        try {
            for (FileChannel channel : channels) {
                channel.close();
            }
        } catch (IOException e) {
            throw new FailedWriteException(file, e);
        } finally {
            HELD.remove(file);
        }
    }
}
