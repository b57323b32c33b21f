package org.trainyard.agents.learned.dqn;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The actions of the latest episodes: of as many as together have at least a given number of decisions. */
final class ActionHistory {
    private final ArrayDeque<Episode> episodes = new ArrayDeque<>();
    private final int decisions;
    private int kept;

    /** The actions of one episode in order, over all agents. */
    static final class Episode {
        private final long number;
        private int[] actions = new int[256];
        private int size;

        Episode(long number) {
            this.number = number;
        }

        long number() {
            return number;
        }

        int size() {
            return size;
        }

        int action(int i) {
            return actions[i];
        }

        private void add(int action) {
            if (size == actions.length) {
                actions = Arrays.copyOf(actions, 2 * size);
            }
            actions[size++] = action;
        }
    }

    /** @param decisions least number kept, once there are so many */
    ActionHistory(int decisions) {
        this.decisions = decisions;
    }

    void begin(long number) {
        episodes.addLast(new Episode(number));
        while (kept - episodes.getFirst().size >= decisions) {
            kept -= episodes.removeFirst().size;
        }
    }

    void add(int action) {
        episodes.getLast().add(action);
        kept++;
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(episodes.size());
        for (Episode episode : episodes) {
            out.writeLong(episode.number);
            out.writeInt(episode.size);
            for (int i = 0; i < episode.size; i++) {
                out.writeShort(episode.actions[i]);
            }
        }
    }

    static List<Episode> read(DataInput in) throws IOException {
        List<Episode> read = new ArrayList<>();
        int count = in.readInt();
        for (int e = 0; e < count; e++) {
            Episode episode = new Episode(in.readLong());
            int size = in.readInt();
            for (int i = 0; i < size; i++) {
                episode.add(in.readShort());
            }
            read.add(episode);
        }
        return read;
    }
}
