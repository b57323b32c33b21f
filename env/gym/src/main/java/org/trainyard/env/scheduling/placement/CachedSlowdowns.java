package org.trainyard.env.scheduling.placement;

import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Predictions of {@link InterferenceCost} for one kind of pending job on every server: a model, a number of workers and
 * whether they span servers. A prediction holds until the jobs of the server change. Side by side, so that a search
 * over all servers reads memory in order.
 */
final class CachedSlowdowns {
    /** By server, the slowdown of the pending job, the speed of the GPUs included. */
    final double[] own;
    /** By server and place in its list of jobs, the extra slowdown of that job; {@code width} each. */
    final double[] extra;
    /** By server, the {@link ServerContents#version} of the predictions. */
    final long[] version;

    private long usedAt;

    private CachedSlowdowns(int servers, int width) {
        own = new double[servers];
        extra = new double[servers * width];
        version = new long[servers];
        Arrays.fill(version, -1);
    }

    /**
     * The predictions of several kinds of pending jobs, as many as memory is set aside for: those that were asked for
     * last.
     */
    static final class ByKind {
        /** Numbers kept at most, 32 MB. */
        private static final int MOST_NUMBERS = 1 << 22;
        /** Kinds kept at most: where every job is of a kind of its own, the memory of the first ones is used again. */
        private static final int MOST_KINDS = 512;

        private final int servers;
        private final int width;
        private final int most;
        private final Long2ObjectLinkedOpenHashMap<CachedSlowdowns> kinds = new Long2ObjectLinkedOpenHashMap<>();
        private long uses;

        /** @param width most jobs of a server that has predictions */
        ByKind(int servers, int width) {
            this.servers = servers;
            this.width = width;
            most = Math.max(1, Math.min(MOST_KINDS, MOST_NUMBERS / (servers * (width + 2))));
        }

        /** The predictions for a kind; null when there is no room for them beside others that are in use. */
        @Nullable CachedSlowdowns of(long kind) {
            uses++;
            CachedSlowdowns found = kinds.getAndMoveToLast(kind);
            if (found == null && kinds.size() < most) {
                found = new CachedSlowdowns(servers, width);
                kinds.putAndMoveToLast(kind, found);
            } else if (found == null && uses - kinds.get(kinds.firstLongKey()).usedAt > 4L * most) {
                found = kinds.removeFirst();
                Arrays.fill(found.version, -1);
                kinds.putAndMoveToLast(kind, found);
            }
            if (found != null) {
                found.usedAt = uses;
            }
            return found;
        }
    }
}
