package org.trainyard.experiments.libraries;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * A jar of a Maven repository, with the licences of its project file or the parents of that.
 *
 * @param licences names as the project file has them; any one of them may be chosen
 * @param parts the libraries inside: itself, and those that were copied into it
 */
record Library(Part itself, List<String> licences, List<Part> parts) {
    /** The place of a jar in a repository: the folders of its group, its artifact and its version. */
    private static final Pattern PLACE = Pattern.compile("(.+)/([^/]+)/([^/]+)/[^/]+\\.jar");

    /** A library by its coordinates, {@code group:artifact}, and its version. */
    record Part(String library, String version) {
        @Override
        public String toString() {
            return library + ":" + version;
        }
    }

    /** All on the class path of this Java machine, by name, each version once. */
    static List<Library> ofClassPath() throws Exception {
        TreeMap<String, Library> found = new TreeMap<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path project = project(entry);
            if (project != null) {
                Library library = of(entry, project);
                found.merge(library.itself().toString(), library, Library::joined);
            }
        }
        return List.copyOf(found.values());
    }

    /** The jar of classes and those of natives, which are one library. */
    private static Library joined(Library a, Library b) {
        List<Part> parts = new ArrayList<>(a.parts);
        parts.addAll(b.parts);
        return new Library(a.itself, a.licences, List.copyOf(parts));
    }

    private static Matcher place(String jar) {
        return PLACE.matcher(jar.replace('\\', '/'));
    }

    /** The project file beside a jar, or null for one outside of a repository. */
    private static @Nullable Path project(String jar) {
        Matcher place = place(jar);
        if (!place.matches()) {
            return null;
        }
        Path file = Path.of(
                place.group(1), place.group(2), place.group(3), "%s-%s.pom".formatted(place.group(2), place.group(3)));
        return Files.exists(file) ? file : null;
    }

    private static Library of(String jar, Path file) throws Exception {
        Matcher place = place(jar);
        assertThat(place.matches()).isTrue();
        Element project = read(file);
        String group = text(project, "groupId");
        Element parent = child(project, "parent");
        if (group == null && parent != null) {
            group = text(parent, "groupId");
        }
        String folders = "/" + String.valueOf(group).replace('.', '/');
        assertThat(place.group(1)).endsWith(folders);
        Path repository = Path.of(place.group(1).substring(0, place.group(1).length() - folders.length()));
        Part itself = new Part(group + ":" + place.group(2), place.group(3));
        return new Library(itself, licences(project, repository), parts(Path.of(jar), itself));
    }

    private static List<String> licences(Element project, Path repository) throws Exception {
        Element all = child(project, "licenses");
        if (all != null) {
            return children(all).stream()
                    .map(licence -> String.valueOf(text(licence, "name")))
                    .toList();
        }
        Element parent = child(project, "parent");
        if (parent == null) {
            return List.of();
        }
        String artifact = String.valueOf(text(parent, "artifactId"));
        String version = String.valueOf(text(parent, "version"));
        Path file = repository
                .resolve(String.valueOf(text(parent, "groupId")).replace('.', '/'))
                .resolve(artifact)
                .resolve(version)
                .resolve("%s-%s.pom".formatted(artifact, version));
        return licences(read(file), repository);
    }

    private static List<Part> parts(Path jar, Part itself) throws IOException {
        List<Part> parts = new ArrayList<>(List.of(itself));
        try (JarFile file = new JarFile(jar.toFile())) {
            for (JarEntry entry : file.stream().collect(Collectors.toList())) {
                String[] path = entry.getName().split("/", -1);
                if (path.length == 5
                        && entry.getName().startsWith("META-INF/maven/")
                        && path[4].equals("pom.properties")) {
                    Properties properties = new Properties();
                    try (InputStream text = file.getInputStream(entry)) {
                        properties.load(text);
                    }
                    parts.add(new Part(path[2] + ":" + path[3], properties.getProperty("version", "")));
                }
            }
        }
        return parts.stream().distinct().toList();
    }

    private static Element read(Path file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
    }

    private static List<Element> children(Element element) {
        NodeList nodes = element.getChildNodes();
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(node -> node.getNodeType() == Node.ELEMENT_NODE)
                .map(Element.class::cast)
                .toList();
    }

    private static @Nullable Element child(Element element, String name) {
        return children(element).stream()
                .filter(child -> child.getNodeName().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String text(Element element, String name) {
        Element child = child(element, name);
        return child == null ? null : child.getTextContent().strip();
    }

    @Override
    public String toString() {
        return itself + " " + licences + (parts.size() > 1 ? " with " + Arrays.toString(parts.toArray()) : "");
    }
}
