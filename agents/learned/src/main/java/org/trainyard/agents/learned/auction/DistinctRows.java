package org.trainyard.agents.learned.auction;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.trainyard.env.gym.auction.NodeColumn;

/**
 * The rows of nodes of the episodes of an update, with one number for all that are equal: columns, free GPUs and the links
 * between them. Servers of one cluster are mostly in a few states, so there are many times fewer numbers than rows.
 * O(rows x columns).
 */
final class DistinctRows {
    private static final int COLUMNS = NodeColumn.COUNT;

    private final List<EpisodeRecord> records;
    /** By episode and row there, its number. */
    private final int[][] numberOf;
    /** By number, a row of this content: the episode in the upper, the row in the lower half. */
    private long[] first = new long[64];

    private int count;
    private final float[][] columns;

    DistinctRows(List<EpisodeRecord> records) {
        this.records = records;
        numberOf = new int[records.size()][];
        int[] table = emptyTable(256);
        for (int episode = 0; episode < numberOf.length; episode++) {
            NodeRows nodes = records.get(episode).nodes;
            numberOf[episode] = new int[nodes.stored()];
            for (int row = 0; row < numberOf[episode].length; row++) {
                int slot = slot(nodes, row, table);
                if (table[slot] < 0) {
                    table[slot] = add(episode, row);
                }
                numberOf[episode][row] = table[slot];
                table = 2 * count > table.length ? grown(table) : table;
            }
        }
        columns = new float[COLUMNS][count];
        copyColumns();
    }

    private void copyColumns() {
        for (int number = 0; number < count; number++) {
            float[] values = nodes(number).values();
            for (int c = 0; c < COLUMNS; c++) {
                columns[c][number] = values[(int) first[number] * COLUMNS + c];
            }
        }
    }

    private static int[] emptyTable(int size) {
        int[] table = new int[size];
        Arrays.fill(table, -1);
        return table;
    }

    private int add(int episode, int row) {
        if (count == first.length) {
            first = Arrays.copyOf(first, 2 * count);
        }
        first[count] = ((long) episode << 32) | row;
        return count++;
    }

    private int[] grown(int[] table) {
        int[] larger = emptyTable(2 * table.length);
        for (int number = 0; number < count; number++) {
            larger[slot(nodes(number), (int) first[number], larger)] = number;
        }
        return larger;
    }

    private NodeRows nodes(int number) {
        return records.get((int) (first[number] >>> 32)).nodes;
    }

    /** The place of a row in a table of open hashing: that of an equal one, or a free one. */
    private int slot(NodeRows nodes, int row, int[] table) {
        float[] values = nodes.values();
        int hash = Long.hashCode(nodes.free(row));
        for (int i = row * COLUMNS; i < (row + 1) * COLUMNS; i++) {
            hash = 31 * hash + Float.floatToRawIntBits(values[i]);
        }
        hash *= 0x9E3779B9;
        int slot = (hash ^ (hash >>> 15)) & (table.length - 1);
        while (table[slot] >= 0 && !isEqual(nodes, row, table[slot])) {
            slot = (slot + 1) & (table.length - 1);
        }
        return slot;
    }

    private boolean isEqual(NodeRows nodes, int row, int number) {
        NodeRows others = nodes(number);
        int other = (int) first[number];
        return Arrays.equals(
                        nodes.values(),
                        row * COLUMNS,
                        (row + 1) * COLUMNS,
                        others.values(),
                        other * COLUMNS,
                        (other + 1) * COLUMNS)
                && nodes.free(row) == others.free(other)
                && Objects.equals(nodes.links(row), others.links(other));
    }

    /** By row of an episode, its number. */
    int[] numbers(int episode) {
        return numberOf[episode];
    }

    /** By column and number. */
    float[][] columns() {
        return columns;
    }

    /** The free GPUs of the servers of a row. */
    long free(int number) {
        return nodes(number).free((int) first[number]);
    }

    /** A server that had a row. */
    int server(int number) {
        return nodes(number).node((int) first[number]);
    }

    /** How many there are. */
    int count() {
        return count;
    }
}
