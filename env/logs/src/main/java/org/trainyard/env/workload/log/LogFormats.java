package org.trainyard.env.workload.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.ServiceProviders;
import org.trainyard.env.workload.TraceJob;

/** The formats of logs that can be read: the project's own, those on the class path, and those of plugins. */
public final class LogFormats {
    /** The project's own. */
    public static final LogFormat OWN = new OwnFormat();

    private static final List<LogPlugin> INSTALLED = ServiceProviders.all(LogPlugin.class);

    /** Replaced as a whole. */
    private static volatile List<LogPlugin> plugged = List.of();

    private LogFormats() {}

    /**
     * Adds the formats of plugins, in place of those added before.
     *
     * @throws InputException when a name is taken
     */
    public static void plug(List<LogPlugin> plugins) {
        List<String> names = new ArrayList<>(labels(formats(INSTALLED)));
        for (LogFormat format : formats(plugins).skip(1).toList()) {
            if (names.contains(format.label())) {
                throw InputException.at("plugin", format.label(), "a name that no other format of logs has");
            }
            names.add(format.label());
        }
        plugged = List.copyOf(plugins);
    }

    private static Stream<LogPlugin> plugins() {
        return Stream.concat(INSTALLED.stream(), plugged.stream());
    }

    private static Stream<LogFormat> formats(List<LogPlugin> plugins) {
        return Stream.concat(Stream.of(OWN), plugins.stream().flatMap(plugin -> plugin.formats().stream()));
    }

    /** All formats, in the order in which they are listed, and in which a file is tried. */
    public static List<LogFormat> all() {
        return formats(plugins().toList()).toList();
    }

    /** Names of all formats, in the order in which they are listed. */
    public static List<String> labels() {
        return labels(all().stream());
    }

    private static List<String> labels(Stream<LogFormat> formats) {
        return formats.map(LogFormat::label).toList();
    }

    /** The format of that name, whatever its case, or null. */
    public static @Nullable LogFormat byLabel(String label) {
        return all().stream()
                .filter(format -> format.label().equalsIgnoreCase(label))
                .findFirst()
                .orElse(null);
    }

    /**
     * The format of a table whose columns the user names.
     *
     * @throws InputException when the text is wrong, or nothing here reads such tables
     */
    public static LogFormat named(String columns) {
        return plugins()
                .map(plugin -> plugin.named(columns))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> InputException.at("--columns", columns, "a file of " + known()));
    }

    /** The formats that are here, with the columns of the only one. */
    private static String known() {
        List<LogFormat> all = all();
        return all.size() == 1
                ? "the only format of this installation, %s (%s)"
                        .formatted(OWN.label(), String.join(",", OWN.required()))
                : "a format of this installation (%s)".formatted(String.join(", ", labels()));
    }

    /** The tables among them that have a header. */
    public static Stream<RowFormat> tables() {
        return all().stream()
                .filter(RowFormat.class::isInstance)
                .map(RowFormat.class::cast)
                .filter(RowFormat::hasHeader);
    }

    /** The table that a header is of, or null. */
    public static @Nullable RowFormat of(TraceColumns columns) {
        return tables().filter(format -> format.has(columns)).findFirst().orElse(null);
    }

    /** The table of a log in a folder with the tables of a trace, or null when there is none. */
    static @Nullable Path tableIn(Path folder) {
        return all().stream()
                .map(format -> format.tableIn(folder))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Reads a file by the format that the options name, or else by the one that its first lines tell. */
    static Trace read(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs) throws IOException {
        LogFormat format = options.format() != null
                ? options.format()
                : all().stream().filter(one -> one.sniff(file)).findFirst().orElse(null);
        return format == null ? other(file, options, jobs) : format.read(file, options, jobs);
    }

    /** Reads a file whose first lines tell no format. */
    static Trace other(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs)
            throws IOException {
        for (LogPlugin plugin : plugins().toList()) {
            Trace trace = plugin.other(file, options, jobs);
            if (trace != null) {
                return trace;
            }
        }
        if (file.isTable()) {
            throw file.header().refused(known());
        }
        throw InputException.at(file.name(), file.isParquet() ? "Parquet" : "JSON", "a table of " + known());
    }
}
