package org.trainyard.experiments.timeline;

import java.nio.file.Path;
import java.util.List;
import org.trainyard.experiments.evaluation.RunRecording;

/** Recorded timelines as a report has them. */
record RecordedTimelines(List<RunTimeline> runs) implements RunRecording.Timelines {
    @Override
    public Object charts() {
        return TimelineJson.of(runs);
    }

    @Override
    public void write(Path folder) {
        if (!runs.isEmpty()) {
            SeriesCsv.write(folder, runs);
        }
    }
}
