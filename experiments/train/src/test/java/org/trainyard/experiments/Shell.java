package org.trainyard.experiments;

import com.google.errorprone.annotations.FormatMethod;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** Runs the command line inside the test. */
public record Shell(int code, String out, String err) {
    /** Runs a command of such {@link #words}. */
    @FormatMethod
    public static Shell command(String words, Object... values) {
        return run(words(words, values));
    }

    /** The words of a text, parted by blanks; a value in place of {@code %s} is one word. */
    @FormatMethod
    public static List<String> words(String text, Object... values) {
        Iterator<Object> next = Arrays.asList(values).iterator();
        return Stream.of(text.split(" ", -1))
                .map(word -> word.equals("%s") ? String.valueOf(next.next()) : word)
                .toList();
    }

    public static Shell run(List<String> args) {
        return run(args.toArray(String[]::new));
    }

    public static Shell run(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Shell(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
