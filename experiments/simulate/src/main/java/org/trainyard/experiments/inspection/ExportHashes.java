package org.trainyard.experiments.inspection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.trainyard.env.InputException;
import org.trainyard.experiments.export.PolicyExport;
import org.trainyard.experiments.io.Sha256;

/** The hashes of the files of an export, which its contract lists. */
public final class ExportHashes {
    private ExportHashes() {}

    /**
     * Checks the files of an export by the hashes in its contract; a folder without a contract is no export and passes.
     *
     * @throws InputException when a file is missing or not as it was written
     */
    public static void require(Path folder) {
        Path contract = folder.resolve(PolicyExport.CONTRACT);
        if (!Files.isRegularFile(contract)) {
            return;
        }
        JsonNode hashes;
        try {
            hashes = new JsonMapper().readTree(contract.toFile()).path("sha256");
        } catch (IOException e) {
            hashes = MissingNode.getInstance();
        }
        if (hashes.isEmpty()) {
            throw new InputException("%s: is damaged: expected the hashes that `export` wrote".formatted(contract));
        }
        for (Map.Entry<String, JsonNode> hash : hashes.properties()) {
            Path beside = folder.resolve(hash.getKey());
            Path file = Files.isRegularFile(beside)
                    ? beside
                    : folder.resolve(PolicyExport.CHECKPOINT).resolve(hash.getKey());
            if (!Files.isRegularFile(file)
                    || !Sha256.of(file).equals(hash.getValue().asText())) {
                throw new InputException("%s: is damaged or missing: its hash is not the one in %s"
                        .formatted(beside, PolicyExport.CONTRACT));
            }
        }
    }
}
