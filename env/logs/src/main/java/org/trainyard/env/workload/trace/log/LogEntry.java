package org.trainyard.env.workload.trace.log;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.SubmissionTerms;

/** One run of a job, or of a part of one, while it is read from a row of a log. */
public final class LogEntry {
    private static final long HOUR = 3_600_000_000_000L;

    final String id;

    @Nullable String cluster;

    String piece = "";
    boolean part;
    boolean resumable;
    long submitNanos = -1;
    long heldNanos;
    long startNanos = -1;
    long endNanos = -1;
    long durationNanos = -1;
    long pausedNanos;
    int gpus;
    int gpuMilli = 1000;
    HostShare host = HostShare.NONE;
    long billed;
    Set<String> gpuTypes = Set.of();

    @Nullable String model;

    @Nullable String user;

    @Nullable String name;

    @Nullable String group;

    @Nullable String virtualCluster;

    @Nullable String nodeList;

    @Nullable String state;

    @Nullable String exitCode;

    @Nullable String reason;

    int restarts;
    boolean waitUnknown;
    SubmissionTerms terms = SubmissionTerms.NONE;

    public LogEntry(String id) {
        this.id = id;
    }

    public String id() {
        return id;
    }

    public LogEntry cluster(@Nullable String of) {
        cluster = of;
        return this;
    }

    /** Part of a job that others may overlap: of a gang, or of a heterogeneous job. */
    public LogEntry partOf(String whichPiece) {
        piece = whichPiece;
        part = true;
        return this;
    }

    /** The job may go on after this run ended. */
    public LogEntry resumable(boolean may) {
        resumable = may;
        return this;
    }

    public LogEntry submitted(long nanos) {
        submitNanos = nanos;
        return this;
    }

    /**
     * Sets the start of the wait as another table has it; false, and a wait of 0, when the run had started before.
     *
     * @param submitter who submitted it
     */
    public boolean submittedBy(@Nullable String submitter, long nanos) {
        user = submitter;
        waitUnknown = false;
        submitNanos = Math.min(nanos, startNanos);
        return nanos <= startNanos;
    }

    /** Sets the start of the wait, where it lies after the submission and not after the start. */
    public LogEntry eligible(long nanos) {
        if (nanos > submitNanos && (startNanos < 0 || nanos <= startNanos)) {
            heldNanos = nanos - submitNanos;
            submitNanos = nanos;
        }
        return this;
    }

    /** Whether it waits from later than its submission on. */
    public boolean isHeld() {
        return heldNanos > 0;
    }

    public LogEntry ran(long start, long end) {
        startNanos = start;
        endNanos = end;
        return this;
    }

    public LogEntry lasted(long nanos) {
        durationNanos = nanos;
        return this;
    }

    /** Sets the run time of another column, nanoseconds; the clock may have been put back meanwhile, or forward. */
    public void elapsed(long nanos) {
        long change = nanos - (endNanos - startNanos);
        if (Math.abs(change) == HOUR) {
            endNanos += change;
        } else if (nanos > 0 && change < 0) {
            pausedNanos = -change;
        }
    }

    /** Sets the time of suspension, nanoseconds; whether there was any, by this or by the elapsed time. */
    public boolean suspended(long nanos) {
        if (nanos > 0 && nanos < endNanos - startNanos) {
            pausedNanos = nanos;
        }
        return pausedNanos > 0;
    }

    public LogEntry gpus(int count, int milli) {
        gpus = count;
        gpuMilli = milli;
        return this;
    }

    /** CPU and memory of all its servers. */
    public LogEntry host(HostShare held) {
        host = held;
        return this;
    }

    /** Usage in a second as the log says; 0 where it does not. */
    public LogEntry billed(long perSecond) {
        billed = perSecond;
        return this;
    }

    public LogEntry asksFor(String gpuType) {
        if (gpuTypes.isEmpty()) {
            gpuTypes = Set.of(gpuType);
        } else if (!gpuTypes.contains(gpuType)) {
            gpuTypes = new LinkedHashSet<>(gpuTypes);
            gpuTypes.add(gpuType);
        }
        return this;
    }

    /**
     * @param submitter who submitted it
     * @param ofName its name, by which runs of one job are told from those of another with its id
     * @param ofGroup the recurring job that it is a run of
     */
    public LogEntry by(@Nullable String submitter, @Nullable String ofName, @Nullable String ofGroup) {
        user = submitter;
        name = ofName;
        group = ofGroup;
        return this;
    }

    public LogEntry in(@Nullable String tenant) {
        virtualCluster = tenant;
        return this;
    }

    public LogEntry trains(@Nullable String ofModel) {
        model = ofModel;
        return this;
    }

    public LogEntry on(@Nullable String hosts) {
        nodeList = hosts;
        return this;
    }

    public LogEntry ended(@Nullable String how, @Nullable String code, @Nullable String why) {
        state = how;
        exitCode = code;
        reason = why;
        return this;
    }

    /** How often it had begun before this run, as its log says. */
    public LogEntry restarted(int times) {
        restarts = times;
        return this;
    }

    public LogEntry terms(SubmissionTerms said) {
        terms = said;
        return this;
    }

    public boolean isStarted() {
        return startNanos >= 0;
    }

    public boolean isEnded() {
        return endNanos >= 0;
    }

    /** The log says when it ran, but not since when it waited. */
    LogEntry withoutWait() {
        waitUnknown = true;
        return this;
    }

    /** The job of this run alone. */
    public LogJob alone() {
        return new RunChain(List.of(this)).job(id);
    }

    String key() {
        return cluster == null ? id : cluster + "/" + id;
    }

    boolean sameOwner(LogEntry other) {
        return Objects.equals(user, other.user) && Objects.equals(name, other.name);
    }

    /** The state without what follows it, such as {@code by 1000} or {@code +}, in capitals. */
    public static String stateWord(String state) {
        String text = state.strip();
        int end = 0;
        while (end < text.length() && text.charAt(end) != ' ' && text.charAt(end) != '+') {
            end++;
        }
        return text.substring(0, end).toUpperCase(Locale.ROOT);
    }
}
