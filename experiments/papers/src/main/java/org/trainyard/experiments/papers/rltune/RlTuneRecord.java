package org.trainyard.experiments.papers.rltune;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.io.Sha256;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.Evidence;
import org.trainyard.experiments.papers.rltune.PhillyWindows.Window;
import org.trainyard.experiments.papers.studies.RecordStudy;
import org.trainyard.experiments.papers.studies.StudyRun;

/** RLTune's windows of Philly under its rules, later windows, and predicted run times. */
public record RlTuneRecord(String system) implements RecordStudy {
    private static final int WINDOWS = 100;
    private static final long SEED = 42;
    private static final String LATER = "later windows";
    private static final double PUBLISHED = -81;

    /** Runs schedulers on the same windows with the same knowledge of run times. */
    private static final class Column {
        private final PhillyWindows source;
        private final List<Window> windows;
        private final boolean isPredicted;
        private final String rules;
        private final StudyRun.Rows rows;

        Column(PhillyWindows source, List<Window> windows, boolean isPredicted, String rules, StudyRun.Rows rows) {
            this.source = source;
            this.windows = windows;
            this.isPredicted = isPredicted;
            this.rules = rules;
            this.rows = rows;
        }

        void add(String name, Supplier<Scheduler> scheduler) {
            List<RunResult> runs = windows.parallelStream()
                    .map(window -> source.run(window, isPredicted, scheduler.get()))
                    .toList();
            double[] waits =
                    runs.stream().mapToDouble(PhillyWindows::waitSeconds).toArray();
            double[] jcts = runs.stream().mapToDouble(RunResult::meanJctSeconds).toArray();
            double[] fcfsWaits = windows.stream()
                    .mapToDouble(window -> PhillyWindows.waitSeconds(window.fcfs()))
                    .toArray();
            double[] fcfsJcts = windows.stream()
                    .mapToDouble(window -> window.fcfs().meanJctSeconds())
                    .toArray();
            double[] percent = StudyRun.percent(waits, fcfsWaits);
            rows.add(
                    name,
                    Statistics.mean(percent),
                    "% of mean wait",
                    StudyRun.interval(percent),
                    String.format(Locale.ROOT, "mean JCT %+.1f %%", Statistics.mean(StudyRun.percent(jcts, fcfsJcts))),
                    new Evidence(
                            Double.NaN,
                            rules,
                            Sha256.of(runs.stream()
                                    .map(run -> run.eventLogSha256() + "\n")
                                    .collect(Collectors.joining()))));
        }

        /** The baselines of RLTune's scripts. */
        void baselines(String suffix) {
            add("SJF" + suffix, () -> new OneByOne(Priority.sjf(), true));
            add("F1" + suffix, () -> new OneByOne(Priority.f1(), true));
            add("multifactor" + suffix, () -> new OneByOne(Priority.multifactor(), true));
        }

        /** Actions that none of their baselines may take. */
        void rivals(String suffix) {
            add("first that fits" + suffix, () -> new OneByOne(Priority.fcfs(), false));
            add("shortest that fits" + suffix, () -> new OneByOne(Priority.sjf(), false));
            List.of("easy", "srtf", "tiresias:promote=8").forEach(name -> registered(name, suffix));
        }

        void registered(String name, String suffix) {
            add(name + suffix, () -> Schedulers.named("records", name).create(source.topology(), SEED));
        }
    }

    @Override
    public List<String> needs() {
        return List.of(PhillyWindows.TRACE);
    }

    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
        PhillyWindows source = new PhillyWindows(run.data());
        List<Window> anywhere = source.draw(SEED, "test anywhere", WINDOWS, 0, source.size());
        List<Window> later = later(source);

        Column theirs = new Column(source, anywhere, false, Evidence.THEIRS, rows);
        theirs.baselines("");
        rows.add(
                "rltune",
                Double.NaN,
                "% of mean wait",
                null,
                "published *up to*; no replay: their learned policy is not among the schedulers",
                new Evidence(PUBLISHED, Evidence.THEIRS, ""));
        theirs.add("first that fits", () -> new OneByOne(Priority.fcfs(), false));

        Column after = new Column(source, later, false, LATER, rows);
        after.baselines(", later");
        after.rivals(", later");

        Column fair = new Column(source, later, true, Evidence.FAIR, rows);
        fair.baselines(", predicted");
        fair.rivals(", predicted");
    }

    @Override
    public List<ClaimRow> entries(StudyRun run, List<String> schedulers) {
        StudyRun.Rows rows = run.rows(this);
        PhillyWindows source = new PhillyWindows(run.data());
        Column fair = new Column(source, later(source), true, Evidence.FAIR, rows);
        schedulers.forEach(name -> fair.registered(name, ", predicted"));
        return rows.all();
    }

    private static List<Window> later(PhillyWindows source) {
        return source.draw(SEED, "test later", WINDOWS, source.size() / 2, source.size());
    }
}
