package org.trainyard.experiments.training;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.training.BidStart;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.experiments.config.BeliefConfig;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.InterferenceConfig;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Sha256;
import org.trainyard.experiments.run.Plugins;
import org.trainyard.interference.model.InterferenceFiles;

/**
 * Provenance of a trained policy: code, configuration, data and seed of its training, recorded beside it as
 * {@value #FILE} when the training begins. A resumed training keeps the record of its beginning.
 *
 * @param codeSha256 see {@link CodeVersion#sha256}
 * @param configSha256 of the resolved configuration, which lies beside it
 * @param seed root of every random stream
 * @param dataSha256 of the data that the configuration refers to, by key: the trace file or else the settings of the
 *     generator, and files of a cluster, a belief or measured interference
 * @param startingPolicySha256 of the policies that training starts from or imitates, by key; empty when there are none
 * @param pluginSha256 of the jars that extend the training, by file name; null in a record of a version that kept none
 * @param observationSchema hash of the columns that the policy reads: of observations, or of bids
 * @param java version and virtual machine
 * @param os operating system and processor architecture
 */
public record Provenance(
        String codeVersion,
        String codeSha256,
        String configSha256,
        long seed,
        Map<String, String> dataSha256,
        Map<String, String> startingPolicySha256,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, String> pluginSha256,
        String observationSchema,
        String java,
        String os) {
    static final String FILE = "provenance.json";
    private static final String SHA256 = "sha256";

    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    /** The provenance of a training that begins now; reads every file that the configuration names. */
    static Provenance of(ExperimentConfig config) {
        return new Provenance(
                CodeVersion.version(),
                CodeVersion.sha256(),
                Sha256.of(ConfigWriter.yaml(config)),
                config.seed(),
                data(config),
                startingPolicy(config.learner()),
                Plugins.hashes(),
                BidColumn.schema().hash(),
                "%s, %s".formatted(Runtime.version(), System.getProperty("java.vm.name")),
                "%s, %s".formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
    }

    private static Map<String, String> data(ExperimentConfig config) {
        Map<String, String> data = new LinkedHashMap<>();
        String trace = config.workload().trace();
        for (Path file : config.workload().adversaryTraces()) {
            data.put("workload.adversary, %s".formatted(file.getFileName()), Sha256.of(file));
        }
        if (trace == null && config.workload().adversary() == null) {
            data.put(
                    "workload.generator",
                    Sha256.of(ConfigWriter.yaml(config.workload().generator())));
        } else if (trace != null) {
            data.put("workload.trace", Sha256.of(InputFiles.path(trace)));
        }
        String speeds = config.workload().speeds();
        if (speeds != null) {
            data.put("workload.speeds", Sha256.of(InputFiles.path(speeds)));
        }
        Path cluster = Clusters.file(config.cluster());
        if (cluster != null) {
            data.put("cluster", Sha256.of(cluster));
        }
        if (config.physics().interference() instanceof InterferenceConfig.Measured measured) {
            data.put("physics.interference.file", Sha256.of(InputFiles.path(measured.file())));
        }
        // Beliefs by name ship with the code and are in its hash.
        if (config.belief() instanceof BeliefConfig.Named belief && !belief.isShipped()) {
            data.put(
                    "belief",
                    Sha256.of(InterferenceFiles.installed("belief", belief.name(), "none")
                            .file(InputFiles.path(belief.name()))));
        }
        for (String world : config.worlds() == null ? List.<String>of() : config.worlds()) {
            data.put("worlds/" + world, Sha256.of(InputFiles.path(world)));
        }
        return data;
    }

    private static Map<String, String> startingPolicy(LearnerSettings learner) {
        Map<String, String> policies = new LinkedHashMap<>();
        BidStart start = learner.bidStart();
        List<String> before = start == null ? List.of() : start.checkpoints();
        for (String other : before) {
            String place = before.size() == 1 ? "learner.start.from" : "learner.start.from/" + other;
            Checkpoint checkpoint = Checkpoint.open("learner.start.from", InputFiles.path(other));
            policies.put(place, Sha256.of(checkpoint.policyFile()));
        }
        return policies;
    }

    /** Writes the record with its own hash, so that damage is noticed. */
    void write(Path folder) {
        ObjectNode node = JSON.valueToTree(this);
        node.put(SHA256, Sha256.of(JsonText.pretty(node)));
        AtomicFiles.write(folder.resolve(FILE), JsonText.pretty(node));
    }

    /** The provenance in a checkpoint's folder, or null when none is recorded. */
    static @Nullable Provenance read(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return null;
        }
        try {
            if (!(JSON.readTree(file.toFile()) instanceof ObjectNode node)) {
                throw new InputException("%s: is no object: expected the file that training wrote".formatted(file));
            }
            JsonNode sha256 = node.remove(SHA256);
            if (sha256 == null || !Sha256.of(JsonText.pretty(node)).equals(sha256.asText())) {
                throw new InputException("%s: is damaged: its hash does not match".formatted(file));
            }
            return JSON.treeToValue(node, Provenance.class);
        } catch (IOException e) {
            throw new InputException("%s: cannot be read: expected the file that training wrote".formatted(file));
        }
    }

    /**
     * Refuses to go on with a training whose jars or data are not those of its beginning.
     *
     * @param folder where its provenance is recorded; without a record nothing is refused
     * @throws InputException with the first file that changed and both hashes
     */
    static void requireUnchanged(ExperimentConfig config, Path folder) {
        Provenance begun = read(folder);
        if (begun == null) {
            return;
        }
        if (begun.pluginSha256() != null) {
            requireEqual("--plugin", begun.pluginSha256(), Plugins.hashes(), folder);
        }
        requireEqual("data", begun.dataSha256(), data(config), folder);
    }

    private static void requireEqual(String place, Map<String, String> begun, Map<String, String> here, Path folder) {
        Set<String> names = new LinkedHashSet<>(begun.keySet());
        names.addAll(here.keySet());
        for (String name : names) {
            String before = begun.getOrDefault(name, "none");
            String now = here.getOrDefault(name, "none");
            if (!before.equals(now)) {
                throw InputException.at(
                        place,
                        "%s, SHA-256 %s".formatted(name, now),
                        "SHA-256 %s, with which the run began (%s); --replace starts anew"
                                .formatted(before, folder.resolve(FILE)));
            }
        }
    }

    /** Keys and values as in the file. */
    public Map<String, Object> facts() {
        return JSON.convertValue(this, new TypeReference<LinkedHashMap<String, Object>>() {});
    }
}
