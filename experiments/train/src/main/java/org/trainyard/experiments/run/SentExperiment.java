package org.trainyard.experiments.run;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.yaml.ConfigWriter;

/**
 * An experiment that tasks of a fleet make anew from its config.
 *
 * @param config as YAML
 */
public record SentExperiment(String config) {
    /** By config; a process of a fleet works for one command. */
    private static final Map<String, Experiment> MADE = new ConcurrentHashMap<>();

    public static SentExperiment of(Experiment experiment) {
        return new SentExperiment(ConfigWriter.yaml(experiment.config()));
    }

    /** The experiment, one for all tasks of this process that have the same config; it stays open. */
    public Experiment open() {
        return MADE.computeIfAbsent(
                config, text -> new Experiment(ConfigReader.parse("the config of the command", text)));
    }

    public void write(DataOutput out) throws IOException {
        byte[] text = config.getBytes(StandardCharsets.UTF_8);
        out.writeInt(text.length);
        out.write(text);
    }

    public static SentExperiment read(DataInput in) throws IOException {
        byte[] text = new byte[in.readInt()];
        in.readFully(text);
        return new SentExperiment(new String(text, StandardCharsets.UTF_8));
    }
}
