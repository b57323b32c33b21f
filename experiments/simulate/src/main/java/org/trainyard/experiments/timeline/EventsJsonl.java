package org.trainyard.experiments.timeline;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.io.Durations;

/**
 * The event log as JSON lines, one for each event, written during the run.
 *
 * <p>Each line has {@code {"scheduler", "time", "event", "job"}}; START and RESIZE add {@code "gpus": […]}, FORWARD
 * adds {@code "domain"}, FREEZE {@code "layers"}, HOST_CPU {@code "cpu_milli"}, HOST_MEMORY {@code "memory_mib"}, and
 * DOWN and UP have {@code "server"} or {@code "gpu"} instead of the job; runs of several episodes add
 * {@code "episode"}. Times are seconds, exact to the nanosecond. Equal runs give equal bytes, gzipped or not.
 */
public final class EventsJsonl implements AutoCloseable {
    private final JsonGenerator json;
    private final @Nullable GZIPOutputStream zipped;

    /** Writes to the stream, which remains open; {@code gzip} compresses. */
    public EventsJsonl(OutputStream out, boolean gzip) throws IOException {
        zipped = gzip ? new QuickGzip(out) : null;
        json = new JsonFactory().createGenerator(zipped == null ? out : zipped);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.setRootValueSeparator(new SerializedString("\n"));
    }

    /** The sink for the events of one scheduler's run over the workload. */
    public EventSink run(String scheduler, Workload workload) {
        return sink(scheduler, null, workload);
    }

    /**
     * The sink for the events of one scheduler's run over one of several episodes, whose number stands in each line.
     */
    public EventSink run(String scheduler, int episode, Workload workload) {
        return sink(scheduler, episode, workload);
    }

    private EventSink sink(String scheduler, @Nullable Integer episode, Workload workload) {
        return (timeNanos, kind, job, argument, placement) -> {
            try {
                String name = kind.isOfJob() ? workload.job(job).name() : null;
                write(scheduler, episode, timeNanos, kind, name, job, argument, placement);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    private void write(
            String scheduler,
            @Nullable Integer episode,
            long timeNanos,
            EventKind kind,
            @Nullable String job,
            int server,
            int argument,
            @Nullable Placement placement)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("scheduler", scheduler);
        if (episode != null) {
            json.writeNumberField("episode", episode);
        }
        json.writeFieldName("time");
        json.writeNumber(Durations.seconds(timeNanos));
        json.writeStringField("event", kind.name());
        if (job != null) {
            json.writeStringField("job", job);
        } else if (server >= 0) {
            json.writeNumberField("server", server);
        } else {
            json.writeNumberField("gpu", argument);
        }
        if (placement != null) {
            json.writeArrayFieldStart("gpus");
            for (int i = 0; i < placement.gpuCount(); i++) {
                json.writeNumber(placement.gpu(i));
            }
            json.writeEndArray();
        } else if (kind == EventKind.FORWARD) {
            json.writeNumberField("domain", argument);
        } else if (kind == EventKind.FREEZE) {
            json.writeNumberField("layers", argument);
        } else if (kind == EventKind.HOST_CPU) {
            json.writeNumberField("cpu_milli", argument);
        } else if (kind == EventKind.HOST_MEMORY) {
            json.writeNumberField("memory_mib", argument);
        }
        json.writeEndObject();
    }

    /** Ends the last line; the stream remains open. */
    @Override
    public void close() throws IOException {
        json.writeRaw('\n');
        json.close();
        if (zipped != null) {
            zipped.finish();
        }
    }
}
