package org.trainyard.env.gym.registry;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;

/**
 * Schedulers whose names begin with a text, such as {@code easy:sjf} or {@code slurm:FOLDER}.
 *
 * @param text how the names begin
 * @param isParsed whether the rest of a name is a description in a language of its own: its row has the canonical form
 *     as its name, and messages about it name the part that is wrong
 * @param row the row of a whole name
 */
public record SchedulerPrefix(String text, boolean isParsed, Function<String, Entry> row) {
    /** Names whose rest is a path or the name of another scheduler. */
    public SchedulerPrefix(String text, Function<String, Entry> row) {
        this(text, false, row);
    }

    /**
     * The scheduler behind the last prefix of a name, which another scheduler wraps.
     *
     * @param rest the name behind the prefix
     * @throws InputException when there is none, or it replays a published simulator
     */
    public static Entry wrapped(String name, String rest) {
        Entry inner = SchedulerRegistry.named(rest);
        if (inner.replaysTrace()) {
            throw InputException.at(
                    "scheduler", name, "a scheduler behind it that does not replay a published simulator");
        }
        return inner;
    }

    /** The flags of a scheduler that wraps another one: no variants by placer, for names of these have no prefix. */
    public static Set<Flag> flagsOf(Entry inner) {
        Set<Flag> flags = EnumSet.noneOf(Flag.class);
        flags.addAll(inner.flags());
        flags.remove(Flag.VARIANTS);
        return flags;
    }
}
