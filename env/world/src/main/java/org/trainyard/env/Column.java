package org.trainyard.env;

/** A column of a policy's input; its name is the constant of an enum. */
public interface Column {
    /** The name of the column. */
    String name();

    /** Where the column is among those of its row. */
    int index();

    /** The quantity that the column has. */
    ColumnMeaning meaning();
}
