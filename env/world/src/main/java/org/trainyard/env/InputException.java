package org.trainyard.env;

import org.jspecify.annotations.Nullable;

/**
 * Something a user gave cannot be used. The message is one line: file, line or field, the value, and what was expected;
 * the command line prints it and exits with 2.
 */
public class InputException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final @Nullable Fault fault;

    /** The parts of a message: the place in the input, the value there, and what was expected. */
    public record Fault(String place, String value, String expected) {}

    public InputException(String message) {
        this(message, null);
    }

    /** @param fault the parts of the message, for programs; null when it has none */
    public InputException(String message, @Nullable Fault fault) {
        super(message);
        this.fault = fault;
    }

    /** The parts of the message; null when it has none. */
    public final @Nullable Fault fault() {
        return fault;
    }

    /** A bad value at a place, such as {@code trace.csv:17, num_gpu}. */
    public static InputException at(String place, Object value, String expected) {
        return new InputException(
                "%s: '%s' is not valid: expected %s".formatted(place, value, expected),
                new Fault(place, String.valueOf(value), expected));
    }

    /** A value that a place does not have, such as an option that is required here. */
    public static InputException missing(String place, String expected) {
        return new InputException(
                "%s is missing: expected %s".formatted(place, expected), new Fault(place, "nothing", expected));
    }

    /** Refuses a number outside of a range, in the words in which {@link InvalidFieldException} does. */
    public static void within(double least, double most, String place, Number value) {
        try {
            InvalidFieldException.within(least, most, place, value.doubleValue());
        } catch (InvalidFieldException e) {
            throw at(place, value, e.expected());
        }
    }
}
