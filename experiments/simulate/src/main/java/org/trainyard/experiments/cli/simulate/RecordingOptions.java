package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.cli.options.EventOptions;
import org.trainyard.experiments.evaluation.RunLogs;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.simulation.Simulation;
import org.trainyard.experiments.timeline.RunRecorder;
import picocli.CommandLine.Mixin;

/** Options for the records of a simulation: events and decisions. */
final class RecordingOptions {
    @Mixin
    private EventOptions events = new EventOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    private @Nullable RunRecorder recorder;

    OutputOptions output() {
        return output;
    }

    /** Whether events are written. */
    boolean isLogged() {
        return events.isAny();
    }

    /**
     * Runs a simulation, keeps the requested records, and prints and writes its result.
     *
     * @param explain of the job whose waits are said, or null
     * @return as {@link OutputOptions#run}
     */
    boolean run(
            Simulation simulation,
            Topology topology,
            ObjectNode described,
            ObjectNode whole,
            @Nullable ExplainOption explain,
            PrintWriter out,
            PrintWriter err) {
        events.file();
        String job = explain == null ? null : explain.job();
        boolean isVerified = output.run(
                simulation, described, whole, directory -> run(simulation, topology, job, directory), out, err);
        if (explain != null && recorder != null) {
            explain.print(recorder, output.isJson() ? err : out);
        }
        return isVerified;
    }

    private void run(Simulation simulation, Topology topology, @Nullable String job, @Nullable RunDirectory directory) {
        RunLogs logs = events.logs(directory);
        RunRecorder noting = new RunRecorder(topology, simulation.schedulers().size(), 1);
        if (job != null) {
            noting.explaining(job);
            recorder = noting;
        }
        if (directory == null && logs.eventFile() == null && job == null) {
            simulation.run(null);
        } else {
            noting.write(logs, () -> simulation.run(noting));
        }
    }
}
