package org.trainyard.experiments.twin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.env.InputException;

/**
 * Another recording of the same trace under the same settings, in the folder beside: how far Slurm repeats itself.
 *
 * @param name of its folder
 * @param figures of its starts beside those of the recording
 */
record SisterRecording(String name, FreeRuns.Figures figures) {
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
                sisters.add(
                        new SisterRecording(String.valueOf(other.getFileName()), FreeRuns.between(past, again, later)));
            }
        } catch (IOException | InputException notOne) {
            // what stands beside is no recording
        }
    }
}
