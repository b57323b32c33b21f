package org.trainyard.experiments.twin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.SlurmJob;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.UnknownNames;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.slurm.DelimitedTable;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.io.JsonText;

/** How well the rules of Slurm reproduce the past of a cluster: cycle by cycle, and in free runs. */
public final class Twin {
    private static final int SHOWN = 10;
    /** Share of equal starts below which waits are not to be trusted. */
    private static final double TRUSTED = 0.95;

    private final TwinFolder folder;
    private final int phases;
    private final PerCycle.@Nullable Counts cycles;
    private final @Nullable PrioritySamples priorities;
    private final @Nullable EqualShare gpus;
    private final FreeRuns.@Nullable Figures recorded;
    private final FreeRuns.Figures modelled;
    private final FreeRuns.Waits pastWaits;
    private final List<SisterRecording> sisters;
    private final List<String> divergences = new ArrayList<>();
    private final List<String> notes;
    /** Jobs that the configuration never starts, by reason. */
    private final Map<String, Integer> neverStarting = new LinkedHashMap<>();

    private Twin(TwinFolder folder, @Nullable Integer asked) {
        this.folder = folder;
        phases = asked == null ? FreeRuns.phases(folder) : asked;
        notes = notes(folder);
        Map<Long, String> never = FreeRun.neverStarting(folder);
        never.values().forEach(reason -> neverStarting.merge(reason, 1, Integer::sum));
        if (!never.isEmpty() && never.size() == folder.jobs().jobs().size()) {
            List<String> reasons = new ArrayList<>();
            neverStarting.forEach(
                    (reason, jobs) -> reasons.add(Counted.say("%,d jobs can never start: %s", jobs, reason)));
            throw new InputException("%s: %s: expected at least one job that its slurm.conf starts"
                    .formatted(folder.path(), String.join("; ", reasons)));
        }
        ControllerLog log = folder.log();
        cycles = log == null ? null : PerCycle.of(folder, log);
        priorities = log == null ? null : PrioritySamples.of(folder, log);
        gpus = log == null ? null : gpuChoices(folder, log);
        RecordedTimes times = new RecordedTimes(folder, cycles == null ? List.of() : cycles.heldBack);
        recorded = FreeRuns.recorded(folder, times, divergences);
        modelled = FreeRuns.modelled(folder, times, phases);
        pastWaits = FreeRuns.waits(times.last());
        sisters = SisterRecording.of(folder, times.last());
    }

    /** Remarks on the configuration, and on names in jobs that it lacks. */
    private static List<String> notes(TwinFolder folder) {
        SlurmCluster cluster = folder.cluster();
        UnknownNames unknown = new UnknownNames(cluster);
        for (TwinJob job : folder.jobs().jobs().values()) {
            unknown.look(
                    job.partition(), job.qos(), job.account(), job.licenses().keySet());
        }
        return Stream.concat(cluster.notes().stream(), unknown.sentences().stream())
                .toList();
    }

    /** Reads a folder and replays it. */
    public static Twin of(Path folder) {
        return of(folder, null);
    }

    /**
     * Reads a folder and replays it, with a number of runs with modelled cycles.
     *
     * @param phases null for as many as suit the number of jobs
     */
    public static Twin of(Path folder, @Nullable Integer phases) {
        return new Twin(TwinFolder.read(folder), phases);
    }

    /** The part of the starts that are equal, cycle by cycle from the true state; null where no log says it. */
    public static @Nullable Double startsEqual(Path folder) {
        if (!TwinFolder.hasLog(folder)) {
            return null;
        }
        TwinFolder files = TwinFolder.read(folder);
        ControllerLog log = files.log();
        PerCycle.Counts counts = log == null ? null : PerCycle.of(files, log);
        return counts == null ? null : counts.starts.share();
    }

    /** Shares between 0 and 1, null where the folder has no data for them. */
    private record Report(
            int jobs,
            PerCycle.@Nullable Counts perCycle,
            @Nullable Priorities priority,
            @JsonIgnoreProperties("within_30s") FreeRuns.@Nullable Figures recordedCycles,
            FreeRuns.Figures modelledCycles,
            Waits waitS,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Integer> neverStart,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Integer> notModelled) {}

    private record Priorities(EqualShare equal) {}

    private record Waits(FreeRuns.Waits past, FreeRuns.Waits twin) {}

    /** For machines. */
    public String json() {
        return JsonText.pretty(new Report(
                folder.jobs().count(),
                cycles == null || cycles.starts.isEmpty() ? null : cycles,
                priorities == null || priorities.equal.isEmpty() ? null : new Priorities(priorities.equal),
                recorded,
                modelled,
                new Waits(pastWaits, modelled.waits()),
                neverStarting,
                folder.jobs().unmodelled()));
    }

    /** For people. */
    public Answer answer() {
        Answer answer = new Answer()
                .tell(
                        "%s: %,d jobs on %d nodes",
                        folder.path(),
                        folder.jobs().count(),
                        folder.cluster().nodes().size());
        notes.forEach(note -> answer.say("  " + note));
        neverStarting.forEach((reason, jobs) -> answer.tell(
                "  %,d %s can never start and %s left out of the free runs: %s",
                jobs, jobs == 1 ? "job" : "jobs", jobs == 1 ? "is" : "are", reason));
        folder.jobs()
                .unmodelled()
                .forEach((what, jobs) -> answer.tell("  %,d %s: each %s", jobs, jobs == 1 ? "job" : "jobs", what));
        if (cycles == null) {
            answer.say("There is no slurmctld.log: no cycle can be compared.");
        } else {
            answer.gap()
                    .say("Every cycle of the log, from the state that it had:")
                    .table(EqualShare.table(decisions(cycles)));
            Double equal = cycles.starts.share();
            if (equal != null && equal < TRUSTED) {
                answer.say(
                        "Fewer than %.0f %% of the starts are decided as in the past: this cluster does something that is not known here, and mean waits may agree by chance."
                                .formatted(100 * TRUSTED));
            }
        }
        answer.gap().say("Free runs, the last start of each job:").table(runs());
        if (modelled.missing() > 0) {
            answer.tell(
                    "%.1f jobs that started in the past never start in a run with modelled cycles, and are in none of its figures.",
                    modelled.missing());
        }
        if (phases > 1) {
            answer.tell(
                    "From phase to phase of the loops, the mean wait goes %.1f s up or down (standard deviation): a recording is one such draw.",
                    modelled.spread());
        }
        list(
                answer,
                "The first decisions that differ, cycle by cycle:",
                cycles == null ? List.of() : cycles.divergences);
        list(answer, "The first priorities that differ:", priorities == null ? List.of() : priorities.divergences);
        list(answer, "The first starts that differ in the free run with recorded cycles:", divergences);
        return answer;
    }

    private static void list(Answer answer, String title, List<String> lines) {
        if (!lines.isEmpty()) {
            answer.gap().say(title);
            lines.stream().limit(SHOWN).forEach(line -> answer.say("  " + line));
        }
    }

    private List<EqualShare> decisions(PerCycle.Counts cycles) {
        List<EqualShare> all = new ArrayList<>(List.of(cycles.starts, cycles.plansInTime, cycles.plansOnNodes));
        if (cycles.plansOnNodes.isEmpty()) {
            all.add(cycles.choices);
        }
        if (gpus != null) {
            all.add(gpus);
        }
        if (priorities != null) {
            all.add(priorities.equal);
        }
        return all;
    }

    /** A run of the jobs; its figures are null in the past itself. */
    private record Run(String name, FreeRuns.@Nullable Figures figures, FreeRuns.Waits waits) {
        Run(String name, FreeRuns.Figures figures) {
            this(name, figures, figures.waits());
        }

        @Nullable Double share(ToDoubleFunction<FreeRuns.Figures> figure) {
            return figures == null ? null : figure.applyAsDouble(figures);
        }
    }

    private AnswerTable<Run> runs() {
        List<Run> runs = new ArrayList<>(List.of(new Run("recorded", null, pastWaits)));
        sisters.forEach(sister -> runs.add(new Run("Slurm again: " + sister.name(), sister.figures())));
        if (recorded != null) {
            runs.add(new Run("twin, recorded cycles", recorded));
        }
        runs.add(new Run("twin, modelled cycles (mean of %d)".formatted(phases), modelled));
        CellFormat percent = CellFormat.percent(1);
        CellFormat seconds = CellFormat.of("%.1f");
        return AnswerTable.of(runs)
                .text("run", Run::name)
                .column("within 5 s", percent, run -> run.share(FreeRuns.Figures::within5))
                .column("30 s", percent, run -> run.share(FreeRuns.Figures::within30))
                .column("60 s", percent, run -> run.share(FreeRuns.Figures::within60))
                .column("same nodes", percent, run -> run.share(FreeRuns.Figures::sameNodes))
                .column("mean wait, s", seconds, run -> run.waits.mean())
                .column("p95 wait, s", seconds, run -> run.waits.p95());
    }

    /**
     * Whether each start of a log took the GPUs that we would take, on its first node, by {@code decisions.csv}; null
     * when nobody says which GPUs jobs held.
     */
    private static @Nullable EqualShare gpuChoices(TwinFolder folder, ControllerLog log) {
        List<String> lines = folder.lines("decisions.csv");
        if (lines == null) {
            return null;
        }
        DelimitedTable decisions = DelimitedTable.ofCommas("decisions.csv", lines, "event", "first_node_gpus");
        EqualShare choices = new EqualShare("GPUs of each start");
        LogReplay replay = new LogReplay(folder, log);
        int row = -1;
        for (LogEvent event : log.events()) {
            replay.take(event);
            if (event.kind() != LogEvent.Kind.START) {
                continue;
            }
            do {
                row++;
            } while (row < decisions.rows() && !decisions.text(row, "event").equals("start"));
            SlurmJob job = replay.twin().job(event.job());
            String gpus = row < decisions.rows() ? decisions.text(row, "first_node_gpus") : "";
            if (job != null && job.state() == SlurmJob.State.RUNNING && !gpus.isBlank()) {
                choices.count(mask(decisions.place(row, "first_node_gpus"), gpus) == job.gpusHeld()[0]);
            }
        }
        return choices;
    }

    private static long mask(String place, String gpus) {
        long mask = 0;
        for (String gpu : gpus.split(",", -1)) {
            if (!gpu.strip().matches("\\d|[1-5]\\d|6[0-3]")) {
                throw InputException.at(place, gpus, "indices of GPUs such as 0,1");
            }
            mask |= 1L << Integer.parseInt(gpu.strip());
        }
        return mask;
    }

    /**
     * A second recording of the same trace under the same settings, in the folder beside: how far Slurm repeats itself.
     *
     * @param figures of its starts beside those of the recording
     */
    private record SisterRecording(String name, FreeRuns.Figures figures) {
        /** The recordings beside a folder that are of its trace; empty when it has no trace. */
        static List<SisterRecording> of(TwinFolder folder, Map<String, TwinRun> past) {
            List<SisterRecording> sisters = new ArrayList<>();
            Path own = folder.path().toAbsolutePath().normalize();
            Path parent = own.getParent();
            List<String> trace = folder.lines("trace.csv");
            if (parent == null || trace == null) {
                return sisters;
            }
            try (Stream<Path> beside = Files.list(parent)) {
                for (Path each : beside.sorted().toList()) {
                    if (!each.equals(own) && Files.exists(each.resolve("trace.csv"))) {
                        add(sisters, folder, trace, each, past);
                    }
                }
            } catch (IOException unreadable) {
                return sisters;
            }
            return sisters;
        }

        private static void add(
                List<SisterRecording> sisters,
                TwinFolder folder,
                List<String> trace,
                Path other,
                Map<String, TwinRun> past) {
            try {
                if (!trace.equals(Files.readAllLines(other.resolve("trace.csv")))) {
                    return;
                }
                TwinFolder sister = TwinFolder.read(other);
                SlurmCluster mine = folder.cluster();
                SlurmCluster its = sister.cluster();
                if (mine.parameters().equals(its.parameters())
                        && mine.priority().equals(its.priority())
                        && mine.backfills() == its.backfills()
                        && mine.preempts() == its.preempts()) {
                    Map<String, TwinRun> again = new RecordedTimes(sister, List.of()).last();
                    long later = sister.zeroMillis() - folder.zeroMillis();
                    sisters.add(new SisterRecording(
                            String.valueOf(other.getFileName()), FreeRuns.between(past, again, later)));
                }
            } catch (IOException | InputException notOne) {
                // what stands beside is no recording
            }
        }
    }
}
