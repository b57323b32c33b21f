package org.trainyard.experiments.config.yaml;

/** A record's component has a value it must not have; the {@link Binder} says where it was written. */
public final class ConfigFieldException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String component;
    private final String expected;

    public ConfigFieldException(String component, Object value, String expected) {
        super("%s: '%s' is not valid: expected %s".formatted(component, value, expected));
        this.component = component;
        this.expected = expected;
    }

    String component() {
        return component;
    }

    String expected() {
        return expected;
    }

    public static void atLeast(double minimum, String component, double value) {
        if (!(value >= minimum) || Double.isInfinite(value)) {
            throw new ConfigFieldException(component, value, "a number, at least " + plain(minimum));
        }
    }

    public static void above(double minimum, String component, double value) {
        if (!(value > minimum) || Double.isInfinite(value)) {
            throw new ConfigFieldException(component, value, "a number above " + plain(minimum));
        }
    }

    public static void within(double minimum, double maximum, String component, double value) {
        if (!(value >= minimum && value <= maximum)) {
            throw new ConfigFieldException(
                    component, value, "a number in %s..%s".formatted(plain(minimum), plain(maximum)));
        }
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
