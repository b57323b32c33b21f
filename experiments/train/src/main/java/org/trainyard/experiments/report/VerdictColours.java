package org.trainyard.experiments.report;

import java.io.PrintWriter;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.Progress;

/** The verdicts at the ends of lines in green and red, on terminals alone. */
public final class VerdictColours {
    private static final String GREEN = "\u001b[32m";
    private static final String RED = "\u001b[31m";
    private static final String PLAIN = "\u001b[0m";

    private VerdictColours() {}

    /** Prints an answer, its verdicts coloured on a terminal. */
    public static void print(Answer answer, PrintWriter out) {
        out.print(Progress.onTerminal() ? coloured(answer.console()) : answer.console());
    }

    static String coloured(String text) {
        return text.replaceAll("(?m)better$", GREEN + "better" + PLAIN).replaceAll("(?m)worse$", RED + "worse" + PLAIN);
    }
}
