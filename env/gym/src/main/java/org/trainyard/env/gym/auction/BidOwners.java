package org.trainyard.env.gym.auction;

import java.util.Arrays;

/** The bids of an auction by owner, each owner's in their order. Adding a bid is O(1), and so is to forget one. */
final class BidOwners {
    /** The owner of the bid to wait, the auctioneer. */
    static final int AUCTIONEER = -1;

    private static final int NONE = -1;

    private int count;
    private int[] owners = new int[16];
    /** By owner + 1, its first bid; {@link #NONE} without bids. */
    private int[] first = filled(16);
    /** By owner + 1, its last bid; {@link #NONE} without bids. */
    private int[] last = filled(16);
    /** By bid, the next bid of its owner. */
    private int[] next = new int[64];

    private static int[] filled(int size) {
        int[] array = new int[size];
        Arrays.fill(array, NONE);
        return array;
    }

    void clear() {
        for (int i = 0; i < count; i++) {
            first[owners[i] + 1] = NONE;
        }
        count = 0;
    }

    /** Adds a bid with a greater number than all before. */
    void add(int owner, int bid) {
        if (owner + 1 >= first.length) {
            int[] wider = filled(2 * (owner + 2));
            System.arraycopy(first, 0, wider, 0, first.length);
            first = wider;
            last = Arrays.copyOf(last, wider.length);
        }
        if (bid >= next.length) {
            next = Arrays.copyOf(next, 2 * bid);
        }
        next[bid] = NONE;
        if (first[owner + 1] == NONE) {
            if (count == owners.length) {
                owners = Arrays.copyOf(owners, 2 * count);
            }
            owners[count++] = owner;
            first[owner + 1] = bid;
        } else {
            next[last[owner + 1]] = bid;
        }
        last[owner + 1] = bid;
    }

    /** Number of owners with bids. */
    int count() {
        return count;
    }

    int owner(int i) {
        return owners[i];
    }

    /** The first bid of an owner; negative when it has none. */
    int first(int owner) {
        return owner + 1 < first.length ? first[owner + 1] : NONE;
    }

    /** The next bid of the owner of a bid; negative behind its last. */
    int next(int bid) {
        return next[bid];
    }
}
