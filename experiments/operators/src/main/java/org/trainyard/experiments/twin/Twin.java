package org.trainyard.experiments.twin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.SlurmJob;
import org.trainyard.agents.heuristic.slurm.configuration.DelimitedTable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.TextTable;

/** How well the rules of Slurm reproduce the past of a cluster: cycle by cycle, and in free runs. */
public final class Twin {
    private static final int SHOWN = 10;

    private final TwinFolder folder;
    private final PerCycle.@Nullable Counts cycles;
    private final @Nullable PrioritySamples priorities;
    private final @Nullable GpuChoices gpus;
    private final FreeRuns.@Nullable Figures recorded;
    private final FreeRuns.Figures modelled;
    private final double[] pastWaits;
    private final List<SisterRecording> sisters;
    private final List<String> divergences = new ArrayList<>();
    private final List<String> notes;

    private Twin(TwinFolder folder) {
        this.folder = folder;
        notes = folder.cluster().notes();
        ControllerLog log = folder.log();
        cycles = log == null ? null : PerCycle.of(folder, log);
        priorities = log == null ? null : PrioritySamples.of(folder, log);
        gpus = log == null ? null : GpuChoices.of(folder, log);
        RecordedTimes times = new RecordedTimes(folder, cycles == null ? List.of() : cycles.heldBack);
        recorded = FreeRuns.recorded(folder, times, divergences);
        modelled = FreeRuns.modelled(folder, times);
        pastWaits = FreeRuns.waits(times.last());
        sisters = SisterRecording.of(folder, times.last());
    }

    /** Reads a folder and replays it. */
    public static Twin of(Path folder) {
        return new Twin(TwinFolder.read(folder));
    }

    /** The part of the starts that are equal, cycle by cycle from the true state; null where no log says it. */
    public static @Nullable Double startsEqual(Path folder) {
        TwinFolder files = TwinFolder.read(folder);
        ControllerLog log = files.log();
        PerCycle.Counts counts = log == null ? null : PerCycle.of(files, log);
        return counts == null ? null : share(counts.startsEqual, counts.starts);
    }

    /** For machines: shares between 0 and 1, null where the folder has no data for them. */
    public String json() {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("jobs", folder.jobs().count());
        all.put("per_cycle", perCycle());
        Map<String, @Nullable Object> equal = new LinkedHashMap<>();
        equal.put("equal", priorities == null ? null : share(priorities.equal, priorities.samples));
        all.put("priority", priorities == null || priorities.samples == 0 ? null : equal);
        Map<String, @Nullable Object> free = new LinkedHashMap<>();
        if (recorded != null) {
            free.put("within_5s", recorded.within5());
            free.put("within_60s", recorded.within60());
            free.put("same_nodes", recorded.sameNodes());
        }
        all.put("recorded_cycles", recorded == null ? null : free);
        Map<String, @Nullable Object> phases = new LinkedHashMap<>();
        phases.put("within_5s", modelled.within5());
        phases.put("within_30s", modelled.within30());
        phases.put("within_60s", modelled.within60());
        phases.put("same_nodes", modelled.sameNodes());
        all.put("modelled_cycles", phases);
        Map<String, @Nullable Object> waits = new LinkedHashMap<>();
        waits.put("past", wait(pastWaits[0], pastWaits[1]));
        waits.put("twin", wait(modelled.mean(), modelled.p95()));
        all.put("wait_s", waits);
        return JsonText.pretty(JsonText.tree(all));
    }

    private @Nullable Map<String, @Nullable Object> perCycle() {
        if (cycles == null || cycles.starts == 0) {
            return null;
        }
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("cycles", cycles.cycles);
        values.put("starts_equal", share(cycles.startsEqual, cycles.starts));
        values.put("plan_start_within_1s", share(cycles.plansInTime, cycles.plans));
        values.put("plan_nodes_equal", share(cycles.plansOnNodes, cycles.plans));
        return values;
    }

    private static Map<String, Double> wait(double mean, double p95) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("mean", mean);
        figures.put("p95", p95);
        return figures;
    }

    private static @Nullable Double share(int of, int all) {
        return all == 0 ? null : of / (double) all;
    }

    /** For people. */
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append("%s: %,d jobs on %d nodes%n"
                .formatted(
                        folder.path(),
                        folder.jobs().count(),
                        folder.cluster().nodes().size()));
        for (String note : notes) {
            text.append("  ").append(note).append(System.lineSeparator());
        }
        cycles(text);
        free(text);
        if (cycles != null) {
            lines(text, "The first decisions that differ, cycle by cycle:", cycles.divergences);
        }
        lines(text, "The first priorities that differ:", priorities == null ? List.of() : priorities.divergences);
        lines(text, "The first starts that differ in the free run with recorded cycles:", divergences);
        return text.toString();
    }

    private void cycles(StringBuilder text) {
        if (cycles == null) {
            text.append("There is no slurmctld.log: no cycle can be compared.%n".formatted());
            return;
        }
        text.append("%nEvery cycle of the log, from the state that it had:%n".formatted());
        TextTable table = new TextTable("decision", "equal", "of", "share");
        row(table, "starts (job and nodes)", cycles.startsEqual, cycles.starts);
        row(table, "planned starts within 1 s", cycles.plansInTime, cycles.plans);
        row(table, "planned nodes", cycles.plansOnNodes, cycles.plans);
        if (cycles.plans == 0) {
            row(table, "nodes of each start by itself", cycles.choicesEqual, cycles.choices);
        }
        if (gpus != null) {
            row(table, "GPUs of each start", gpus.equal, gpus.choices);
        }
        if (priorities != null) {
            row(table, "priorities", priorities.equal, priorities.samples);
        }
        text.append(table.render());
    }

    private void free(StringBuilder text) {
        text.append("%nFree runs, the last start of each job:%n".formatted());
        TextTable table =
                new TextTable("run", "within 5 s", "30 s", "60 s", "same nodes", "mean wait, s", "p95 wait, s");
        table.add("recorded", "", "", "", "", seconds(pastWaits[0]), seconds(pastWaits[1]));
        for (SisterRecording sister : sisters) {
            row(table, "Slurm again: " + sister.name(), sister.figures());
        }
        if (recorded != null) {
            row(table, "twin, recorded cycles", recorded);
        }
        row(table, "twin, modelled cycles (mean of %d)".formatted(FreeRuns.PHASES), modelled);
        text.append(table.render());
        text.append(
                "From phase to phase of the loops, the mean wait goes %.1f s up or down (standard deviation): a recording is one such draw.%n"
                        .formatted(modelled.spread()));
    }

    private static void row(TextTable table, String name, FreeRuns.Figures figures) {
        table.add(
                name,
                percent(figures.within5()),
                percent(figures.within30()),
                percent(figures.within60()),
                percent(figures.sameNodes()),
                seconds(figures.mean()),
                seconds(figures.p95()));
    }

    private static String percent(double share) {
        return TextTable.number("%.1f %%", 100 * share);
    }

    private static String seconds(double seconds) {
        return TextTable.number("%.1f", seconds);
    }

    private static void lines(StringBuilder text, String title, List<String> lines) {
        if (!lines.isEmpty()) {
            List<String> shown = lines.subList(0, Math.min(SHOWN, lines.size()));
            text.append("%n%s%n  %s%n".formatted(title, String.join("%n  ".formatted(), shown)));
        }
    }

    private static void row(TextTable table, String name, int equal, int all) {
        if (all > 0) {
            table.add(
                    name,
                    TextTable.number("%,d", equal),
                    TextTable.number("%,d", all),
                    TextTable.number("%.1f %%", 100.0 * equal / all));
        }
    }

    /** Whether each start of a log took the GPUs that we would take, on its first node; by {@code decisions.csv}. */
    private static final class GpuChoices {
        int choices;
        int equal;

        private GpuChoices() {}

        /** Compares, start by start; null when nobody says which GPUs jobs held. */
        static @Nullable GpuChoices of(TwinFolder folder, ControllerLog log) {
            List<String> lines = folder.lines("decisions.csv");
            if (lines == null) {
                return null;
            }
            DelimitedTable decisions = DelimitedTable.ofCommas("decisions.csv", lines, "event", "first_node_gpus");
            GpuChoices choices = new GpuChoices();
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
                    choices.choices++;
                    choices.equal += mask(decisions.place(row, "first_node_gpus"), gpus) == job.gpusHeld()[0] ? 1 : 0;
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
    }

    /**
     * Another recording of the same trace under the same settings, in the folder beside: how far Slurm repeats itself.
     *
     * @param name of its folder
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
