package org.trainyard.env;

/**
 * Something a user gave cannot be used. The message is one line: file, line or field, the value, and what was
 * expected; the command line prints it and exits with 2.
 */
public final class InputException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InputException(String message) {
        super(message);
    }

    /** A bad value at a place, such as {@code trace.csv:17, num_gpu}. */
    public static InputException at(String place, Object value, String expected) {
        return new InputException("%s: '%s' is not valid: expected %s".formatted(place, value, expected));
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
