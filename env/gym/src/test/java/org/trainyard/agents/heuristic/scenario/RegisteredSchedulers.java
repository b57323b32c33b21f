package org.trainyard.agents.heuristic.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.trainyard.env.gym.registry.SchedulerRegistry;

/**
 * The schedulers under property tests: the whole registry, and of the names that are not listed some that represent the
 * others.
 */
public final class RegisteredSchedulers {
    private static final List<String> UNLISTED = List.of(
            "tuned:fifo+best-fit+delay=6",
            "tuned:sjf+spread+delay=0.5",
            "tuned:spwf+lifw+delay=never+limit=1.5",
            "tuned:las+lif+delay=2",
            "tuned:srtf+first-fit+delay=never+share=0.5",
            "tuned:gittins+lifw+delay=never+migrate=1",
            "tuned:gittins+sets+delay=never+migrate=1+move=10+racks=1",
            "tuned:las+lif+delay=2+reservations=2+predicted=1+age=1",
            "easy:sjf",
            "easy:srtf",
            "conservative:gittins",
            "posted-price:srtf",
            "controller:easy");

    private RegisteredSchedulers() {}

    public static List<SchedulerRegistry.Entry> all() {
        List<SchedulerRegistry.Entry> all = new ArrayList<>(SchedulerRegistry.entries());
        UNLISTED.forEach(name -> all.add(SchedulerRegistry.named(name)));
        return all;
    }

    /** Those that belong in our own world. */
    public static List<SchedulerRegistry.Entry> ours() {
        return all().stream().filter(entry -> !entry.replaysTrace()).toList();
    }

    /** The names of {@link #ours}, a test each. */
    public static Stream<String> names() {
        return ours().stream().map(SchedulerRegistry.Entry::name);
    }
}
