package org.trainyard.experiments.twin;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.TextTable;

/** How well the scheduler {@code slurm} reproduces the past of a cluster. */
public final class Twin {
    private static final int SHOWN = 10;

    private final TwinFolder folder;
    private final PerCycle.@Nullable Counts cycles;
    private final @Nullable PrioritySamples priorities;
    private final @Nullable GpuChoices gpus;
    private final List<String> notes;

    private Twin(TwinFolder folder) {
        this.folder = folder;
        notes = folder.cluster().notes();
        ControllerLog log = folder.log();
        cycles = log == null ? null : PerCycle.of(folder, log);
        priorities = log == null ? null : PrioritySamples.of(folder, log);
        gpus = log == null ? null : GpuChoices.of(folder, log);
    }

    /** Reads a folder and replays it. */
    public static Twin of(Path folder) {
        return new Twin(TwinFolder.read(folder));
    }

    /** For machines: shares between 0 and 1, null where the folder has no data for them. */
    public String json() {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("jobs", folder.jobs().count());
        all.put("per_cycle", perCycle());
        Map<String, @Nullable Object> equal = new LinkedHashMap<>();
        equal.put("equal", priorities == null ? null : share(priorities.equal, priorities.samples));
        all.put("priority", priorities == null || priorities.samples == 0 ? null : equal);
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
        if (cycles == null) {
            text.append("There is no slurmctld.log: no cycle can be compared.%n".formatted());
            return text.toString();
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
        divergences(text, "The first decisions that differ:", cycles.divergences);
        divergences(text, "The first priorities that differ:", priorities == null ? List.of() : priorities.divergences);
        return text.toString();
    }

    private static void divergences(StringBuilder text, String title, List<String> lines) {
        if (!lines.isEmpty()) {
            List<String> shown = new ArrayList<>(lines.subList(0, Math.min(SHOWN, lines.size())));
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
}
