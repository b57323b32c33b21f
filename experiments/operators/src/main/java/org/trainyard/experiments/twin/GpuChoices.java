package org.trainyard.experiments.twin;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.SlurmJob;
import org.trainyard.agents.heuristic.slurm.configuration.DelimitedTable;
import org.trainyard.env.InputException;

/** Whether each start of a log took the GPUs that we would take, on its first node; by {@code decisions.csv}. */
final class GpuChoices {
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
