package org.trainyard.experiments;

import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.trainyard.experiments.cli.Trainyard;

/** Entry point of the program. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    /**
     * Runs one command line to its end: 0 done, 1 failed while running, 2 bad usage or input. Numbers read the same in
     * every country from then on.
     */
    public static int run(String[] args, PrintStream out, PrintStream err) {
        Locale.setDefault(Locale.ROOT);
        return Trainyard.run(args, writer(out), writer(err));
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }
}
