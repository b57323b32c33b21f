package org.trainyard.experiments.timeline;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.trainyard.agents.learned.policy.ChoiceListener;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.io.Durations;

/**
 * The decisions of runs as gzipped JSON lines, written during the runs.
 *
 * <p>A line has {@code {"scheduler", "episode", "time", "decision", "job", "reason", "of", "candidates": [{"kind",
 * "job", "servers", "score"}]}}: the decision made, why, the number of all candidates and the best of them, the winner
 * first. A decision that follows from the one before has no candidates. A wait has no job, but where it says why one of
 * the first jobs of the queue waits.
 */
public final class DecisionsJsonl implements AutoCloseable {
    private final JsonGenerator json;
    private final GZIPOutputStream zipped;

    /** Writes to the stream, which remains open. */
    public DecisionsJsonl(OutputStream out) throws IOException {
        zipped = new QuickGzip(out);
        json = new JsonFactory().createGenerator(zipped);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.setRootValueSeparator(new SerializedString("\n"));
    }

    /** The run to which a line belongs. */
    record Run(String scheduler, int episode, Workload workload) {}

    /**
     * Writes a line.
     *
     * @param job {@link SimView#NONE} for a wait
     * @param count of all candidates, of which these are some
     */
    void write(
            Run run,
            long timeNanos,
            String decision,
            int job,
            String reason,
            List<ChoiceListener.Option> candidates,
            int count) {
        try {
            json.writeStartObject();
            json.writeStringField("scheduler", run.scheduler());
            json.writeNumberField("episode", run.episode());
            json.writeFieldName("time");
            json.writeNumber(Durations.seconds(timeNanos));
            json.writeStringField("decision", decision);
            job(run, job);
            json.writeStringField("reason", reason);
            json.writeNumberField("of", count);
            json.writeArrayFieldStart("candidates");
            for (ChoiceListener.Option candidate : candidates) {
                candidate(run, candidate);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void candidate(Run run, ChoiceListener.Option candidate) throws IOException {
        json.writeStartObject();
        json.writeStringField("kind", candidate.kind());
        job(run, candidate.job());
        json.writeArrayFieldStart("servers");
        for (int server : candidate.servers()) {
            json.writeNumber(server);
        }
        json.writeEndArray();
        if (Double.isFinite(candidate.score())) {
            json.writeNumberField("score", (float) candidate.score());
        }
        json.writeEndObject();
    }

    private void job(Run run, int job) throws IOException {
        if (job != SimView.NONE) {
            json.writeStringField("job", run.workload().job(job).name());
        }
    }

    /** Ends the last line; the stream remains open. */
    @Override
    public void close() throws IOException {
        json.writeRaw('\n');
        json.close();
        zipped.finish();
    }
}
