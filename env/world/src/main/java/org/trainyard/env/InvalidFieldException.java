package org.trainyard.env;

/**
 * A component of a settings record has a value that it must not have. The reader of a file adds the line and the key;
 * code that calls the constructor sees the component's name and the value.
 */
public final class InvalidFieldException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String component;
    private final String expected;

    public InvalidFieldException(String component, Object value, String expected) {
        super("%s: '%s' is not valid: expected %s".formatted(component, value, expected));
        this.component = component;
        this.expected = expected;
    }

    /** The component's name in Java. */
    public String component() {
        return component;
    }

    /** The valid values, in words. */
    public String expected() {
        return expected;
    }

    public static void atLeast(double minimum, String component, double value) {
        if (!(value >= minimum) || Double.isInfinite(value)) {
            throw new InvalidFieldException(component, value, "a number, at least " + plain(minimum));
        }
    }

    public static void above(double minimum, String component, double value) {
        if (!(value > minimum) || Double.isInfinite(value)) {
            throw new InvalidFieldException(component, value, "a number above " + plain(minimum));
        }
    }

    public static void within(double minimum, double maximum, String component, double value) {
        if (!(value >= minimum && value <= maximum)) {
            throw new InvalidFieldException(
                    component, value, "a number in %s..%s".formatted(plain(minimum), plain(maximum)));
        }
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
