package org.trainyard.env.pipeline.planning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * DAPPLE's policies by which the next stage takes free GPUs.
 *
 * <p>Source: S. Fan et al.: DAPPLE, PPoPP 2021. As described there: the released code has an index error in the first
 * two.
 */
enum DevicePlacement {
    /** Only servers without an occupied GPU, filled one after the other. */
    FRESH_FIRST,
    /** Only servers with an occupied GPU, filled one after the other. */
    APPEND_FIRST,
    /** One free GPU of each server in turn. */
    SCATTER_FIRST;

    /** The GPUs in increasing order, or null when the policy cannot provide so many. */
    int @Nullable [] take(Devices devices, BitSet occupied, int need) {
        List<List<Integer>> servers = new ArrayList<>();
        for (int gpu = 0; gpu < devices.count(); gpu++) {
            while (servers.size() <= devices.serverOf(gpu)) {
                servers.add(new ArrayList<>());
            }
            servers.get(devices.serverOf(gpu)).add(gpu);
        }
        int[] taken = this == SCATTER_FIRST ? scattered(servers, occupied, need) : filled(servers, occupied, need);
        if (taken == null) {
            return null;
        }
        Arrays.sort(taken);
        return taken;
    }

    private int @Nullable [] filled(List<List<Integer>> servers, BitSet occupied, int need) {
        int[] taken = new int[need];
        int count = 0;
        for (List<Integer> server : servers) {
            boolean fresh = server.stream().noneMatch(gpu -> occupied.get(gpu));
            if (fresh != (this == FRESH_FIRST)) {
                continue;
            }
            for (int gpu : server) {
                if (!occupied.get(gpu) && count < need) {
                    taken[count++] = gpu;
                }
            }
        }
        return count == need ? taken : null;
    }

    private static int @Nullable [] scattered(List<List<Integer>> servers, BitSet occupied, int need) {
        int[] taken = new int[need];
        int[] next = new int[servers.size()];
        int count = 0;
        boolean progress = true;
        while (count < need && progress) {
            progress = false;
            for (int s = 0; s < next.length && count < need; s++) {
                List<Integer> server = servers.get(s);
                while (next[s] < server.size() && occupied.get(server.get(next[s]))) {
                    next[s]++;
                }
                if (next[s] < server.size()) {
                    taken[count++] = server.get(next[s]++);
                    progress = true;
                }
            }
        }
        return count == need ? taken : null;
    }

    /** The different candidates of all policies. */
    static List<int[]> candidates(Devices devices, BitSet occupied, int need) {
        List<int[]> candidates = new ArrayList<>();
        for (DevicePlacement policy : values()) {
            int[] taken = policy.take(devices, occupied, need);
            if (taken != null && candidates.stream().noneMatch(known -> Arrays.equals(known, taken))) {
                candidates.add(taken);
            }
        }
        return candidates;
    }
}
