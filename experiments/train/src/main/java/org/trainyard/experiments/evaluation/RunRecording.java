package org.trainyard.experiments.evaluation;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.ChoiceListener;
import org.trainyard.env.ServiceProviders;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

/** Recorder of the runs of a command, which a module offers by a {@link Source}. */
public interface RunRecording {
    /** Opens recorders, as {@link ServiceLoader} finds it. */
    interface Source {
        /**
         * A recorder of some runs.
         *
         * @param schedulers how many will run
         * @param episodes how many each will run
         */
        RunRecording of(Topology topology, int schedulers, int episodes);
    }

    /** Recorded runs over time. */
    interface Timelines {
        /** No runs. */
        Timelines NONE = new Timelines() {
            @Override
            public Object charts() {
                return Map.of("runs", List.of());
            }

            @Override
            public void write(Path folder) {}
        };

        /** Data of the charts of {@code report.html}: a record or a map. */
        Object charts();

        /** Writes {@code series.csv} into a folder; nothing without runs. */
        void write(Path folder);
    }

    /** The source that is here; null for none. */
    static @Nullable Source source() {
        return ServiceProviders.first(Source.class).orElse(null);
    }

    /** Whether runs must follow each other. */
    boolean isWriting();

    /** Whether the episode of this index is one of those that it was made for. */
    boolean records(int episode);

    EventSink sink(String scheduler, int episode, Workload workload);

    /**
     * The scheduler of a run.
     *
     * @param fresh makes it, with a listener to its choices or null
     */
    Scheduler scheduler(
            String name, int episode, Workload workload, Function<@Nullable ChoiceListener, Scheduler> fresh);

    /** The result of runs that write these logs; files appear when all runs are done. */
    <R> R writing(RunLogs logs, Supplier<R> runs);

    /** Recorded timelines, by scheduler in the order of these names, then by episode. */
    Timelines recorded(List<String> schedulers);
}
