package org.trainyard.agents.heuristic.composed;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.trainyard.env.InputException;

/** The names of the members of the tuned family. */
final class ComposedNames {
    /** Members that searches chose for the worlds that ship, by their short names. */
    static final Map<String, ComposedSettings> SHIPPED = new LinkedHashMap<>();
    /** Short names of the shipped members, by their names with knobs. */
    private static final Map<String, String> SHORT_NAMES = new HashMap<>();

    static {
        ship("tuned-quickstart", "gittins+lif+delay=never+migrate=1");
        ship("tuned-default", "gittins-limit+sets+delay=never+migrate=0.5+move=10+racks=1");
        ship("tuned-contended", "gittins-limit+sets+delay=never+migrate=0.5+move=10+racks=1+width=0.5");
        ship("tuned-generations", "srtf+lif+delay=never+move=10");
        ship("tuned-parts", "gittins-limit+sets+delay=never+migrate=0.5+move=10+racks=1+width=1");
        ship("tuned-shared", "gittins+sets+limit=2+patience=100+delay=never+migrate=1+move=10+racks=1+width=1.5");
        ship("tuned-pairs", "gittins+sets+limit=2+patience=100+delay=never+migrate=1+move=10+racks=1+width=1");
        ship("tuned-inside", "gittins+sets+delay=never+migrate=1+move=10+gpus=widest");
    }

    private ComposedNames() {}

    private static void ship(String name, String member) {
        ComposedSettings settings = parse(ComposedSettings.PREFIX + member);
        SHIPPED.put(name, settings);
        SHORT_NAMES.put(withKnobs(settings), name);
    }

    /** The short name of a member that ships, else that with its knobs. */
    static String of(ComposedSettings settings) {
        String member = withKnobs(settings);
        return SHORT_NAMES.getOrDefault(member, member);
    }

    /** The name, such as {@code tuned:spwf+lif+delay=2}; values of {@link ComposedSettings#of} are omitted. */
    static String withKnobs(ComposedSettings settings) {
        StringBuilder name = new StringBuilder(ComposedSettings.PREFIX)
                .append(word(settings.order()))
                .append('+')
                .append(word(settings.placement()));
        for (Knob knob : Knob.values()) {
            if (settings.value(knob) != knob.plain()) {
                add(name, knob.key(), knob.textOf(settings.value(knob)));
            }
        }
        if (!settings.hasPlainQueues()) {
            String limits =
                    settings.queueGpuSeconds().stream().map(String::valueOf).collect(Collectors.joining("/"));
            add(name, ComposedSettings.QUEUES, limits);
        }
        return name.toString();
    }

    private static void add(StringBuilder name, String key, String value) {
        name.append('+').append(key).append('=').append(value);
    }

    /** A constant as names have it. */
    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The member of a name. */
    static ComposedSettings parse(String name) {
        ComposedSettings shipped = SHIPPED.get(name);
        if (shipped != null) {
            return shipped;
        }
        String[] parts = name.substring(ComposedSettings.PREFIX.length()).split("\\+", -1);
        if (!name.startsWith(ComposedSettings.PREFIX) || parts.length < 2) {
            throw InputException.at("scheduler", name, "tuned:ORDER+PLACEMENT, such as tuned:spwf+lif+delay=2");
        }
        ComposedSettings settings = ComposedSettings.of(
                constant(name, parts[0], ComposedSettings.Order.values()),
                constant(name, parts[1], ComposedSettings.Placement.values()));
        // Values may depend on each other, so they are checked together.
        Map<Knob, Double> knobs = new EnumMap<>(Knob.class);
        for (String part : Arrays.asList(parts).subList(2, parts.length)) {
            String key = part.substring(0, Math.max(0, part.indexOf('=')));
            String value = part.substring(part.indexOf('=') + 1);
            Knob knob = Knob.byKey(key);
            if (knob != null) {
                knobs.put(knob, knob.valueOf(name, value));
            } else if (key.equals(ComposedSettings.QUEUES)) {
                settings = settings.withQueues(queues(name, value));
            } else {
                String expected = "KEY=VALUE with a key of [%s, %s]".formatted(Knob.keys(), ComposedSettings.QUEUES);
                throw InputException.at("scheduler " + name, part, expected);
            }
        }
        return new ComposedSettings(settings.order(), settings.placement(), knobs, settings.queueGpuSeconds());
    }

    private static <E extends Enum<E>> E constant(String name, String word, E[] constants) {
        for (E constant : constants) {
            if (word(constant).equals(word)) {
                return constant;
            }
        }
        String known = Arrays.stream(constants).map(ComposedNames::word).collect(Collectors.joining(", "));
        throw InputException.at("scheduler " + name, word, "one of " + known);
    }

    private static List<Long> queues(String name, String value) {
        return Arrays.stream(value.split("/", -1))
                .map(limit -> (long) Knob.parse(name, limit))
                .toList();
    }
}
