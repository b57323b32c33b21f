package org.trainyard.env.workload.trace;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.log.Meaning;
import org.trainyard.env.workload.trace.log.NoTrace;
import org.trainyard.env.workload.trace.log.Table;
import org.trainyard.env.workload.trace.log.TraceColumns;

/** The header of a table: what separates its columns, and which format has them; or the true reason why none does. */
final class TableHeader {
    private static final List<Character> SEPARATORS = List.of(',', '|', ';', '\t');
    private static final Pattern SACCT_WITHOUT_P = Pattern.compile("(?i)\\s*job ?id(raw)?\\s{2,}.*");
    private static final Pattern SQUEUE_WITHOUT_BARS = Pattern.compile("(?i)\\s*jobid\\s+partition\\s+name\\s.*");
    private static final Pattern KUBECTL_WITHOUT_JSON = Pattern.compile("(?i)(namespace\\s+)?name\\s+ready\\s.*");
    private static final Pattern YAML = Pattern.compile("(?i)(apiVersion|kind|items): .*|---.*");
    private static final Pattern DATED = Pattern.compile(".*\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d.*");
    /** What a command says of itself in place of its output. */
    private static final Pattern TOLD = Pattern.compile("(?i)[\\w./-]+: (error|warning|fatal|info)\\b.*");

    private static final Pattern SLURM_ROW = Pattern.compile("\\d+(_\\d+)?(\\.\\w+)?[|;,\t].*");

    private final String file;
    private final FirstLines first;
    private final char separator;
    private final TraceColumns columns;
    private final TraceReader.Options options;

    TableHeader(String file, FirstLines first, TraceReader.Options options) {
        this.file = file;
        this.first = first;
        this.options = options;
        String given = options.separator();
        separator = given == null ? found(first.line()) : given.charAt(0);
        columns = columns(first.line(), separator);
    }

    /** The header of a file that names its columns otherwise than in a line. */
    TableHeader(String file, TraceColumns columns, TraceReader.Options options) {
        this.file = file;
        this.options = options;
        this.columns = columns;
        String line = String.join(",", columns.names());
        first = new FirstLines(line, line, 1);
        separator = ',';
    }

    char separator() {
        return separator;
    }

    TraceColumns columns() {
        return columns;
    }

    /** The separator by which some format has the columns, or else the one that makes most of them. */
    private static char found(String line) {
        return SEPARATORS.stream()
                .filter(one -> TraceFormat.of(columns(line, one)) != null)
                .findFirst()
                .orElseGet(() -> SEPARATORS.stream()
                        .max(Comparator.comparingInt(
                                        (Character one) -> columns(line, one).count())
                                .thenComparing(one -> -SEPARATORS.indexOf(one)))
                        .orElse(','));
    }

    private static TraceColumns columns(String line, char separator) {
        boolean quotes = separator != '|';
        try (Stream<CsvRecord> records = CsvReader.builder()
                .fieldSeparator(separator)
                .quoteCharacter(quotes ? '"' : '\uFFFF')
                .ofCsvRecord(line)
                .stream()) {
            return new TraceColumns(
                    records.findFirst().map(CsvRecord::getFields).orElse(List.of()));
        } catch (CsvParseException e) {
            // Quotes that are none with this separator.
            return new TraceColumns(List.of());
        }
    }

    /** The format of the table. */
    TraceFormat format(@Nullable TraceFormat forced) {
        String place = file + ":" + first.number() + ", header";
        String shown = BadLine.printable(String.join(",", columns.names()));
        boolean isRow = SLURM_ROW.matcher(first.line()).matches();
        if (columns.repeated() != null && !isRow) {
            throw InputException.at(place, BadLine.printable(columns.repeated()), "every column once");
        }
        if (forced == TraceFormat.NAMED) {
            return named(place, shown);
        }
        if (forced != null) {
            if (!forced.missingFrom(columns).isEmpty()) {
                throw InputException.at(
                        place,
                        shown,
                        "also %s, as %s has them"
                                .formatted(String.join(",", forced.missingFrom(columns)), forced.label()));
            }
            return forced;
        }
        TraceFormat known = TraceFormat.of(columns);
        if (known != null) {
            return known;
        }
        throw InputException.at(place, shown, expected());
    }

    private TraceFormat named(String place, String shown) {
        Table table = options.columns();
        if (table == null) {
            throw InputException.at(place, shown, "--columns with what the columns mean");
        }
        List<String> missing = table.required().stream()
                .filter(names -> Stream.of(names.split("\\|", -1)).noneMatch(columns::has))
                .toList();
        if (!missing.isEmpty()) {
            throw InputException.at(
                    place, shown, "also the columns %s of --columns".formatted(String.join(", ", missing)));
        }
        return TraceFormat.NAMED;
    }

    /** What to do about a header of no format: the right options of the command that most likely wrote it, the nearest format, or what its columns seem to mean. */
    private String expected() {
        String line = first.line();
        if (SACCT_WITHOUT_P.matcher(line).matches()) {
            return "what sacct -P prints, with bars between the columns (%s)"
                    .formatted(plain(TraceFormat.SACCT.required()));
        } else if (SQUEUE_WITHOUT_BARS.matcher(line).matches()) {
            return "jobs that ended: what sacct -P prints (columns %s), for squeue shows those that wait and run"
                    .formatted(plain(TraceFormat.SACCT.required()));
        } else if (KUBECTL_WITHOUT_JSON.matcher(line).matches()
                || YAML.matcher(line).matches()) {
            return "what kubectl get pods -o json prints";
        } else if (SLURM_ROW.matcher(line).matches() && DATED.matcher(line).matches()) {
            return "a header: this seems to be sacct -n (--noheader); run it without, or put the names of the columns"
                    + " in the first line";
        }
        if (TOLD.matcher(line).matches()) {
            return "what the command prints: this begins with what it says of itself; delete the lines above the header,"
                    + " or keep its standard error apart";
        } else if (line.startsWith("+--")) {
            return "what mysql -B prints: columns between tabs, without a frame";
        } else if (columns.has("jobid") && columns.has("state")) {
            return missing(TraceFormat.SACCT);
        }
        String other = NoTrace.name(columns);
        if (other != null) {
            return other;
        }
        TraceFormat nearest = TraceFormat.nearest(columns);
        if (nearest != null) {
            return nearest.missingFrom(columns).isEmpty() ? unread(nearest) : missing(nearest);
        }
        String guess = Table.guess(columns);
        return guess != null
                ? "a known format, or what its columns mean, perhaps --columns \"%s\"".formatted(guess)
                : "a known format (%s; `trainyard list traces` shows their columns), or --columns and --separator to say what these are"
                        .formatted(TraceFormat.known());
    }

    private String unread(TraceFormat nearest) {
        List<String> unread = nearest.unread(columns);
        return "another format than %s, which would not read %s: it multiplies or restricts what jobs ask for; say what it means with --columns%s"
                .formatted(nearest.label(), String.join(", ", unread), guessed());
    }

    private String guessed() {
        String guess = Table.guess(columns);
        return guess == null ? "" : ", perhaps \"%s\"".formatted(guess);
    }

    private String missing(TraceFormat nearest) {
        List<String> missing = nearest.missingFrom(columns);
        List<String> others =
                columns.names().stream().filter(name -> !nearest.knows(name)).toList();
        String near = missing.stream()
                .map(name -> near(name, others))
                .filter(pair -> !pair.isEmpty())
                .collect(Collectors.joining(", "));
        return "also %s: it is nearest to %s%s; `trainyard list traces` shows all formats, and --columns says what columns mean%s"
                .formatted(
                        String.join(",", missing),
                        nearest.label(),
                        near.isEmpty() ? "" : " (nearest columns here: %s)".formatted(near),
                        guessed());
    }

    /** The column among others that a missing one may be, as {@code gpus: gpu_num}; empty when there is none. */
    private static String near(String missing, List<String> others) {
        Meaning meaning = Meaning.ofColumn(missing);
        return others.stream()
                .filter(other -> (meaning != null && meaning == Meaning.ofColumn(other))
                        || other.replaceAll("[^a-z]", "").contains(missing.replaceAll("[^a-z]", "")))
                .findFirst()
                .map(other -> missing + ": " + other)
                .orElse("");
    }

    private static String plain(List<String> required) {
        return required.stream().map(names -> names.split("\\|", -1)[0]).collect(Collectors.joining(","));
    }
}
