package org.trainyard.env.gym.auction;

import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Offer of an agent in an auction: one of its bids and a price. The highest price of all agents wins, of equal prices
 * the lower bid.
 *
 * @param bid its number in the auction
 * @param price not NaN
 */
public record Offer(int bid, double price) {
    public Offer {
        if (bid < 0 || Double.isNaN(price)) {
            throw new IllegalArgumentException("bid (%d) at price (%f)".formatted(bid, price));
        }
    }

    /**
     * The bid of the highest score among {@code first} to {@code size - 1}, the first of equals; refuses NaN anywhere.
     */
    public static Offer highest(IntToDoubleFunction scores, int first, int size) {
        int best = first;
        double price = Double.NEGATIVE_INFINITY;
        for (int bid = first; bid < size && !Double.isNaN(price); bid++) {
            double score = scores.applyAsDouble(bid);
            if (!(score <= price)) {
                best = bid;
                price = score;
            }
        }
        return new Offer(best, price);
    }

    /** The one that wins of two offers, each null for none. */
    public static @Nullable Offer higher(@Nullable Offer one, @Nullable Offer other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        boolean isOne = one.price > other.price || (one.price == other.price && one.bid < other.bid);
        return isOne ? one : other;
    }
}
