package org.trainyard.experiments.io;

import java.io.PrintStream;

/** A line for whoever interrupts a command, such as how to go on, until it is closed. */
public final class InterruptionHint {
    private final Thread hook;

    /** @param line without line break; it goes to what is the error stream now */
    public InterruptionHint(String line) {
        PrintStream err = System.err;
        hook = new Thread(() -> err.println("\n" + line));
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Whether the process is ending already, so that what fails in it fails because of that. */
    public static boolean isEnding() {
        try {
            return Runtime.getRuntime().removeShutdownHook(new Thread());
        } catch (IllegalStateException e) {
            return true;
        }
    }

    /** Takes the line back. */
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending and the line is out.
        }
    }
}
