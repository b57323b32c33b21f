package org.trainyard.experiments.gym;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The process that started this one, whose end is noticed: it closes the standard input or is gone. */
public final class ParentProcess {
    private static final long POLL_MILLIS = 500;

    private ParentProcess() {}

    /**
     * Calls back once when the parent ends.
     *
     * @param input the standard input, which the parent keeps open
     * @param ended called in another thread
     */
    public static void watch(InputStream input, Runnable ended) {
        Thread reader = new Thread(
                () -> {
                    awaitEnd(input);
                    ended.run();
                },
                "standard input");
        reader.setDaemon(true);
        reader.start();
        Optional<ProcessHandle> parent = ProcessHandle.current().parent();
        Thread poll = new Thread(
                () -> {
                    awaitEnd(parent);
                    ended.run();
                },
                "parent process");
        poll.setDaemon(true);
        poll.start();
    }

    private static void awaitEnd(InputStream input) {
        try {
            int read;
            do {
                read = input.read();
            } while (read >= 0);
        } catch (IOException e) {
            // The pipe is broken: its other end is gone.
        }
    }

    /** A process whose parent ends gets another parent. */
    private static void awaitEnd(Optional<ProcessHandle> parent) {
        try {
            do {
                Thread.sleep(POLL_MILLIS);
            } while (ProcessHandle.current().parent().equals(parent));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
