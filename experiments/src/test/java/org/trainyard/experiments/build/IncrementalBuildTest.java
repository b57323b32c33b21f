package org.trainyard.experiments.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of a made-up checkout of two modules, built once. */
class IncrementalBuildTest {
    private static final int DOES_NOT_COMPILE = 2;
    private static final int NEEDS_MAVEN = 3;
    private static final String ENV = "env/src/main/java/p/";
    private static final String MAIN = "experiments/src/main/java/q/";

    @TempDir
    private Path root;

    private Path target;
    private Path built;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @BeforeEach
    void builds_a_checkout() throws Exception {
        target = root.resolve("experiments/target/launcher");
        built = root.resolve("built");
        Files.createDirectories(target.resolve("lib"));
        Files.createDirectories(target.resolve("fit"));
        write("pom.xml", "<module>env</module> <module>experiments</module> <module>experiments/spark</module>");
        write(ENV + "Limits.java", "package p; public interface Limits { int MOST = 1; }");
        write(
                ENV + "Servers.java",
                "package p; public class Servers implements Limits { public int count() { return 7; } }");
        write(ENV + "Racks.java", "package p; public class Racks extends Servers {}");
        write(MAIN + "Start.java", """
                package q;
                public class Start {
                    public static String run() {
                        return p.Racks.MOST + " " + new p.Racks().count() + " " + Unrelated.class.getSimpleName();
                    }
                }
                """);
        write(MAIN + "Unrelated.java", "package q; class Unrelated {}");
        jar(target.resolve("lib/env-1.jar"), new Manifest());
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "lib/env-1.jar");
        jar(target.resolve("trainyard.jar"), manifest);
        Files.writeString(built, sum("pom.xml"));
        assertThat(build()).isZero();
        assertThat(start()).isEqualTo("1 7 Unrelated");
    }

    @Test
    void of_a_changed_body_no_other_file_is_compiled() throws Exception {
        byte[] jar = Files.readAllBytes(target.resolve("trainyard.jar"));
        write(
                ENV + "Servers.java",
                "package p; public class Servers implements Limits { public int count() { return 8; } }");

        assertThat(build()).isZero();

        assertThat(start()).isEqualTo("1 8 Unrelated");
        assertThat(target.resolve("trainyard.jar")).hasBinaryContent(jar);
    }

    @Test
    void a_constant_reaches_code_that_names_only_a_heir_of_its_type() throws Exception {
        write(ENV + "Limits.java", "package p; public interface Limits { int MOST = 2; }");

        assertThat(build()).isZero();

        assertThat(start()).isEqualTo("2 7 Unrelated");
    }

    @Test
    void another_return_type_is_read_by_the_callers() throws Exception {
        write(
                ENV + "Servers.java",
                "package p; public class Servers implements Limits { public long count() { return 9; } }");

        assertThat(build()).isZero();

        assertThat(start()).isEqualTo("1 9 Unrelated");
    }

    @Test
    void a_supertype_is_read_by_code_that_does_not_name_its_type() throws Exception {
        write(ENV + "Pool.java", """
                package p;
                public class Pool {
                    public static java.util.List<Node> nodes() { return java.util.List.of(new Node()); }
                    public static String kind(Object o) { return "object"; }
                    public static String kind(Comparable<?> c) { return "comparable"; }
                }
                """);
        write(ENV + "Node.java", "package p; public class Node {}");
        write(MAIN + "Start.java", """
                package q;
                public class Start {
                    public static String run() { return p.Pool.kind(p.Pool.nodes().get(0)); }
                }
                """);
        assertThat(build()).isZero();
        assertThat(start()).isEqualTo("object");
        write(ENV + "Node.java", """
                package p;
                public class Node implements Comparable<Node> { public int compareTo(Node n) { return 0; } }
                """);

        assertThat(build()).isZero();

        assertThat(start()).isEqualTo("comparable");
    }

    @Test
    void a_new_type_hides_one_that_was_imported_on_demand() throws Exception {
        write(MAIN + "Start.java", """
                package q;
                import p.*;
                public class Start { public static String run() { return Servers.class.getName(); } }
                """);
        assertThat(build()).isZero();
        assertThat(start()).isEqualTo("p.Servers");
        write(MAIN + "Servers.java", "package q; class Servers {}");

        assertThat(build()).isZero();

        assertThat(start()).isEqualTo("q.Servers");
    }

    @Test
    void a_deleted_file_is_missed_by_its_readers_and_its_classes_are_no_more() throws Exception {
        Files.delete(root.resolve(ENV + "Racks.java"));

        assertThat(build()).isEqualTo(DOES_NOT_COMPILE);

        assertThat(said.toString(StandardCharsets.UTF_8)).startsWith(MAIN + "Start.java:4: cannot find symbol");
        assertThat(start()).isEqualTo("1 7 Unrelated");
        write(
                MAIN + "Start.java",
                "package q; public class Start { public static String run() { return \"mended\"; } }");
        assertThat(build()).isZero();
        assertThat(start()).isEqualTo("mended");
        assertThat(entries("lib/env-1.jar")).contains("p/Servers.class").doesNotContain("p/Racks.class");
    }

    @Test
    void a_renamed_file_leaves_no_class_of_the_old_name() throws Exception {
        Files.delete(root.resolve(MAIN + "Unrelated.java"));
        write(MAIN + "Renamed.java", "package q; class Renamed {}");
        Path start = root.resolve(MAIN + "Start.java");
        Files.writeString(start, Files.readString(start).replace("Unrelated", "Renamed"));

        assertThat(build()).isZero();

        assertThat(start()).isEqualTo("1 7 Renamed");
        assertThat(entries("trainyard.jar")).doesNotContain("q/Unrelated.class");
    }

    @Test
    void classes_within_a_changed_class_come_and_go() throws Exception {
        write(MAIN + "Unrelated.java", "package q; class Unrelated { class Inner {} Object o = new Object() {}; }");
        assertThat(build()).isZero();
        assertThat(entries("trainyard.jar")).contains("q/Unrelated$Inner.class", "q/Unrelated$1.class");
        write(MAIN + "Unrelated.java", "package q; class Unrelated {}");

        assertThat(build()).isZero();

        assertThat(entries("trainyard.jar")).contains("q/Unrelated.class").noneMatch(entry -> entry.contains("$"));
    }

    @Test
    void an_error_names_file_and_line_and_leaves_the_jars_until_it_is_mended() throws Exception {
        write(
                ENV + "Servers.java",
                "package p; public class Servers implements Limits { public int count() { return 8; } }");
        write(MAIN + "Unrelated.java", "package q;\nclass Unrelated { int i = \"text\"; }");

        assertThat(build()).isEqualTo(DOES_NOT_COMPILE);

        assertThat(said.toString(StandardCharsets.UTF_8).lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith(MAIN + "Unrelated.java:2: incompatible types: "),
                        line -> assertThat(line).isEqualTo("trainyard: the sources do not compile (errors: 1)"));
        assertThat(start()).isEqualTo("1 7 Unrelated");
        write(MAIN + "Unrelated.java", "package q; class Unrelated {}");
        assertThat(build()).isZero();
        assertThat(start()).isEqualTo("1 8 Unrelated");
    }

    @Test
    void a_file_that_was_not_changed_is_compiled_with_those_that_need_it_as_it_becomes() throws Exception {
        write(ENV + "Room.java", """
                package p;
                import r.*;
                public class Room { public Rack rack() { return new Rack(); } }
                """);
        write(ENV + "Rack.java", "package p; public class Rack {}");
        write("env/src/main/java/r/Row.java", "package r; public class Row {}");
        assertThat(build()).isZero();
        Files.delete(root.resolve(ENV + "Rack.java"));
        write("env/src/main/java/r/Rack.java", "package r; public class Rack { public int size() { return 42; } }");
        write(ENV + "Servers.java", """
                package p;
                public class Servers implements Limits { public int count() { return new Room().rack().size(); } }
                """);

        assertThat(build()).isZero();

        assertThat(start()).isEqualTo("1 42 Unrelated");
    }

    @Test
    void resources_are_packed_and_deleted_but_those_that_maven_may_filter() throws Exception {
        write("env/src/main/resources/names.txt", "one");
        assertThat(build()).isZero();
        assertThat(entries("lib/env-1.jar")).contains("names.txt");

        Files.delete(root.resolve("env/src/main/resources/names.txt"));
        assertThat(build()).isZero();
        assertThat(entries("lib/env-1.jar")).doesNotContain("names.txt");

        write("env/src/main/resources/names.txt", "${project.version}");
        assertThat(build()).isEqualTo(NEEDS_MAVEN);
    }

    @Test
    void a_changed_pom_and_a_file_with_two_types_are_for_maven() throws Exception {
        write(MAIN + "Unrelated.java", "package q; class Unrelated {} class Second {}");
        assertThat(build()).isEqualTo(NEEDS_MAVEN);

        write(MAIN + "Unrelated.java", "package q; class Unrelated {}");
        write("pom.xml", "<module>env</module> <module>experiments</module>");
        assertThat(build()).isEqualTo(NEEDS_MAVEN);
    }

    private int build() throws IOException {
        Path listed = root.resolve("listed");
        List<String> sums = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = root.relativize(file).toString();
                if (name.contains("/src/main/") || name.equals("pom.xml")) {
                    sums.add(sum(name));
                }
            }
        }
        Files.write(listed, sums);
        said.reset();
        int code = IncrementalBuild.run(root, built, listed, new PrintStream(said, true, StandardCharsets.UTF_8));
        if (code == 0) {
            Files.move(listed, built);
        }
        return code;
    }

    private String sum(String file) throws IOException {
        byte[] content = Files.readAllBytes(root.resolve(file));
        CRC32 sum = new CRC32();
        sum.update(content);
        return sum.getValue() + " " + content.length + " " + file;
    }

    private String start() throws IOException, ReflectiveOperationException {
        URL[] jars = {
            target.resolve("trainyard.jar").toUri().toURL(),
            target.resolve("lib/env-1.jar").toUri().toURL()
        };
        try (URLClassLoader loader = new URLClassLoader(jars, null)) {
            return (String) loader.loadClass("q.Start").getMethod("run").invoke(null);
        }
    }

    private List<String> entries(String jar) throws IOException {
        try (JarFile file = new JarFile(target.resolve(jar).toFile())) {
            return new ArrayList<>(file.stream().map(entry -> entry.getName()).toList());
        }
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static void jar(Path file, Manifest manifest) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            new JarOutputStream(out, manifest).close();
        }
    }
}
