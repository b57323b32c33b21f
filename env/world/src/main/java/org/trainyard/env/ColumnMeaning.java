package org.trainyard.env;

/**
 * The quantity in a column of a policy's input.
 *
 * @param unit of the quantity x before it is scaled; {@code ratio} of a quotient, {@code flag} of a truth value
 * @param scale the value in the column as a formula of x
 * @param text a sentence
 */
public record ColumnMeaning(String unit, String scale, String text) {
    public ColumnMeaning {
        if (unit.isBlank() || scale.isBlank() || text.isBlank()) {
            throw new IllegalArgumentException(
                    "unit (%s), scale (%s) and text (%s) must be given".formatted(unit, scale, text));
        }
    }
}
