import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * Gathers the files of a release in one folder with their SHA-256 sums, after it has held the jars of the
 * distribution, of the wheel and of the SBOM against the table of libraries.
 */
final class Release {
    /** Where Maven leaves the project file in a jar of one of our modules. */
    private static final String OWN = "META-INF/maven/org.trainyard/";

    /** Natives of OR-Tools for other machines than the one at hand. */
    private static final Predicate<String> OTHER_NATIVES = row -> row.contains(":ortools-");

    private final Path built;
    private final List<String> table;
    private final List<String> faults = new ArrayList<>();

    private Release(Path built, List<String> table) {
        this.built = built;
        this.table = table;
    }

    /**
     * Arguments: the folder that the build has filled, the table of libraries, the version, and where the release goes.
     */
    public static void main(String[] args) throws IOException {
        Path built = Path.of(args[0]);
        String version = args[2];
        Path into = Path.of(args[3]);
        Release release = new Release(built, Files.readAllLines(Path.of(args[1])));
        release.hold("lib", "run");
        release.hold("fit", "fit");
        release.holdWheel();
        release.holdBillOfMaterials();
        if (!release.faults.isEmpty()) {
            throw new IllegalStateException(
                    "the release does not agree with " + args[1] + ":\n" + String.join("\n", release.faults));
        }
        release.gather(into, version);
    }

    /** The rows of the table with some use, as {@code artifact-version}. */
    private Set<String> rows(String use) {
        return table.stream()
                .map(row -> row.split(",", 3))
                .filter(row -> row[1].equals(use))
                .map(row -> row[0].split(":")[1] + "-" + row[0].split(":")[2])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The libraries in a folder, by the names of their jars. */
    private List<String> jars(String folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(built.resolve(folder), "*.jar")) {
            for (Path jar : jars) {
                try (ZipFile entries = new ZipFile(jar.toFile())) {
                    if (entries.stream().noneMatch(entry -> entry.getName().startsWith(OWN))) {
                        names.add(jar.getFileName().toString().replaceAll("\\.jar$", ""));
                    }
                }
            }
        }
        Collections.sort(names);
        return names;
    }

    /**
     * Every jar of a folder has a row of that use, and every row a jar; natives bear a classifier after the version.
     */
    private void hold(String folder, String use) throws IOException {
        Set<String> rows = rows(use);
        Set<String> unseen = new TreeSet<>(rows);
        for (String jar : jars(folder)) {
            String row = rows.stream()
                    .filter(name -> jar.equals(name) || jar.startsWith(name + "-"))
                    .findFirst()
                    .orElse("");
            unseen.remove(row);
            if (row.isEmpty()) {
                faults.add("%s/%s.jar has no row of use '%s'".formatted(folder, jar, use));
            }
        }
        unseen.removeIf(row -> row.startsWith("ortools-"));
        unseen.forEach(row -> faults.add("%s of use '%s' is not in %s".formatted(row, use, folder)));
    }

    private void holdWheel() throws IOException {
        Set<String> fit = rows("fit");
        jars("wheel/lib").stream()
                .filter(jar -> fit.stream().anyMatch(jar::startsWith))
                .forEach(jar -> faults.add("the wheel has %s.jar, which fits alone need".formatted(jar)));
    }

    private void holdBillOfMaterials() throws IOException {
        Path file = built.resolve("trainyard-sbom.json");
        if (!Files.exists(file)) {
            faults.add("there is no SBOM, which Maven makes with the network alone: run it without -o");
            return;
        }
        String text = Files.readString(file);
        table.stream()
                .filter(row -> row.split(",")[1].matches("run|fit"))
                .filter(OTHER_NATIVES.negate())
                .map(row -> row.split(",")[0].split(":"))
                .map(part -> "pkg:maven/%s/%s@%s?".formatted(part[0], part[1], part[2]))
                .filter(library -> !text.contains(library))
                .forEach(library -> faults.add("the SBOM lacks " + library));
    }

    private void gather(Path into, String version) throws IOException {
        if (Files.isDirectory(into)) {
            try (Stream<Path> old = Files.list(into)) {
                for (Path file : old.toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.createDirectories(into);
        for (String form : List.of("json", "xml")) {
            Files.copy(
                    built.resolve("trainyard-sbom." + form),
                    into.resolve("trainyard-%s-sbom.cdx.%s".formatted(version, form)));
        }
        try (Stream<Path> files = Files.list(built)) {
            for (Path file : files.filter(file -> file.toString().matches(".*\\.(zip|whl)"))
                    .toList()) {
                Files.move(file, into.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        StringBuilder sums = new StringBuilder();
        try (Stream<Path> files = Files.list(into)) {
            for (Path file : files.sorted().toList()) {
                sums.append("%s  %s\n".formatted(sha256(file), file.getFileName()));
            }
        }
        Files.write(into.resolve("SHA256SUMS"), sums.toString().getBytes(StandardCharsets.UTF_8));
        System.out.printf("release: %s%n%s", into, sums);
    }

    private static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
