package org.trainyard.env.workload.trace.log;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.log.Meaning;
import org.trainyard.env.workload.log.TraceColumns;

/**
 * A format as a named set of columns: what stands where, as {@code job=job_id,gpus=gpu_num*node_num,user=user?}. A
 * question mark makes a column optional; the key {@code ignore} lists columns that are known and need not be read, such
 * as the product of two others.
 */
public final class Table {
    private static final String IGNORE = "ignore";

    private final Map<Meaning, List<Formula>> formulas = new EnumMap<>(Meaning.class);
    private final Set<String> required = new LinkedHashSet<>();
    private final Set<String> optional = new LinkedHashSet<>();

    private Table() {}

    /** The table of a text that is known to be right. */
    public static Table of(String text) {
        return parse(text, "table");
    }

    /**
     * The table of a user's text.
     *
     * @param place is named when the text is wrong
     */
    public static Table parse(String text, String place) {
        Table table = new Table();
        for (String pair : text.split(",", -1)) {
            String[] sides = pair.split("=", 2);
            if (sides.length < 2 || sides[1].isBlank()) {
                throw InputException.at(
                        place, pair, "pairs such as job=job_id,submit=submit_time,gpus=gpu_num*node_num");
            }
            table.add(sides[0].strip(), sides[1].strip(), place);
        }
        table.check(text, place);
        return table;
    }

    private void add(String key, String value, String place) {
        if (key.equals(IGNORE)) {
            Stream.of(value.split(" ", -1)).map(TraceColumns::normalised).forEach(optional::add);
            return;
        }
        Meaning meaning = Meaning.ofKey(key);
        if (meaning == null) {
            throw InputException.at(
                    place,
                    key,
                    "one of " + Stream.of(Meaning.values()).map(Meaning::key).collect(Collectors.joining(", ")));
        }
        boolean may = value.endsWith("?");
        String text = may ? value.substring(0, value.length() - 1) : value;
        List<Formula> alternatives = new ArrayList<>();
        for (String one : text.split("\\|", -1)) {
            Formula formula = Formula.parse(one);
            if (formula == null) {
                throw InputException.at(place, value, "columns and numbers with *, / and + between them");
            }
            alternatives.add(formula);
        }
        formulas.put(meaning, alternatives);
        Set<String> columns = may ? optional : required;
        if (alternatives.size() > 1) {
            columns.add(text.toLowerCase(Locale.ROOT));
        } else {
            columns.addAll(alternatives.get(0).columns());
        }
    }

    private void check(String text, String place) {
        List<String> missing = new ArrayList<>();
        if (!has(Meaning.GPUS) && !has(Meaning.GPUS_EACH)) {
            missing.add("gpus");
        }
        if (!has(Meaning.SUBMIT) && !has(Meaning.START)) {
            missing.add("submit");
        }
        if (!has(Meaning.DURATION) && !(has(Meaning.END) && (has(Meaning.START) || has(Meaning.WAIT)))) {
            missing.add("duration (or start and end)");
        }
        if (has(Meaning.GPUS) && has(Meaning.INSTANCES)) {
            throw InputException.at(
                    place, text, "gpus, those of the whole job, or gpus_each with instances: both would count twice");
        }
        if (!missing.isEmpty()) {
            throw InputException.at(place, text, "also " + String.join(", ", missing));
        }
    }

    boolean has(Meaning meaning) {
        return formulas.containsKey(meaning);
    }

    /** The formula of a meaning in a file, or null when the file does not say it. */
    @Nullable Formula formula(Meaning meaning, TraceColumns columns) {
        return formulas.getOrDefault(meaning, List.of()).stream()
                .filter(formula -> formula.columns().stream().allMatch(columns::has))
                .findFirst()
                .orElse(null);
    }

    /** Whether it tells when jobs really ran. */
    public boolean hasPast() {
        return has(Meaning.SUBMIT) && (has(Meaning.START) || has(Meaning.WAIT));
    }

    /** The columns a file must have; any of several between bars will do. */
    public List<String> required() {
        return List.copyOf(required);
    }

    /** The columns it may have. */
    public List<String> optional() {
        return List.copyOf(optional);
    }

    /**
     * A guess at the table of a header that nobody knows, as a text for {@code --columns}, or null when the names say
     * too little.
     */
    public static @Nullable String guess(TraceColumns columns) {
        Map<Meaning, String> found = new EnumMap<>(Meaning.class);
        for (String column : columns.names()) {
            Meaning meaning = Meaning.ofColumn(column);
            if (meaning != null && !column.contains(",") && !column.contains("=")) {
                found.putIfAbsent(meaning, column);
            }
        }
        boolean timed = found.containsKey(Meaning.DURATION)
                || (found.containsKey(Meaning.START) && found.containsKey(Meaning.END));
        boolean submitted = found.containsKey(Meaning.SUBMIT) || found.containsKey(Meaning.START);
        if (!timed || !submitted || !(found.containsKey(Meaning.GPUS) || found.containsKey(Meaning.GPUS_EACH))) {
            return null;
        }
        if (found.containsKey(Meaning.GPUS_EACH)) {
            found.remove(Meaning.GPUS);
        }
        // Whether a number of GPUs is that of each instance, nobody can tell by names; a column that multiplies is
        // there for something.
        boolean each = found.containsKey(Meaning.INSTANCES);
        return found.entrySet().stream()
                .map(entry -> (each && entry.getKey() == Meaning.GPUS ? Meaning.GPUS_EACH : entry.getKey()).key() + "="
                        + entry.getValue())
                .collect(Collectors.joining(","));
    }
}
