package org.trainyard.experiments.io;

import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Progress of long work: a bar on a terminal, plain lines elsewhere. Not thread-safe.
 *
 * <p>It reads the wall clock, so its values must not enter results.
 */
public abstract sealed class Progress implements AutoCloseable {
    private static final long LINE_EVERY_NANOS = 5_000_000_000L;
    private static final ThreadLocal<Boolean> IS_QUIET = ThreadLocal.withInitial(() -> false);

    /**
     * Progress of {@code total} steps, on standard error.
     *
     * @param task its name in the output, such as {@code train}
     */
    public static Progress start(String task, long total) {
        return resume(task, 0, total);
    }

    /** Progress that is shown once the work has taken some seconds, and not at all when it is done before. */
    public static Progress startLate(String task, long total) {
        return late(() -> start(task, total), System::nanoTime);
    }

    /** Progress of resumed work, which begins after {@code from} steps of {@code total}. */
    public static Progress resume(String task, long from, long total) {
        if (IS_QUIET.get()) {
            return new None();
        }
        return onTerminal() ? new Bar(task, from, total) : lines(task, from, total, System.err, System::nanoTime);
    }

    /** Does work whose progress nobody sees, in this thread. */
    public static <T> T quietly(Supplier<T> work) {
        boolean wasQuiet = IS_QUIET.get();
        IS_QUIET.set(true);
        try {
            return work.get();
        } finally {
            IS_QUIET.set(wasQuiet);
        }
    }

    static Progress late(Supplier<Progress> shown, LongSupplier nanoClock) {
        return new Late(shown, nanoClock);
    }

    /** Plain lines on the given stream by the given clock. */
    static Progress lines(String task, long from, long total, PrintStream out, LongSupplier nanoClock) {
        return new Lines(task, from, total, out, nanoClock);
    }

    /** Whether output goes to a terminal that shows bars and colours. */
    @SuppressWarnings("SystemConsoleNull") // asked further where there is more to ask
    public static boolean onTerminal() {
        Console console = System.console();
        return console != null && isTerminal(console) && !"dumb".equals(System.getenv("TERM"));
    }

    /** Whether a console is a terminal: up to Java 21 every one is; from Java 22 on a method tells. */
    private static boolean isTerminal(Console console) {
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    /**
     * Reports that {@code done} steps of the total are done.
     *
     * @param extra further text, such as {@code reward -1.2, validation JCT 2 h 5 min}; may be empty
     */
    public abstract void to(long done, String extra);

    /** Ends the bar, or prints the last state if it was not printed yet. */
    @Override
    public abstract void close();

    private static final class None extends Progress {
        @Override
        public void to(long done, String extra) {}

        @Override
        public void close() {}
    }

    private static final class Late extends Progress {
        private final Supplier<Progress> fresh;
        private final LongSupplier clock;
        private final long startNanos;
        private @Nullable Progress shown;

        Late(Supplier<Progress> fresh, LongSupplier clock) {
            this.fresh = fresh;
            this.clock = clock;
            startNanos = clock.getAsLong();
        }

        @Override
        public void to(long done, String extra) {
            if (shown == null && clock.getAsLong() - startNanos >= LINE_EVERY_NANOS) {
                shown = fresh.get();
            }
            if (shown != null) {
                shown.to(done, extra);
            }
        }

        @Override
        public void close() {
            if (shown != null) {
                shown.close();
            }
        }
    }

    private static final class Bar extends Progress {
        private final ProgressBar bar;

        Bar(String task, long from, long total) {
            bar = new ProgressBarBuilder()
                    .setTaskName(task)
                    .setInitialMax(total)
                    .startsFrom(from, Duration.ZERO)
                    .setStyle(ProgressBarStyle.COLORFUL_UNICODE_BLOCK)
                    .setConsumer(new ConsoleProgressBarConsumer(System.err))
                    .setUpdateIntervalMillis(250)
                    .build();
        }

        @Override
        public void to(long done, String extra) {
            bar.stepTo(done);
            bar.setExtraMessage(extra.isEmpty() ? "" : " " + extra);
        }

        @Override
        public void close() {
            bar.close();
        }
    }

    private static final class Lines extends Progress {
        private final String task;
        private final long from;
        private final long total;
        private final PrintStream out;
        private final LongSupplier clock;
        private final long startNanos;
        private long saidNanos;
        private String unsaid = "";

        Lines(String task, long from, long total, PrintStream out, LongSupplier clock) {
            this.task = task;
            this.from = from;
            this.total = total;
            this.out = out;
            this.clock = clock;
            startNanos = clock.getAsLong();
            saidNanos = startNanos;
        }

        @Override
        public void to(long done, String extra) {
            long now = clock.getAsLong();
            unsaid = line(done, extra, (now - startNanos) / 1e9);
            // The last line is for the end, before which it may be reported more than once.
            if (now - saidNanos >= LINE_EVERY_NANOS && done < total) {
                say();
                saidNanos = now;
            }
        }

        private String line(long done, String extra, double elapsed) {
            StringBuilder line = new StringBuilder("%s %d/%d".formatted(task, done, total));
            if (total > 0) {
                line.append(String.format(Locale.ROOT, " (%.0f %%)", 100.0 * done / total));
            }
            if (!extra.isEmpty()) {
                line.append(", ").append(extra);
            }
            if (done >= total) {
                line.append(", took ").append(Durations.human(elapsed));
            } else if (done > from) {
                line.append(", ")
                        .append(Durations.human(elapsed * (total - done) / (done - from)))
                        .append(" left");
            }
            return line.toString();
        }

        private void say() {
            if (!unsaid.isEmpty()) {
                out.println(unsaid);
                out.flush();
                unsaid = "";
            }
        }

        @Override
        public void close() {
            if (!InterruptionHint.isEnding()) {
                say();
            }
        }
    }
}
