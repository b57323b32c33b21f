package org.trainyard.env.workload.log;

import java.io.BufferedReader;
import java.io.IOException;

/**
 * The first lines of a file, which tell what it is.
 *
 * @param text of the file from its begin on
 * @param line the first that is neither empty nor a comment; empty when there is none
 * @param number of that line, from 1
 */
public record FirstLines(String text, String line, int number) {
    /** Characters, comments included, in which the first line must end. */
    private static final int LOOK_AHEAD = 1 << 16;

    static FirstLines of(BufferedReader reader) throws IOException {
        reader.mark(LOOK_AHEAD + 1);
        char[] head = new char[LOOK_AHEAD];
        int length = 0;
        int more = reader.read(head, 0, LOOK_AHEAD);
        while (more > 0) {
            length += more;
            more = length < LOOK_AHEAD ? reader.read(head, length, LOOK_AHEAD - length) : -1;
        }
        reader.reset();
        String text = new String(head, 0, length);
        String[] lines = text.split("\r\n|\n|\r", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i];
            if (!line.isBlank() && !line.startsWith("#")) {
                return new FirstLines(text, line, i + 1);
            }
        }
        return new FirstLines(text, "", lines.length);
    }

    /** Whether there is neither a line nor a comment. */
    public boolean isEmpty() {
        return line.isEmpty();
    }

    /** Whether the line begins as JSON does. */
    public boolean isJson() {
        String begin = line.stripLeading();
        return begin.startsWith("{") || begin.startsWith("[");
    }
}
