package org.trainyard.experiments.timeline;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.evaluation.RunLogs;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.RunDirectory;

/** Files of the logs that runs write while they run. */
record RunLogFiles(RunLogs logs) {
    /** Makes runs with a recorder that writes the logs; files appear when all runs are done. */
    void write(RunRecorder recorder, Topology topology, Runnable runs) {
        Path file = logs.eventFile();
        if (file == null) {
            writeRecorded(recorder, topology, runs);
            return;
        }
        AtomicFiles.write(file, stream -> {
            try (EventsJsonl log = new EventsJsonl(stream, file.toString().endsWith(".gz"))) {
                recorder.writing(log);
                writeRecorded(recorder, topology, runs);
            }
        });
    }

    private void writeRecorded(RunRecorder recorder, Topology topology, Runnable runs) {
        RunDirectory directory = logs.recorded();
        if (directory == null) {
            runs.run();
            return;
        }
        AtomicFiles.write(
                directory.events(),
                eventStream -> AtomicFiles.write(directory.decisions(), decisionStream -> {
                    try (EventsJsonl events = new EventsJsonl(eventStream, true);
                            DecisionsJsonl decisions = new DecisionsJsonl(decisionStream)) {
                        recorder.writing(events);
                        recorder.writing(decisions);
                        runs.run();
                    }
                }));
        AtomicFiles.write(directory.cluster(), JsonText.pretty(Cluster.of(topology)));
    }

    /** {@code cluster.json}. */
    private record Cluster(String name, List<Server> servers) {
        private record Server(String name, int rack, int gpus) {}

        static Cluster of(Topology topology) {
            return new Cluster(
                    topology.name(),
                    IntStream.range(0, topology.servers())
                            .mapToObj(server -> new Server(
                                    topology.serverName(server), topology.rackOf(server), topology.gpusOn(server)))
                            .toList());
        }
    }
}
