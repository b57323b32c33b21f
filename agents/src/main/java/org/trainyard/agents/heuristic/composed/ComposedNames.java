package org.trainyard.agents.heuristic.composed;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.trainyard.env.InputException;

/** The names of the members of the tuned family. */
final class ComposedNames {
    private static final String NEVER = "never";
    private static final List<String> KEYS = List.of(
            "delay", "limit", "patience", "share", "long", "margin", "migrate", "move", "racks", "width", "queues");

    private ComposedNames() {}

    /** The name, such as {@code tuned:spwf+lif+delay=2}; knobs with the values of {@link ComposedSettings#of} are omitted. */
    static String of(ComposedSettings settings) {
        ComposedSettings plain = ComposedSettings.of(settings.order(), settings.placement());
        StringBuilder name = new StringBuilder(ComposedSettings.PREFIX)
                .append(word(settings.order()))
                .append('+')
                .append(word(settings.placement()));
        for (String key : KEYS) {
            String value = value(settings, key);
            if (!value.equals(value(plain, key))) {
                name.append('+').append(key).append('=').append(value);
            }
        }
        return name.toString();
    }

    private static String value(ComposedSettings settings, String key) {
        return switch (key) {
            case "delay" -> number(settings.delay());
            case "limit" -> number(settings.limit());
            case "patience" -> number(settings.patience());
            case "share" -> number(settings.share());
            case "long" -> number(settings.longHours());
            case "margin" -> number(settings.marginSeconds());
            case "migrate" -> number(settings.migrate());
            case "move" -> number(settings.move());
            case "racks" -> number(settings.racks());
            case "width" -> number(settings.width());
            default -> settings.queueGpuSeconds().stream().map(String::valueOf).collect(Collectors.joining("/"));
        };
    }

    private static String number(double value) {
        if (Double.isInfinite(value)) {
            return NEVER;
        }
        return value == Math.rint(value) && value < 1e9 ? String.valueOf((long) value) : String.valueOf(value);
    }

    /** A constant as names have it. */
    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The member of a name. */
    static ComposedSettings parse(String name) {
        String[] parts = name.substring(ComposedSettings.PREFIX.length()).split("\\+", -1);
        if (!name.startsWith(ComposedSettings.PREFIX) || parts.length < 2) {
            throw InputException.at("scheduler", name, "tuned:ORDER+PLACEMENT, such as tuned:spwf+lif+delay=2");
        }
        ComposedSettings settings = ComposedSettings.of(
                constant(name, parts[0], ComposedSettings.Order.values()),
                constant(name, parts[1], ComposedSettings.Placement.values()));
        for (String part : Arrays.asList(parts).subList(2, parts.length)) {
            int equals = part.indexOf('=');
            String key = equals < 0 ? part : part.substring(0, equals);
            if (equals < 0 || !KEYS.contains(key)) {
                throw InputException.at("scheduler " + name, part, "KEY=VALUE with a key of " + KEYS);
            }
            settings = settings.with(knobs -> turn(knobs, name, key, part.substring(equals + 1)));
        }
        return settings;
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

    private static void turn(ComposedSettings.Knobs knobs, String name, String key, String value) {
        switch (key) {
            case "delay" -> knobs.delay = number(name, value);
            case "limit" -> knobs.limit = number(name, value);
            case "patience" -> knobs.patience = number(name, value);
            case "share" -> knobs.share = number(name, value);
            case "long" -> knobs.longHours = number(name, value);
            case "margin" -> knobs.marginSeconds = number(name, value);
            case "migrate" -> knobs.migrate = number(name, value);
            case "move" -> knobs.move = number(name, value);
            case "racks" -> knobs.racks = number(name, value);
            case "width" -> knobs.width = number(name, value);
            default -> knobs.queueGpuSeconds = queues(name, value);
        }
    }

    private static List<Long> queues(String name, String value) {
        return Arrays.stream(value.split("/", -1))
                .map(limit -> (long) number(name, limit))
                .toList();
    }

    private static double number(String name, String value) {
        if (value.equals(NEVER)) {
            return Double.POSITIVE_INFINITY;
        }
        try {
            double number = Double.parseDouble(value);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, together with infinite values.
        }
        throw InputException.at("scheduler " + name, value, "a number, or never");
    }
}
