package org.trainyard.experiments.cli.simulate;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.simulation.ExpectedHashes;
import picocli.CommandLine.Option;

/** The option that checks event logs against their hashes. */
public final class VerifyOptions {
    @Option(
            names = "--verify-hash",
            paramLabel = "SHA|FILE",
            description = "Exit with code 1 unless the event logs have this SHA-256, or those in this summary.json.")
    private @Nullable String verify;

    /** The hashes that the logs of these schedulers must have; null without the option. */
    public @Nullable ExpectedHashes expected(List<String> names) {
        return verify == null ? null : ExpectedHashes.parse("--verify-hash", verify, names);
    }
}
