package org.trainyard.experiments.training;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.Sha256;
import org.trainyard.gnn.CheckedFile;
import org.trainyard.interference.fit.FittedFiles;

/** Which Trainyard is running. */
public final class CodeVersion {
    /** A class of each module. */
    private static final List<Class<?>> MODULES =
            List.of(InputException.class, FittedFiles.class, CheckedFile.class, BidPolicy.class, CodeVersion.class);

    private CodeVersion() {}

    /** The version that the build wrote down, such as {@code 0.1.0}. */
    public static String version() {
        Properties properties = new Properties();
        try (InputStream file = CodeVersion.class.getResourceAsStream("/trainyard.properties")) {
            properties.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }

    /**
     * The SHA-256 over the classes and resources of all modules, by name; about 50 ms. It is the same for a jar and
     * for the folder that the jar was made from, and differs between compilers.
     */
    static String sha256() {
        return sha256(MODULES.stream().map(CodeVersion::source).toList());
    }

    /** Computes the SHA-256 over the classes and resources of the given jars and folders, by name. */
    static String sha256(List<Path> sources) {
        return Sha256.of(out -> {
            for (Path source : sources) {
                hash(source, out);
            }
        });
    }

    private static Path source(Class<?> module) {
        try {
            return Path.of(
                    module.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("no path to the classes of %s".formatted(module), e);
        }
    }

    private static void hash(Path source, OutputStream out) throws IOException {
        if (Files.isDirectory(source)) {
            files(source, out);
            return;
        }
        try (FileSystem jar = FileSystems.newFileSystem(source)) {
            files(jar.getPath("/"), out);
        }
    }

    /** What lies under {@code org}: not the manifest, which says when and where it was built. */
    private static void files(Path root, OutputStream out) throws IOException {
        TreeMap<String, Path> files = new TreeMap<>();
        try (Stream<Path> tree = Files.walk(root.resolve("org"))) {
            tree.filter(Files::isRegularFile)
                    .forEach(file -> files.put(root.relativize(file).toString().replace('\\', '/'), file));
        }
        for (var file : files.entrySet()) {
            out.write((file.getKey() + "\n").getBytes(StandardCharsets.UTF_8));
            Files.copy(file.getValue(), out);
        }
    }
}
