package org.trainyard.env.simulation;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The servers whose jobs or free GPUs have changed last, in order, some more than once: what a reader that keeps
 * something for each server has to look at again. O(1) for each change.
 */
public final class ServerChanges {
    private final int[] servers;
    private long end;

    ServerChanges(int servers) {
        // A reader that has more to read than twice the servers is as well off to begin anew.
        this.servers = new int[Integer.highestOneBit(Math.max(64, 2 * servers - 1)) << 1];
    }

    void add(int server) {
        servers[(int) end & (servers.length - 1)] = server;
        end++;
    }

    /**
     * The place of a reader. Either all that has changed since its last read is in the changes from {@link #first} to
     * {@link #end}, or it has to look at all servers: at first, on another cluster, and when changes were forgotten
     * that it has not read.
     */
    public static final class Cursor {
        private @Nullable ServerChanges changes;
        private long first;
        private long end;

        /**
         * Goes on to the last change; whether the reader looks at all servers, and then there is no change to read.
         * O(1).
         */
        public boolean advance(Cluster cluster) {
            ServerChanges now = cluster.serverChanges();
            boolean isAnew = changes != now || end < now.end - now.servers.length;
            changes = now;
            first = isAnew ? now.end : end;
            end = now.end;
            return isAnew;
        }

        /** The first change that was new to the last {@link #advance}. */
        public long first() {
            return first;
        }

        /** The change after the last one that was new to the last {@link #advance}. */
        public long end() {
            return end;
        }

        /** The server of one of these changes; valid until the cluster changes again. */
        public int server(long change) {
            ServerChanges now = Objects.requireNonNull(changes, "only after an advance");
            return now.servers[(int) change & (now.servers.length - 1)];
        }
    }
}
