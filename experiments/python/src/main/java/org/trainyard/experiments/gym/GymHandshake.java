package org.trainyard.experiments.gym;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.yaml.Nearest;

/**
 * A client's first message: the environments that it wants.
 *
 * @param token null where none was sent
 * @param ground {@value #AUCTION} or {@value #OFFERS}
 * @param environments stepped side by side
 * @param autoreset whether the next episode begins in the step that ends one
 * @param stride the number of the next episode less that of the last
 * @param graph whether observations of auctions have the nodes of the data centre
 * @param maxBids bids of an auction that are offered at most; null for all
 * @param discountHours simulated hours after which a cost counts 1/e; infinite for no discount
 * @param horizonHours simulated hours after which an episode is ended; infinite for its end
 * @param illegalPenalty subtracted from the reward for an illegal bid
 * @param reserve the price that offers must exceed where waiting is legal
 * @param offer what auctions offer, over the config's learner; null leaves that
 */
record GymHandshake(
        @Nullable String token,
        String ground,
        int environments,
        boolean autoreset,
        long stride,
        boolean graph,
        @Nullable Integer maxBids,
        double discountHours,
        double horizonHours,
        double illegalPenalty,
        double reserve,
        @Nullable JsonNode offer) {
    /** Version of the protocol. */
    static final int PROTOCOL = 1;

    static final String AUCTION = "auction";
    static final String OFFERS = "offers";

    private static final List<String> GROUNDS = List.of(AUCTION, OFFERS);
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final List<String> KEYS = List.of(
            "protocol",
            "token",
            "ground",
            "environments",
            "autoreset",
            "stride",
            "graph",
            "max_bids",
            "discount_hours",
            "horizon_hours",
            "illegal_penalty",
            "reserve",
            "auction");
    private static final List<String> OFFER = List.of("order", "jobs", "sets", "moves", "patience");

    /**
     * Reads the message.
     *
     * @param most environments that a connection may have
     * @throws InputException when a key or value is not valid, or the client speaks another version
     */
    static GymHandshake read(String json, int most) {
        ObjectNode node = object(json);
        requireKeys("hello", node, KEYS);
        int protocol = (int) whole(node, "protocol", 0, 0, Integer.MAX_VALUE);
        if (protocol != PROTOCOL) {
            throw InputException.at("hello, protocol", protocol, "%d, the version of this server".formatted(PROTOCOL));
        }
        String ground = node.path("ground").asText(AUCTION);
        if (!GROUNDS.contains(ground)) {
            throw InputException.at("hello, ground", ground, Nearest.oneOf(ground, GROUNDS));
        }
        JsonNode offer = node.get("auction");
        if (offer != null && !offer.isNull()) {
            if (!(offer instanceof ObjectNode fields)) {
                throw InputException.at("hello, auction", offer, "an object");
            }
            requireKeys("hello, auction", fields, OFFER);
        }
        return new GymHandshake(
                node.hasNonNull("token") ? node.get("token").asText() : null,
                ground,
                (int) whole(node, "environments", 1, 1, most),
                flag(node, "autoreset"),
                whole(node, "stride", 1, 1, 1L << 32),
                flag(node, "graph"),
                node.hasNonNull("max_bids") ? (int) whole(node, "max_bids", 2, 2, 1 << 20) : null,
                number(node, "discount_hours", Double.POSITIVE_INFINITY, Double.MIN_VALUE),
                number(node, "horizon_hours", Double.POSITIVE_INFINITY, Double.MIN_VALUE),
                number(node, "illegal_penalty", 1, 0),
                number(node, "reserve", 0, -Double.MAX_VALUE),
                offer == null || offer.isNull() ? null : offer);
    }

    /** Whether agents offer bids at prices. */
    boolean makesOffers() {
        return ground.equals(OFFERS);
    }

    private static ObjectNode object(String json) {
        try {
            if (MAPPER.readTree(json) instanceof ObjectNode node) {
                return node;
            }
        } catch (JsonProcessingException e) {
            throw new InputException("hello: is not JSON: expected an object with the keys " + String.join(", ", KEYS));
        }
        throw new InputException("hello: is no object: expected one with the keys " + String.join(", ", KEYS));
    }

    private static void requireKeys(String place, ObjectNode node, List<String> known) {
        Iterator<String> names = node.fieldNames();
        while (names.hasNext()) {
            String name = names.next();
            if (!known.contains(name)) {
                throw InputException.at(place, name, Nearest.oneOf(name, known));
            }
        }
    }

    private static long whole(JsonNode node, String key, long without, long least, long most) {
        JsonNode value = node.get(key);
        if (value == null || value.isNull()) {
            return without;
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < least || value.asLong() > most) {
            throw InputException.at("hello, " + key, value, "a whole number from %d to %d".formatted(least, most));
        }
        return value.asLong();
    }

    private static boolean flag(JsonNode node, String key) {
        JsonNode value = node.get(key);
        if (value == null || value.isNull()) {
            return false;
        }
        if (!value.isBoolean()) {
            throw InputException.at("hello, " + key, value, "true or false");
        }
        return value.asBoolean();
    }

    private static double number(JsonNode node, String key, double without, double least) {
        JsonNode value = node.get(key);
        if (value == null || value.isNull()) {
            return without;
        }
        if (!value.isNumber() || !(value.asDouble() >= least) || value.asDouble() == Double.POSITIVE_INFINITY) {
            String expected = least > 0 ? "a number above 0, or null" : least == 0 ? "0 or more" : "a finite number";
            throw InputException.at("hello, " + key, value, expected);
        }
        return value.asDouble();
    }

    /**
     * What auctions offer: each value as the client asks, else as the config's learner has it, else as the
     * quickstart has it.
     *
     * @param preemption that of the config's environment
     */
    AuctionSettings auctions(ExperimentConfig config, boolean preemption) {
        AuctionSettings learner = config.learner().auctions(preemption);
        AuctionSettings base =
                learner == null ? new AuctionSettings(RemainingTime.GITTINS, 6, 8, 2, preemption, true) : learner;
        if (offer == null) {
            return base;
        }
        JsonNode order = offer.get("order");
        JsonNode patience = offer.get("patience");
        return new AuctionSettings(
                order == null ? base.order() : order(order.asText()),
                (int) whole(offer, "jobs", base.jobs(), 1, 1000),
                (int) whole(offer, "sets", base.sets(), 1, 1000),
                (int) whole(offer, "moves", base.moves(), 0, 1000),
                preemption,
                patience == null ? base.patience() : flag(offer, "patience"));
    }

    private static RemainingTime order(String title) {
        try {
            return RemainingTime.of(title);
        } catch (InvalidFieldException wrong) {
            throw InputException.at("hello, auction.order", title, wrong.expected());
        }
    }
}
