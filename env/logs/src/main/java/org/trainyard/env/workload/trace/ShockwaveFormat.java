package org.trainyard.env.workload.trace;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.Labelled;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.adaptive.AdaptiveTrainingRun;
import org.trainyard.env.workload.log.FirstLines;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.batch.GavelRows;
import org.trainyard.env.workload.trace.log.LoggedFormat;

/**
 * The traces of Shockwave (P. Zheng et al., NSDI 2023), of Gavel's make: columns separated by tabs, and no header.
 * Seconds; a job is called by its line. A job whose batch size adapts runs shorter than the duration column says, which
 * is for its first batch size: its duration is that of its {@link AdaptiveTrainingRun}, where there are rates for it.
 */
final class ShockwaveFormat extends LoggedFormat {
    ShockwaveFormat() {
        super("shockwave", ShockwaveRow.COLUMNS, List.of());
    }

    @Override
    protected boolean hasHeader() {
        return false;
    }

    @Override
    protected boolean isOfSingleRows() {
        return true;
    }

    @Override
    protected boolean begins(FirstLines first) {
        String[] fields = first.line().split("\t", -1);
        return fields.length == ShockwaveRow.COLUMNS.size() && GavelRows.isType(fields[0]);
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return new LogRows() {
            private final ShockwaveRow.Tally adaptive = new ShockwaveRow.Tally();

            @Override
            public TraceJob add(TraceRow row) {
                TraceJob job = ShockwaveRow.job(row);
                adaptive.add(job);
                return job;
            }

            @Override
            public List<String> remarks(long jobs) {
                String remark = adaptive.remark();
                return remark == null ? List.of() : List.of(remark);
            }
        };
    }

    /**
     * Reads a row of a Shockwave trace: its group is type and mode, its steps are known to its
     * {@link AdaptiveTrainingRun} alone.
     */
    private static final class ShockwaveRow {
        /** More steps than any training has taken. */
        private static final long STEPS = 999_999_999_999_999L;

        private static final String TYPE = "a model with its batch size, such as LM (batch size 20)";

        static final List<String> COLUMNS = List.of(
                "job_type",
                "command",
                "working_dir",
                "steps_arg",
                "needs_data",
                "total_steps",
                "scale_factor",
                "mode",
                "priority",
                "slo",
                "duration",
                "arrival");

        private ShockwaveRow() {}

        static TraceJob job(TraceRow row) {
            String type = row.text("job_type").strip();
            if (!AdaptiveTrainingRun.isType(type)) {
                throw new TraceFieldException("job_type", type, TYPE);
            }
            int gpus = row.gpus("scale_factor");
            AdaptiveTrainingRun.Mode mode = mode(row);
            long steps = row.whole("total_steps", 1, STEPS);
            long asListed = row.nanosAboveZero("duration", TraceRow.SECOND);
            AdaptiveTrainingRun run = AdaptiveTrainingRun.of(type, mode, steps, gpus);
            return new TraceJob(
                            "line" + row.line(),
                            row.nanos("arrival", TraceRow.SECOND),
                            Demand.ofGpus(gpus),
                            run == null ? asListed : Math.max(1, Math.round(run.seconds() * TraceRow.SECOND)),
                            AdaptiveTrainingRun.modelOf(type),
                            null,
                            type + ", " + mode.label(),
                            null)
                    .hiding(AdaptiveTrainingRun.class, run);
        }

        private static AdaptiveTrainingRun.Mode mode(TraceRow row) {
            String text = row.text("mode").strip();
            AdaptiveTrainingRun.Mode mode = Labelled.parse(AdaptiveTrainingRun.Mode.class, text);
            if (mode == null) {
                throw new TraceFieldException("mode", text, "static, accordion or gns");
            }
            return mode;
        }

        /** Counts jobs that adapt, and those of them that could not be followed. */
        static final class Tally {
            private long jobs;
            private long adapt;
            private long unknown;

            void add(TraceJob job) {
                AdaptiveTrainingRun run = job.hidden().of(AdaptiveTrainingRun.class);
                jobs++;
                unknown += run == null ? 1 : 0;
                adapt += run != null && run.changes() > 0 ? 1 : 0;
            }

            /** A sentence, or null when none adapts. */
            @Nullable String remark() {
                return adapt + unknown == 0
                        ? null
                        : Counted.say(
                                "%,d of %,d jobs change their batch size as they run; durations are worked out from measured rates%s.",
                                adapt,
                                jobs,
                                unknown == 0
                                        ? ""
                                        : Counted.say(
                                                ", except for %,d jobs without any, where they are as listed",
                                                unknown));
            }
        }
    }
}
