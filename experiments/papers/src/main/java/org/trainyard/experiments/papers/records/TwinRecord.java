package org.trainyard.experiments.papers.records;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.cli.Trainyard;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Sha256;
import org.trainyard.experiments.papers.claims.Evidence;
import org.trainyard.experiments.papers.studies.RecordStudy;
import org.trainyard.experiments.papers.studies.StudyRun;

/** Mean waits of a real Slurm beside those of its twin. */
record TwinRecord(String system) implements RecordStudy {
    private static final List<String> RECORDINGS = List.of("R1", "R1b", "R2", "R2b", "R2e", "R3", "R4s");

    @Override
    public List<String> needs() {
        return List.of("slurm_real/R1");
    }

    @Override
    public @Nullable String missing(Path data) {
        return Trainyard.all().getSubcommands().containsKey(system())
                ? RecordStudy.super.missing(data)
                : "the command " + system();
    }

    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
        for (String recording : RECORDINGS) {
            String json = printed(run.data().resolve("slurm_real").resolve(recording));
            JsonNode twin = JsonText.read(json);
            rows.add(
                    recording,
                    twin.at("/wait_s/twin/mean").asDouble(),
                    "s of mean wait",
                    null,
                    String.format(
                            Locale.ROOT,
                            "%.0f %% of the starts within a minute",
                            100 * twin.at("/modelled_cycles/within_60s").asDouble()),
                    new Evidence(twin.at("/wait_s/past/mean").asDouble(), "the recording", Sha256.of(json)));
        }
    }

    /** The JSON that {@code twin FOLDER --json} prints. */
    private String printed(Path folder) {
        StringWriter json = new StringWriter();
        StringWriter failure = new StringWriter();
        String[] words = {system(), folder.toString(), "--json"};
        if (Trainyard.run(words, new PrintWriter(json), new PrintWriter(failure)) != 0) {
            throw new InputException(failure.toString().strip().replaceFirst("^trainyard: ", ""));
        }
        return json.toString();
    }
}
