package org.trainyard.agents.learned.adversary;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;

/** The pool of the newest hard sequences, first in, first out: the one of least payoff of every update. */
final class HardSequences {
    private final int capacity;
    private final ArrayDeque<int[]> sequences = new ArrayDeque<>();

    HardSequences(int capacity) {
        this.capacity = capacity;
    }

    void add(int... sequence) {
        sequences.add(sequence.clone());
        if (sequences.size() > capacity) {
            sequences.remove();
        }
    }

    List<int[]> list() {
        return List.copyOf(sequences);
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(sequences.size());
        for (int[] sequence : sequences) {
            out.writeInt(sequence.length);
            for (int request : sequence) {
                out.writeInt(request);
            }
        }
    }

    void read(DataInput in) throws IOException {
        sequences.clear();
        for (int left = in.readInt(); left > 0; left--) {
            int[] sequence = new int[in.readInt()];
            for (int i = 0; i < sequence.length; i++) {
                sequence[i] = in.readInt();
            }
            sequences.add(sequence);
        }
    }
}
