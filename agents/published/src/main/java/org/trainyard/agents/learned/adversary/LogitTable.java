package org.trainyard.agents.learned.adversary;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.InputException;

/** A table of logits, a row for each state, changed by plain gradient steps. */
final class LogitTable implements ChoiceModel {
    private final double[][] table;

    LogitTable(int rows, int choices, RandomGenerator random) {
        table = new double[rows][choices];
        for (double[] row : table) {
            for (int i = 0; i < choices; i++) {
                row[i] = random.nextGaussian();
            }
        }
    }

    @Override
    public double[][] logits(List<PlayerState> states) {
        return states.stream().map(state -> table[state.row()].clone()).toArray(double[][]::new);
    }

    @Override
    public void ascend(List<PlayerState> states, double[][] slopes, double rate, int update) {
        for (int s = 0; s < slopes.length; s++) {
            double[] row = table[states.get(s).row()];
            for (int i = 0; i < row.length; i++) {
                row[i] += rate * slopes[s][i];
            }
        }
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeInt(table.length);
        out.writeInt(table[0].length);
        for (double[] row : table) {
            for (double logit : row) {
                out.writeDouble(logit);
            }
        }
    }

    @Override
    public void read(DataInput in, String source) throws IOException {
        int rows = in.readInt();
        int choices = in.readInt();
        if (rows != table.length || choices != table[0].length) {
            throw new InputException("%s: holds a table of (%d x %d), this game has (%d x %d)"
                    .formatted(source, rows, choices, table.length, table[0].length));
        }
        for (double[] row : table) {
            for (int i = 0; i < choices; i++) {
                row[i] = in.readDouble();
            }
        }
    }
}
