package org.trainyard.experiments.config;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where tests find topologies: shipped ones, made-up tables of machines as text, real ones in a data pack beside the
 * checkout.
 */
public final class TestTopologies {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root"));
    public static final Path CLUSTERS = ROOT.resolve("experiments").resolve("clusters");

    static final String LINGJUN = """
            ip,DSW,PSW,ASW
            h0,G6,P10,S2
            h1,G6,P12,S1
            h2,G6,P10,S1
            h3,G6,P10,S2
            h4,G6,P12,S3
            h5,G6,P10,S3
            h6,G6,P8,S1
            """;

    static final String OPENB = """
            sn,cpu_milli,memory_mib,gpu,model
            node-0,32000,262144,0,
            node-1,96000,393216,8,G2
            node-2,64000,262144,2,P100
            node-3,104000,524288,2,T4
            node-4,32000,131072,4,V100M16
            """;

    private TestTopologies() {}

    /** A file of the data pack; the test is skipped when there is none. */
    static Path real(String name) {
        Path file = ROOT.resolve("..").resolve("shared").resolve("data").resolve(name);
        assumeTrue(Files.exists(file), () -> "skipped: the data pack has no " + file);
        return file;
    }
}
