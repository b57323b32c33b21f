package org.trainyard.env.workload.trace.log;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.Meaning;
import org.trainyard.env.workload.log.TraceColumns;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceRow;

/** Makes runs of the rows of one file by a {@link Table}. */
public final class TableRows {
    /** Numbers of seconds from which on they are taken as counted from 1970. */
    /** Words of logs for a job that asks for no limit of its own. */
    private static final Pattern ENDLESS = Pattern.compile("(?i)unlimited|infinite|partition_limit|none|-1");

    private static final long SINCE_1970 = 500_000_000L;

    private static final int WHOLE = 1000;
    private static final String GPUS =
            "a whole number of GPUs, at most %d, or a part of one".formatted(TraceLimits.GPUS);
    private static final String WITHOUT = "without GPUs";
    /** The most CPUs or MiB that a job may have held. */
    private static final BigDecimal MOST_HELD = BigDecimal.valueOf(1L << 32);

    private static final String SECONDS = "a time of zero or more in seconds";
    /** States of jobs whose end, where there is one, is an estimate. */
    private static final Set<String> RUNS = Set.of("RUNNING", "RUN");

    private static final Set<String> NO_TYPE = Set.of("MISC", "ANY", "NONE", "CPU");

    private final Map<Meaning, Formula> formulas = new EnumMap<>(Meaning.class);
    private final LogJobs jobs;
    private final TraceReader.Options options;
    private final GpuText gpuText;
    private boolean timed;
    private boolean dated;
    private boolean worded;

    private static final String DURATION = "duration";
    /** Seconds of the units in which logs write durations. */
    private static final Map<String, Double> UNITS =
            new TreeMap<>(Map.of("milliseconds", 1e-3, "minutes", 60.0, "hours", 3600.0));

    /**
     * @param options shards of Slurm that are a whole GPU, and whether jobs of CPUs and memory alone are kept
     * @param gpuText reads texts of GPUs that are no numbers
     * @param submissionsBeside whether another table says when jobs were submitted
     */
    public TableRows(
            Table table,
            TraceColumns columns,
            LogJobs jobs,
            TraceReader.Options options,
            GpuText gpuText,
            boolean submissionsBeside) {
        this.jobs = jobs;
        this.options = options;
        this.gpuText = gpuText;
        for (Meaning meaning : Meaning.values()) {
            Formula formula = table.formula(meaning, columns);
            if (formula != null) {
                formulas.put(meaning, formula);
            }
        }
        if (!has(Meaning.SUBMIT) && !submissionsBeside) {
            jobs.note("The log says when jobs started, not when they were submitted: the starts stand for both (%,d"
                    + " file).");
        }
    }

    /** Whether times are counted from 1970; after the first row. */
    public boolean isDated() {
        return dated;
    }

    private boolean has(Meaning meaning) {
        return formulas.containsKey(meaning);
    }

    private Formula formula(Meaning meaning) {
        Formula formula = formulas.get(meaning);
        if (formula == null) {
            throw new IllegalStateException("the table says no " + meaning.key());
        }
        return formula;
    }

    private boolean isKnown(TraceRow row, Meaning meaning) {
        Formula formula = formulas.get(meaning);
        if (formula == null || !formula.isKnown(row)) {
            return false;
        }
        String column = meaning == Meaning.START || meaning == Meaning.END ? formula.column() : null;
        return column == null || !row.textOr(column, "").strip().equalsIgnoreCase("nan");
    }

    private @Nullable String text(TraceRow row, Meaning meaning) {
        Formula formula = formulas.get(meaning);
        String column = formula == null ? null : formula.column();
        String text = column == null ? null : row.textOrNull(column);
        return jobs.shared(text == null ? null : text.strip());
    }

    /** The run of a row, or null when it is left out, and counted. */
    public @Nullable LogEntry entry(TraceRow row) {
        String id =
                has(Meaning.JOB) ? row.text(String.valueOf(formula(Meaning.JOB).column())) : "line" + row.line();
        String task = text(row, Meaning.TASK);
        LogEntry entry = new LogEntry(task == null ? id : id + "_" + task)
                .cluster(text(row, Meaning.CLUSTER))
                .by(text(row, Meaning.USER), null, text(row, Meaning.GROUP))
                .in(tenant(row))
                .trains(text(row, Meaning.MODEL))
                .on(text(row, Meaning.NODE_LIST))
                .ended(text(row, Meaning.STATE), text(row, Meaning.EXIT_CODE), text(row, Meaning.REASON))
                .host(new HostShare(amount(row, Meaning.CPUS, 1000), amount(row, Meaning.MEMORY_MIB, 1)))
                .terms(terms(row));
        String lacks = gpus(row, entry);
        boolean isLoad = options.loads() && WITHOUT.equals(lacks) && !entry.host.equals(HostShare.NONE);
        if (lacks != null && !isLoad) {
            jobs.leaveOut(lacks);
            return null;
        }
        types(row, entry);
        if (isKnown(row, Meaning.MOST_PER_NODE)) {
            jobs.note("%,d jobs say how many jobs of the group may share a server; no scheduler is told.");
        }
        String reason = times(row, entry);
        if (reason == null) {
            return entry;
        }
        if (entry.isStarted() && !entry.isEnded()) {
            jobs.stillRan(reason, entry);
        } else {
            jobs.leaveOut(reason, entry);
        }
        return null;
    }

    private @Nullable String tenant(TraceRow row) {
        for (Meaning meaning : List.of(Meaning.VIRTUAL_CLUSTER, Meaning.PARTITION, Meaning.ACCOUNT)) {
            String text = text(row, meaning);
            if (text != null) {
                return text;
            }
        }
        return null;
    }

    private SubmissionTerms terms(TraceRow row) {
        SubmissionTerms.Builder terms = new SubmissionTerms.Builder()
                .account(text(row, Meaning.ACCOUNT))
                .unixGroup(text(row, Meaning.UNIX_GROUP))
                .qos(text(row, Meaning.QOS))
                .partition(text(row, Meaning.PARTITION))
                .dependency(text(row, Meaning.DEPENDENCY))
                .reservation(text(row, Meaning.RESERVATION));
        String limit = text(row, Meaning.LIMIT);
        if (isKnown(row, Meaning.LIMIT)
                && (limit == null || !ENDLESS.matcher(limit).matches())) {
            terms.limitNanos(length(row, Meaning.LIMIT));
        }
        if (isKnown(row, Meaning.NODES)) {
            BigDecimal nodes = formula(Meaning.NODES).value(row, "a number of servers");
            boolean fits = nodes.signum() >= 0 && nodes.compareTo(BigDecimal.valueOf(TraceLimits.GPUS)) <= 0;
            terms.nodes(fits ? nodes.intValue() : 0);
        }
        if (isKnown(row, Meaning.PRIORITY)) {
            terms.priority(formula(Meaning.PRIORITY).value(row, "a number").longValue());
        }
        return terms.build();
    }

    /** An amount of the whole job in parts of a unit, rounded up; 0 where the row does not say it. */
    private long amount(TraceRow row, Meaning meaning, int parts) {
        if (!isKnown(row, meaning)) {
            return 0;
        }
        Formula formula = formula(meaning);
        String expected = "a number of %s, 0 or more".formatted(meaning == Meaning.CPUS ? "CPUs" : "MiB");
        BigDecimal value = formula.value(row, expected);
        if (value.signum() < 0 || value.compareTo(MOST_HELD) > 0) {
            throw new TraceFieldException(
                    formula.place(), row.textOr(formula.place(), value.toPlainString()), expected);
        }
        return value.multiply(BigDecimal.valueOf(parts))
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
    }

    /** Why a job has no GPUs to count, or null when it has. */
    private @Nullable String gpus(TraceRow row, LogEntry entry) {
        boolean total = has(Meaning.GPUS);
        Formula formula = formula(total ? Meaning.GPUS : Meaning.GPUS_EACH);
        if (!formula.isKnownInPart(row)) {
            return WITHOUT;
        }
        List<GpuText.Found> texts = new ArrayList<>();
        BigDecimal value = formula.value(row, (String column) -> gpus(row, column, texts));
        BigDecimal instances = !total && isKnown(row, Meaning.INSTANCES)
                ? formula(Meaning.INSTANCES).value(row, "a number of instances")
                : BigDecimal.ONE;
        if (value.signum() == 0 || instances.signum() == 0) {
            return texts.isEmpty() ? WITHOUT : texts.get(0).reason();
        }
        boolean isPart = value.compareTo(BigDecimal.ONE) < 0;
        boolean isWhole = value.stripTrailingZeros().scale() <= 0;
        BigDecimal all =
                isPart ? instances : value.setScale(0, RoundingMode.CEILING).multiply(instances);
        boolean fits = value.signum() > 0
                && instances.signum() > 0
                && instances.stripTrailingZeros().scale() <= 0
                && all.compareTo(BigDecimal.valueOf(TraceLimits.GPUS)) <= 0;
        if (!fits || (total && !isPart && !isWhole)) {
            throw new TraceFieldException(formula.place(), row.textOr(formula.place(), value.toPlainString()), GPUS);
        }
        int milli = isPart
                ? Math.min(
                        WHOLE,
                        value.movePointRight(3)
                                .setScale(0, RoundingMode.CEILING)
                                .intValueExact())
                : WHOLE;
        if (texts.size() == 1 && texts.get(0).count() > 0) {
            milli = texts.get(0).milli();
        }
        for (GpuText.Found text : texts) {
            text.types().forEach(entry::asksFor);
            if (text.remark() != null) {
                jobs.note(text.remark());
            }
        }
        if (isKnown(row, Meaning.GPU_MILLI)) {
            String column = formula(Meaning.GPU_MILLI).place();
            BigDecimal given = formula(Meaning.GPU_MILLI).value(row, "thousandths of a GPU");
            BigDecimal thousandths = given.compareTo(BigDecimal.ONE) <= 0 ? given.movePointRight(3) : given;
            if (thousandths.signum() <= 0 || thousandths.compareTo(BigDecimal.valueOf(WHOLE)) > 0) {
                throw new TraceFieldException(column, row.text(column), "thousandths of a GPU, or a part up to 1");
            }
            milli = thousandths.setScale(0, RoundingMode.CEILING).intValueExact();
        }
        entry.gpus(all.intValueExact(), milli);
        return null;
    }

    /** The GPUs that a column says, as a number or as a text, which is kept. */
    private BigDecimal gpus(TraceRow row, String column, List<GpuText.Found> texts) {
        GpuText.Found found = row.isNumber(column)
                ? null
                : gpuText.of(column, row.text(column).strip(), options.shards());
        if (found == null) {
            return row.number(column, GPUS);
        }
        texts.add(found);
        return BigDecimal.valueOf(found.count());
    }

    private void types(TraceRow row, LogEntry entry) {
        String types = text(row, Meaning.GPU_TYPE);
        if (types != null) {
            entry.gpuTypes = Set.of();
            for (String type : types.split("[|;]", -1)) {
                if (!type.isBlank() && !NO_TYPE.contains(type.strip().toUpperCase(Locale.ROOT))) {
                    entry.asksFor(type.strip());
                }
            }
        }
    }

    /** Reads the times of a run; why it is left out, or null when it is not. */
    private @Nullable String times(TraceRow row, LogEntry entry) {
        String state = entry.state == null ? "" : " (state %s)".formatted(LogEntry.stateWord(entry.state));
        Meaning first = has(Meaning.SUBMIT) ? Meaning.SUBMIT : Meaning.START;
        if (!isKnown(row, first)) {
            return first == Meaning.SUBMIT
                    ? "whose submission is not in the log (column %s)"
                            .formatted(formula(first).place())
                    : "that never ran";
        }
        entry.submitNanos = time(row, first, 0);
        long eligible = entry.submitNanos;
        if (isKnown(row, Meaning.ELIGIBLE)) {
            eligible = time(row, Meaning.ELIGIBLE, entry.submitNanos);
        }
        boolean ends = has(Meaning.END) || (has(Meaning.START) && has(Meaning.SUBMIT)) || has(Meaning.WAIT);
        if (!ends) {
            entry.durationNanos = aboveZero(row, Meaning.DURATION);
            entry.eligible(eligible);
            return null;
        }
        boolean started =
                has(Meaning.START) ? isKnown(row, Meaning.START) : !has(Meaning.WAIT) || isKnown(row, Meaning.WAIT);
        if (!started) {
            return "that never ran" + state;
        }
        entry.startNanos = has(Meaning.START)
                ? time(row, Meaning.START, entry.submitNanos)
                : entry.submitNanos + (has(Meaning.WAIT) ? length(row, Meaning.WAIT) : 0);
        boolean runs = entry.state != null && RUNS.contains(LogEntry.stateWord(entry.state));
        if (runs || !isKnown(row, has(Meaning.END) ? Meaning.END : Meaning.DURATION)) {
            return "that still ran" + state;
        }
        entry.endNanos = has(Meaning.END)
                ? time(row, Meaning.END, entry.startNanos)
                : entry.startNanos + aboveZero(row, Meaning.DURATION);
        String start = has(Meaning.START)
                ? formula(Meaning.START).place()
                : formula(first).place();
        compareDuration(row, entry);
        String end = formula(has(Meaning.END) ? Meaning.END : Meaning.DURATION).place();
        jobs.order(entry, row, formula(first).place(), start, end);
        if (!has(Meaning.SUBMIT)) {
            entry.withoutWait();
            if (entry.endNanos == entry.startNanos) {
                throw new TraceFieldException(end, row.text(end), TraceRow.NOT_ZERO);
            }
        } else if (entry.endNanos == entry.startNanos && state.contains("CANCEL")) {
            return "that never ran";
        }
        entry.eligible(eligible);
        return null;
    }

    /** Remarks on a column of durations that contradicts start and end, by more than a second and a hundredth. */
    private void compareDuration(TraceRow row, LogEntry entry) {
        if (!has(Meaning.END) || !row.isKnown(DURATION) || !row.isNumber(DURATION)) {
            return;
        }
        double ran = (entry.endNanos - entry.startNanos) / 1e9;
        double said = row.number(DURATION, "a number").doubleValue();
        if (ran < 0 || isNear(said, ran)) {
            return;
        }
        String unit = UNITS.entrySet().stream()
                .filter(seconds -> isNear(said * seconds.getValue(), ran))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
        jobs.note(
                unit == null
                        ? "%,d jobs have a duration that is not end minus start, which count."
                        : "%,d jobs have a duration in " + unit + "; start and end count.");
    }

    private static boolean isNear(double said, double ran) {
        return Math.abs(said - ran) <= Math.max(1, ran / 100);
    }

    private long aboveZero(TraceRow row, Meaning meaning) {
        long nanos = length(row, meaning);
        if (nanos == 0) {
            String column = formula(meaning).place();
            throw new TraceFieldException(column, row.textOr(column, "0"), TraceRow.NOT_ZERO);
        }
        return nanos;
    }

    /** A length of time: seconds, or days, hours, minutes and seconds as Slurm writes them. */
    private long length(TraceRow row, Meaning meaning) {
        Formula formula = formula(meaning);
        String column = formula.column();
        if (column != null && row.text(column).indexOf(':') > 0) {
            return Lengths.nanos(column, row.text(column));
        }
        return row.nanos(formula.place(), formula.value(row, "a time above zero"), "a time above zero");
    }

    /** An instant, or seconds from the zero of the trace or from 1970. */
    private long time(TraceRow row, Meaning meaning, long notBefore) {
        Formula formula = formula(meaning);
        String column = formula.column();
        boolean isWord = column != null && !row.isNumber(column);
        BigDecimal seconds = isWord ? BigDecimal.ZERO : formula.value(row, SECONDS);
        if (!timed) {
            timed = true;
            worded = isWord;
            dated = isWord || seconds.compareTo(BigDecimal.valueOf(SINCE_1970)) >= 0;
        }
        if (isWord != worded) {
            throw new TraceFieldException(
                    formula.place(),
                    row.text(formula.place()),
                    worded ? "a date and time, as in the first job" : "a time in seconds, as in the first job");
        }
        boolean isClock = isWord || (column != null && dated);
        return isClock
                ? jobs.clock().nanos(String.valueOf(column), row.text(String.valueOf(column)), notBefore)
                : row.nanos(formula.place(), seconds, SECONDS);
    }
}
