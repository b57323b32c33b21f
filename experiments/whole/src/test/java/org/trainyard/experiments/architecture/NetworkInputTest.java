package org.trainyard.experiments.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No byte that comes from a network reaches a resolver of names or files: from all methods of the servers every call is
 * followed, of an interface to each class that implements it, and none leads to one.
 */
class NetworkInputTest {
    private static final String ROOT = "org.trainyard.";

    /** Where bytes of a network come in, with the number of methods there at least. */
    private static final Map<String, Integer> ENTRIES = Map.of(
            "experiments.service.http.",
            60,
            "experiments.service.kubernetes.",
            30,
            "experiments.service.live.EventReader",
            5,
            "experiments.watch.",
            40,
            "experiments.gym.",
            60);

    /** What opens files, finds hosts, loads classes or starts programs by a name. */
    private static final List<String> RESOLVERS = List.of(
            "java.nio.file.Path.of",
            "java.nio.file.Paths.",
            "java.nio.file.Files.",
            "java.nio.file.FileSystem",
            "java.nio.channels.FileChannel.open",
            "java.io.File.",
            "java.io.FileInputStream.",
            "java.io.FileOutputStream.",
            "java.io.FileReader.",
            "java.io.FileWriter.",
            "java.io.RandomAccessFile.",
            "java.net.URL.",
            "java.net.InetAddress.getByName",
            "java.net.InetAddress.getAllByName",
            "java.lang.Class.forName",
            "java.lang.Class.getResource",
            "java.lang.ClassLoader.",
            "java.lang.ProcessBuilder.",
            "java.lang.Runtime.exec",
            "java.util.ServiceLoader.",
            "org.trainyard.experiments.io.InputFiles.",
            "org.trainyard.experiments.config.topology.Clusters.");

    /** Where the walk ends, because the names there are not of a network; and why. */
    private static final Map<String, String> BORDERS = borders();

    private static Map<String, String> borders() {
        Map<String, String> borders = new LinkedHashMap<>();
        borders.put("experiments.service.http.ServerSettings.", "options of the command line");
        borders.put("experiments.service.live.ServiceSettings.", "the physics of the command line");
        borders.put(
                "experiments.service.(live.ClusterJournal|journal).",
                "files of --state, by ids of a-z, 0-9, dot, underscore and dash");
        borders.put("experiments.watch.Recording.", "files of the folder of the command line, by names of the program");
        borders.put("experiments.watch.WatchServer.resource", "resources by names of the program");
        borders.put("experiments.gym.GymServer.", "the socket of the command line");
        borders.put(
                "experiments.gym.PythonProcess.",
                "files of the command line; no command that hears a network has them");
        borders.put("experiments.training.CodeVersion.", "a resource of the build");
        return borders;
    }

    private static String title(JavaCodeUnit unit) {
        return unit.getOwner().getFullName().substring(ROOT.length()) + "." + unit.getName();
    }

    private static boolean isBorder(String title) {
        return !border(title).isEmpty();
    }

    /** The border to which a title belongs, or nothing. */
    private static String border(String title) {
        return BORDERS.keySet().stream()
                .filter(border -> title.matches(border + ".*"))
                .findFirst()
                .orElse("");
    }

    private static boolean isResolver(String target) {
        return RESOLVERS.stream().anyMatch(target::startsWith);
    }

    private static Stream<CodeUnitAccessTarget> targets(JavaCodeUnit unit) {
        return Stream.concat(
                unit.getCallsFromSelf().stream().map(call -> (CodeUnitAccessTarget) call.getTarget()),
                unit.getCodeUnitReferencesFromSelf().stream()
                        .map(reference -> (CodeUnitAccessTarget) reference.getTarget()));
    }

    /** The code that a call may run: that of its target, and of all classes below it. */
    private static List<JavaCodeUnit> code(CodeUnitAccessTarget target) {
        List<JavaCodeUnit> code = new ArrayList<>();
        JavaClass owner = target.getOwner();
        List<JavaClass> classes = new ArrayList<>(owner.getAllSubclasses());
        classes.add(owner);
        classes.addAll(owner.getAllRawSuperclasses());
        classes.addAll(owner.getAllRawInterfaces());
        for (JavaClass one : classes) {
            if (one.getFullName().startsWith(ROOT)) {
                one.getCodeUnits().stream()
                        .filter(unit -> unit.getName().equals(target.getName())
                                && unit.getRawParameterTypes().size()
                                        == target.getRawParameterTypes().size()
                                && (!unit.isConstructor() || one.equals(owner)))
                        .forEach(code::add);
            }
        }
        return code;
    }

    @Test
    void no_byte_of_a_network_reaches_a_resolver_of_names_or_files() {
        Map<JavaCodeUnit, String> reached = new LinkedHashMap<>();
        Deque<JavaCodeUnit> next = new ArrayDeque<>();
        Map<String, Integer> entries = new TreeMap<>();
        Set<String> used = new TreeSet<>();
        Set<String> followed = new HashSet<>();
        for (JavaClass type : ProgramClasses.ALL) {
            for (JavaCodeUnit unit : type.getCodeUnits()) {
                ENTRIES.keySet().stream()
                        .filter(title(unit)::startsWith)
                        .findFirst()
                        .ifPresent(entry -> {
                            entries.merge(entry, 1, Integer::sum);
                            if (isBorder(title(unit))) {
                                used.add(border(title(unit)));
                            } else {
                                reached.put(unit, title(unit));
                                next.add(unit);
                            }
                        });
            }
        }
        List<String> found = new ArrayList<>();
        while (!next.isEmpty()) {
            JavaCodeUnit unit = next.pop();
            targets(unit).forEach(called -> {
                String target = called.getOwner().getFullName() + "." + called.getName();
                String way = reached.get(unit) + " > ";
                if (isResolver(target)) {
                    found.add(way + target);
                    return;
                }
                if (!followed.add(called.getFullName())) {
                    return;
                }
                for (JavaCodeUnit code : code(called)) {
                    String title = title(code);
                    if (isBorder(title)) {
                        used.add(border(title));
                    } else if (reached.putIfAbsent(code, way + title) == null) {
                        next.add(code);
                    }
                }
            });
        }
        assertThat(found).isEmpty();
        assertThat(entries)
                .allSatisfy((entry, units) -> assertThat(units).as(entry).isGreaterThanOrEqualTo(ENTRIES.get(entry)));
        assertThat(used).as("borders that the walk comes to").isEqualTo(BORDERS.keySet());
    }
}
