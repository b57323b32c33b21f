package org.trainyard.experiments.gym;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.trainyard.experiments.gym.GymArray.Dimension;
import org.trainyard.experiments.gym.GymArray.ElementType;

/** A kind of environment: who acts, on what observation, and how an answer is laid out. */
interface GymEnvironment<G extends GymGame> {
    /** A new environment without an episode. */
    G game();

    /** Agents, each of which gives an action in every step. */
    int agents();

    /** Integers of an agent's action. */
    int actionSize();

    List<GymArray<G>> observation();

    /** Names, sizes and meanings for the handshake. */
    void describe(ObjectNode into);

    /** All arrays of an answer: how the call ended, and then the observation. */
    default List<GymArray<G>> arrays() {
        int agents = agents();
        List<Integer> perAgent = agents == 1 ? List.of() : List.of(agents);
        List<GymArray<G>> arrays = new ArrayList<>();
        arrays.add(new GymArray<>("rewards", ElementType.FLOAT64, Dimension.BATCH, perAgent, (slot, out) -> {
            for (int agent = 0; agent < agents; agent++) {
                out.putDouble(slot.reward(agent));
            }
        }));
        arrays.add(new GymArray<>("first_rewards", ElementType.FLOAT64, Dimension.BATCH, perAgent, (slot, out) -> {
            for (int agent = 0; agent < agents; agent++) {
                out.putDouble(slot.firstReward(agent));
            }
        }));
        arrays.add(one("discounts", ElementType.FLOAT64, (slot, out) -> out.putDouble(slot.discount())));
        arrays.add(one("elapsed_hours", ElementType.FLOAT64, (slot, out) -> out.putDouble(slot.elapsedHours())));
        arrays.add(one("mean_jct_seconds", ElementType.FLOAT64, (slot, out) -> out.putDouble(slot.meanJctSeconds())));
        arrays.add(one("episodes", ElementType.INT64, (slot, out) -> out.putLong(slot.episode())));
        arrays.add(one("flags", ElementType.INT32, (slot, out) -> out.putInt(slot.flags())));
        arrays.addAll(observation());
        return List.copyOf(arrays);
    }

    /** An array of one element per environment. */
    static <G extends GymGame> GymArray<G> one(String name, ElementType type, GymArray.Writer<G> writer) {
        return new GymArray<>(name, type, Dimension.BATCH, List.of(), writer);
    }

    /** The names of constants, in their order. */
    static ArrayNode names(Enum<?>[] constants) {
        ArrayNode names = JsonNodeFactory.instance.arrayNode();
        for (Enum<?> constant : constants) {
            names.add(constant.name());
        }
        return names;
    }
}
