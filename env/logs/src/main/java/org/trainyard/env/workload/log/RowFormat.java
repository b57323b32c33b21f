package org.trainyard.env.workload.log;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;

/**
 * A format of rows, most often a table with a header: a named set of columns, and a converter of rows to jobs.
 *
 * <p>A table is of a format when all of the format's required columns are in the header, unless the header has a column
 * that multiplies or restricts the demands of jobs and that the format does not know; other columns may be there.
 */
public abstract class RowFormat implements LogFormat {
    private final String label;
    private final List<String> required;
    private final List<String> optional;

    protected RowFormat(String label, List<String> required, List<String> optional) {
        this.label = label;
        this.required = List.copyOf(required);
        this.optional = List.copyOf(optional);
    }

    /** A converter of the rows of one file to jobs. */
    protected abstract LogRows rows(LogRows.Source source);

    @Override
    public final String label() {
        return label;
    }

    @Override
    public final List<String> required() {
        return required;
    }

    @Override
    public final List<String> optional() {
        return optional;
    }

    @Override
    public boolean sniff(LogFile file) {
        return hasHeader() && file.isTable() && has(file.header().columns());
    }

    @Override
    public Trace read(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs) throws IOException {
        return file.isTable()
                ? TableText.read(file, this, options, jobs)
                : LogFormats.other(file, options.as(this), jobs);
    }

    /** Whether its files are tables with a header. */
    protected boolean hasHeader() {
        return true;
    }

    /** Whether each of its rows is a job, with an id that no other has. */
    protected boolean isOfSingleRows() {
        return true;
    }

    /** Whether submissions are dates. */
    protected boolean wallClock() {
        return false;
    }

    /** Whether fields may stand in quotes, in a table with that separator. */
    protected boolean quotes(char separator) {
        return separator != '|';
    }

    /** Whether a column that it does not know multiplies or restricts the demands of jobs. */
    protected boolean restricts(String column) {
        Meaning meaning = Meaning.ofColumn(column);
        return meaning != null && meaning.restricts();
    }

    /** Whether a column of a file with these columns is read, or known and not needed. */
    protected boolean reads(String column, TraceColumns columns) {
        return knows(column) || !hasHeader();
    }

    /** The column of the id, for messages. */
    protected String idColumn() {
        return required.get(0);
    }

    /** Name of the thing that has as many columns as a row must have, for messages. */
    protected String shape() {
        return hasHeader() ? "the header" : label;
    }

    /**
     * Refuses a header without a required column.
     *
     * @throws InputException that names the columns
     */
    public void require(TableHeader header) {
        List<String> missing = missingFrom(header.columns());
        if (!missing.isEmpty()) {
            throw header.refused("also %s, as %s has them".formatted(String.join(",", missing), label));
        }
    }

    /** Whether a header is of this format. */
    public final boolean has(TraceColumns columns) {
        return missingFrom(columns).isEmpty() && unread(columns).isEmpty();
    }

    /** The required columns the header lacks; of several that will do, the first. */
    public final List<String> missingFrom(TraceColumns columns) {
        return required.stream()
                .map(names -> names.split("\\|", -1))
                .filter(names -> Stream.of(names).noneMatch(columns::has))
                .map(names -> names[0])
                .toList();
    }

    /** The columns of a header that multiply or restrict the demands of jobs, and that this format does not know. */
    public final List<String> unread(TraceColumns columns) {
        return columns.names().stream()
                .filter(name -> !knows(name) && restricts(name))
                .toList();
    }

    /** Whether it reads the column, or knows that it need not be read. */
    public final boolean knows(String column) {
        return Stream.concat(required.stream(), optional.stream())
                .anyMatch(names -> names.equals(column)
                        || Arrays.asList(names.split("\\|", -1)).contains(column));
    }

    @Override
    public final String toString() {
        return label;
    }
}
