package org.trainyard.experiments.io;

import org.trainyard.env.Counted;

/** The text of a number in a table. */
@FunctionalInterface
public interface CellFormat {
    /** Seconds in their two largest units, such as {@code 3 h 12 min}. */
    CellFormat DURATION = Durations::human;

    /** A whole number with separators, such as {@code 1,200}. */
    CellFormat COUNT = of("%,.0f");

    String text(double value);

    /** Returns this format with a dash for NaN. */
    default CellFormat orDash() {
        return value -> Double.isNaN(value) ? "-" : text(value);
    }

    /** Numbers in a text, as {@link Counted#say} writes them. */
    static String number(String format, Object... values) {
        return Counted.say(format, values);
    }

    /** @param format of one floating-point number */
    static CellFormat of(String format) {
        return value -> number(format, value);
    }

    /** A share in per cent: {@code 12.3 %} of 0.123 with one place. */
    static CellFormat percent(int places) {
        CellFormat percent = of("%." + places + "f %%");
        return share -> percent.text(100 * share);
    }
}
