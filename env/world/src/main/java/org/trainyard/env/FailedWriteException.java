package org.trainyard.env;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** A file could not be written. The message is one line with the file and the cause, such as a full disk. */
public final class FailedWriteException extends UncheckedIOException {
    private static final long serialVersionUID = 1;

    /** @param target what was to be written */
    public FailedWriteException(Object target, IOException cause) {
        super("cannot write %s: %s".formatted(target, reason(cause)), cause);
    }

    /** Why a file could not be read or written, in words of the operating system. */
    public static String reason(IOException failure) {
        if (failure instanceof FileSystemException system && system.getReason() != null) {
            return system.getReason();
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof NoSuchFileException missing) {
            return "%s does not exist".formatted(missing.getFile());
        }
        String message = failure.getMessage();
        return failure.getClass() == IOException.class && message != null ? message : failure.toString();
    }
}
