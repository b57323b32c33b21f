package org.trainyard.env.workload.trace.slurm;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.trainyard.env.InputException;

/**
 * Resources as Slurm lists them: {@code cpu=64,gres/gpu:a100=4,mem=100G,license/fluent=2}. Names are without case; K,
 * M, G, T and P behind a number are powers of 1024.
 */
public final class Tres {
    /** Name of all GPUs; for those of one type it is followed by a colon and the type. */
    public static final String GPU = "gres/gpu";

    private static final String LICENSE = "license/";
    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,15})(\\.\\d*)?([KMGTP]?)([nc]?)");

    private final Map<String, Long> counts = new LinkedHashMap<>();

    private Tres() {}

    /** The names and values of a list, unread; a part without a value is refused. */
    public static Map<String, String> pairs(String place, String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            String[] pair = part.strip().split("=", 2);
            if (pair.length == 2) {
                pairs.put(pair[0].strip().toLowerCase(Locale.ROOT), pair[1].strip());
            } else if (!part.isBlank()) {
                throw InputException.at(place, part.strip(), "TRES=number, such as gres/gpu=8");
            }
        }
        return pairs;
    }

    /** Reads a list of amounts. */
    public static Tres of(String place, String text) {
        Tres tres = new Tres();
        pairs(place, text).forEach((name, value) -> {
            Matcher amount = AMOUNT.matcher(value);
            if (!amount.matches()) {
                throw InputException.at(place, name + "=" + value, "TRES=number, such as gres/gpu=8");
            }
            long times = 1L
                    << (10 * "KMGTP".indexOf(amount.group(3)) + (amount.group(3).isEmpty() ? 0 : 10));
            String fraction = amount.group(2);
            double number = Double.parseDouble(amount.group(1) + (fraction == null ? "" : fraction));
            tres.counts.put(name, (long) Math.min(Long.MAX_VALUE, number * times));
        });
        return tres;
    }

    /** The amounts by name. */
    public Map<String, Long> counts() {
        return counts;
    }

    /** An amount as an int; -1 where the list does not name it. */
    public int count(String name) {
        return (int) Math.min(Integer.MAX_VALUE, counts.getOrDefault(name, -1L));
    }

    /** All GPUs; where a list names those of types alone, their sum. */
    public int gpus() {
        long typed = counts.entrySet().stream()
                .filter(each -> each.getKey().startsWith(GPU + ":"))
                .mapToLong(Map.Entry::getValue)
                .sum();
        return (int) Math.min(Integer.MAX_VALUE, Math.max(typed, counts.getOrDefault(GPU, 0L)));
    }

    /** The licences of a list that may hold what is not read, such as {@code fluent:2,ansys:1}; empty for none. */
    public static String licenses(String text) {
        return Arrays.stream(text.split(",", -1))
                .filter(part -> part.startsWith(LICENSE))
                .map(part -> part.substring(LICENSE.length()).replace('=', ':'))
                .collect(Collectors.joining(","));
    }
}
