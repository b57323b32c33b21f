package org.trainyard.env;

import java.util.Locale;

/** Refuses arguments that a caller must not give. */
public final class Invalid {
    private Invalid() {}

    /**
     * Refuses arguments in one case.
     *
     * @param text a format with the values in parentheses, which are written alike in every country
     */
    public static void when(boolean isInvalid, String text, Object... values) {
        if (isInvalid) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, text, values));
        }
    }
}
