package org.trainyard.experiments.training;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.trainyard.experiments.io.Sha256;

/** Version and hash of the running code. */
public final class CodeVersion {
    /** Jars and folders of tests, which are no part of the program. */
    private static final Pattern TESTS = Pattern.compile("test-classes$|-tests\\.jar$|-testing\\.jar$");

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
     * The SHA-256 over the classes and resources of all modules that are here, by name; about 50 ms. It is the same for
     * jars and for the folders that the jars were made from, and differs between compilers.
     */
    static String sha256() {
        try {
            return sha256(Collections.list(CodeVersion.class.getClassLoader().getResources("org/trainyard")).stream()
                    .map(CodeVersion::source)
                    .filter(source -> !TESTS.matcher(source.toString()).find())
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Computes the SHA-256 over the classes and resources of the given jars and folders, by name. */
    static String sha256(List<Path> sources) {
        return Sha256.of(out -> {
            TreeMap<String, Path> files = new TreeMap<>();
            List<FileSystem> jars = new ArrayList<>();
            try {
                for (Path source : sources) {
                    if (Files.isDirectory(source)) {
                        list(source, files);
                    } else {
                        FileSystem jar = FileSystems.newFileSystem(source);
                        jars.add(jar);
                        list(jar.getPath("/"), files);
                    }
                }
                for (var file : files.entrySet()) {
                    out.write((file.getKey() + "\n").getBytes(StandardCharsets.UTF_8));
                    Files.copy(file.getValue(), out);
                }
            } finally {
                for (FileSystem jar : jars) {
                    jar.close();
                }
            }
        });
    }

    /** The jar or folder that holds a folder of classes. */
    private static Path source(URL folder) {
        try {
            return folder.openConnection() instanceof JarURLConnection jar
                    ? Path.of(jar.getJarFileURL().toURI())
                    : Path.of(folder.toURI()).resolve("../..").normalize();
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("no path to the classes of %s".formatted(folder), e);
        }
    }

    /** Lists the files under {@code org}: without the manifest, which differs by time and place of the build. */
    private static void list(Path root, Map<String, Path> files) throws IOException {
        try (Stream<Path> tree = Files.walk(root.resolve("org"))) {
            tree.filter(Files::isRegularFile)
                    .forEach(file -> files.put(root.relativize(file).toString().replace('\\', '/'), file));
        }
    }
}
