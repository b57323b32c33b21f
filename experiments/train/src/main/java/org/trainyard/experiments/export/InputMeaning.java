package org.trainyard.experiments.export;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Column;
import org.trainyard.env.ColumnSchema;

/**
 * The meaning of an input of an exported policy.
 *
 * @param text a sentence
 * @param columns of the last axis; none when that axis has no columns
 * @param values names of the numbers 0, 1, ... in it; none when numbers have no names
 * @param schema hash of the columns; null without columns
 */
record InputMeaning(
        String text,
        List<Column> columns,
        List<String> values,
        @Nullable ColumnSchema schema) {
    /** An input without columns. */
    static InputMeaning of(String text) {
        return new InputMeaning(text, List.of(), List.of(), null);
    }

    static InputMeaning of(String text, Column[] columns, ColumnSchema schema) {
        return new InputMeaning(text, List.of(columns), List.of(), schema);
    }

    /** An input whose numbers have names. */
    static InputMeaning ofNames(String text, List<String> values) {
        return new InputMeaning(text, List.of(), values, null);
    }
}
