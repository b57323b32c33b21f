package org.trainyard.experiments.gym;

import static org.trainyard.env.InvalidFieldException.above;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.Binder;
import org.trainyard.env.binding.Bounds;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.binding.OptionalKey;
import org.trainyard.env.binding.Yaml;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.experiments.config.ExperimentConfig;

/**
 * A client's first message: the environments that it wants.
 *
 * @param token null where none was sent
 * @param ground {@value #AUCTION} or {@value #OFFERS}
 * @param environments stepped side by side
 * @param autoreset whether the next episode begins by itself when one ends
 * @param autoresetStep when it does: in the {@value #SAME} step, or in the {@value #NEXT} one, which does nothing else
 * @param stride the number of the next episode less that of the last
 * @param endedJobs whether answers have the JCT and the wait of each job that has ended
 * @param graph whether observations of auctions have the nodes of the data centre
 * @param maxBids bids of an auction that are offered at most; null for all
 * @param discountHours simulated hours after which a cost counts 1/e; null for no discount
 * @param horizonHours simulated hours after which an episode is ended; null for its end
 * @param illegalPenalty subtracted from the reward for an illegal bid
 * @param reserve the price that offers must exceed where waiting is legal
 * @param auction what auctions offer, over the config's learner; null leaves that
 */
record GymHandshake(
        @OptionalKey(orElse = "0") int protocol,
        @OptionalKey @Nullable String token,
        @OptionalKey(orElse = AUCTION) String ground,
        @OptionalKey(orElse = "1") int environments,
        @OptionalKey(orElse = "false") boolean autoreset,
        @OptionalKey(orElse = SAME) String autoresetStep,

        @OptionalKey(orElse = "1") @Bounds(least = 1, most = 1L << 32)
        long stride,

        @OptionalKey(orElse = "false") boolean endedJobs,
        @OptionalKey(orElse = "false") boolean graph,

        @OptionalKey @Nullable @Bounds(least = 2, most = 1 << 20)
        Integer maxBids,

        @OptionalKey @Nullable Double discountHours,
        @OptionalKey @Nullable Double horizonHours,
        @OptionalKey(orElse = "1") @Bounds double illegalPenalty,
        @OptionalKey(orElse = "0") double reserve,
        @OptionalKey @Nullable Offer auction) {
    /** Version of the protocol. */
    static final int PROTOCOL = 1;

    static final String AUCTION = "auction";
    static final String OFFERS = "offers";
    static final String SAME = "same";
    static final String NEXT = "next";

    private static final List<String> GROUNDS = List.of(AUCTION, OFFERS);
    private static final List<String> STEPS = List.of(SAME, NEXT);
    private static final List<String> ORDERS =
            Arrays.stream(RemainingTime.values()).map(RemainingTime::title).toList();
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** Settings of auctions; null is as the config's learner has it. */
    record Offer(
            @OptionalKey @Nullable String order,

            @OptionalKey @Nullable @Bounds(least = 1, most = 1000)
            Integer jobs,

            @OptionalKey @Nullable @Bounds(least = 1, most = 1000)
            Integer sets,

            @OptionalKey @Nullable @Bounds(most = 1000) Integer moves,
            @OptionalKey @Nullable Boolean patience) {
        Offer {
            if (order != null && !ORDERS.contains(order)) {
                throw new InvalidFieldException("order", order, Nearest.oneOf(order, ORDERS));
            }
        }

        AuctionSettings over(AuctionSettings base) {
            return new AuctionSettings(
                    order == null ? base.order() : RemainingTime.of(order),
                    jobs == null ? base.jobs() : jobs,
                    sets == null ? base.sets() : sets,
                    moves == null ? base.moves() : moves,
                    base.preemption(),
                    patience == null ? base.patience() : patience);
        }
    }

    GymHandshake {
        if (protocol != PROTOCOL) {
            throw new InvalidFieldException("protocol", protocol, "%d, the version of this server".formatted(PROTOCOL));
        }
        if (!GROUNDS.contains(ground)) {
            throw new InvalidFieldException("ground", ground, Nearest.oneOf(ground, GROUNDS));
        }
        if (!STEPS.contains(autoresetStep)) {
            throw new InvalidFieldException("autoresetStep", autoresetStep, Nearest.oneOf(autoresetStep, STEPS));
        }
        if (discountHours != null) {
            above(0, "discountHours", discountHours);
        }
        if (horizonHours != null) {
            above(0, "horizonHours", horizonHours);
        }
    }

    /**
     * Reads the message.
     *
     * @param most environments that a connection may have
     * @throws InputException when a key or value is not valid, or the client speaks another version
     */
    static GymHandshake read(String json, int most) {
        try {
            GymHandshake hello = Binder.bind(new Yaml.Json("hello", MAPPER.readTree(json)), GymHandshake.class);
            if (hello.environments < 1 || hello.environments > most) {
                throw InputException.at(
                        "hello, environments", hello.environments, "a whole number from 1 to %d".formatted(most));
            }
            return hello;
        } catch (JsonProcessingException e) {
            throw new InputException("hello: is not JSON: expected an object with the key protocol");
        }
    }

    /** When an episode follows one that has ended. */
    VectorEnvWorker.Autoreset following() {
        if (!autoreset) {
            return VectorEnvWorker.Autoreset.NONE;
        }
        return autoresetStep.equals(NEXT) ? VectorEnvWorker.Autoreset.NEXT_STEP : VectorEnvWorker.Autoreset.SAME_STEP;
    }

    /** Whether agents offer bids at prices. */
    boolean makesOffers() {
        return ground.equals(OFFERS);
    }

    /**
     * Settings of auctions: each value as the client asks, else as the config's learner has it, else as the quickstart
     * has it.
     *
     * @param preemption that of the config's environment
     */
    AuctionSettings auctions(ExperimentConfig config, boolean preemption) {
        AuctionSettings learner = config.learner().auctions(preemption);
        AuctionSettings base =
                learner == null ? new AuctionSettings(RemainingTime.GITTINS, 6, 8, 2, preemption, true) : learner;
        return auction == null ? base : auction.over(base);
    }
}
