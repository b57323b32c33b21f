package org.trainyard.env.workload.trace.audit;

/**
 * Which ids were seen, in at most 160 MB: numbers exactly, as most batch systems count; of ten million other ids one in
 * a thousand seems to be there twice and is not.
 */
final class SeenIds {
    private static final int DIGITS = 10;
    private static final int PAGE_BITS = 16;
    private static final int PAGES = 1 << 14;
    private static final int BLOOM_BITS = 1 << 28;

    /** Bits of numbers, by page. */
    private final long[][] pages = new long[PAGES][0];

    private long[] bloom = {};

    /** Remembers an id; false when it was seen before. */
    boolean add(String id) {
        long number = number(id);
        int page = number < 0 ? PAGES : (int) Math.min(PAGES, number >> PAGE_BITS);
        return page < PAGES ? addNumber(page, (int) number & ((1 << PAGE_BITS) - 1)) : addText(id);
    }

    private static long number(String id) {
        if (id.isEmpty() || id.length() > DIGITS || (id.charAt(0) == '0' && id.length() > 1)) {
            return -1;
        }
        long number = 0;
        for (int i = 0; i < id.length(); i++) {
            int digit = id.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number;
    }

    private boolean addNumber(int page, int bit) {
        long[] bits = pages[page];
        if (bits.length == 0) {
            bits = new long[(1 << PAGE_BITS) / Long.SIZE];
            pages[page] = bits;
        }
        return set(bits, bit);
    }

    private boolean addText(String id) {
        if (bloom.length == 0) {
            bloom = new long[BLOOM_BITS / Long.SIZE];
        }
        long hash = 1_125_899_906_842_597L;
        for (int i = 0; i < id.length(); i++) {
            hash = (hash ^ id.charAt(i)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        long step = hash * 0xBF58476D1CE4E5B9L | 1;
        boolean isNew = false;
        for (int i = 0; i < 4; i++) {
            isNew |= set(bloom, (int) (hash >>> (Long.SIZE - 28)));
            hash += step;
        }
        return isNew;
    }

    /** Sets a bit; whether it was not set. */
    private static boolean set(long[] bits, int bit) {
        long mask = 1L << (bit & (Long.SIZE - 1));
        boolean isNew = (bits[bit / Long.SIZE] & mask) == 0;
        bits[bit / Long.SIZE] |= mask;
        return isNew;
    }
}
