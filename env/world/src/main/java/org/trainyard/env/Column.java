package org.trainyard.env;

/** A column of a policy's input; its name is the constant of an enum. */
public interface Column {
    /** The name of the column. */
    String name();

    /** The place of the constant among those of the enum. */
    int ordinal();

    /** Where the column is among those of its row: the order of the constants. */
    default int index() {
        return ordinal();
    }

    /** The quantity that the column has. */
    ColumnMeaning meaning();
}
