package org.trainyard.experiments.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.gym.registry.SchedulerRegistry;

/** Schedulers of the registry by the names that users give them. */
public final class Schedulers {
    /** How the names of schedulers in Python begin. */
    public static final String PYTHON = "python:";

    /** Schedulers that read the files of a manager. */
    private static final String FILES = "(slurm|kueue|volcano):.*";

    private Schedulers() {}

    /**
     * The scheduler of this name; for an unknown name the message has the place of the name and the nearest known name.
     */
    public static SchedulerRegistry.Entry named(String place, String name) {
        try {
            return SchedulerRegistry.named(name);
        } catch (InputException e) {
            if (SchedulerRegistry.isParsed(name) || name.startsWith(PYTHON)) {
                throw new InputException("%s: %s".formatted(place, e.getMessage()));
            }
            if (name.matches(FILES)) {
                // The error is in the files, and names its file and line.
                throw e;
            }
            List<String> known = new ArrayList<>(SchedulerRegistry.names());
            SchedulerRegistry.members().forEach(entry -> known.add(entry.name()));
            throw InputException.at(place, name, Nearest.oneOf(name, known));
        }
    }

    /** The schedulers of these names, each of which may be there once, by whatever name. */
    public static List<SchedulerRegistry.Entry> named(String place, List<String> names) {
        List<SchedulerRegistry.Entry> entries = new ArrayList<>();
        for (String name : names) {
            SchedulerRegistry.Entry entry = named(place, name.strip());
            if (entries.stream().anyMatch(one -> one.name().equals(entry.name()))) {
                throw InputException.at(place, name, "each scheduler once");
            }
            entries.add(entry);
        }
        return entries;
    }

    /**
     * The available ones of a config's schedulers. Where modules with schedulers are absent, names that no module
     * offers are left out, see {@link #absent}; otherwise all are available.
     */
    public static List<String> here(List<String> names) {
        return SchedulerRegistry.absentHomes().isEmpty()
                ? names
                : names.stream().filter(Schedulers::isHere).toList();
    }

    /** A sentence on the schedulers of a config that are left out, with the modules that are absent; or none. */
    public static List<String> absent(List<String> names) {
        List<String> left = new ArrayList<>(names);
        left.removeAll(here(names));
        return left.isEmpty()
                ? List.of()
                : List.of(Counted.say(
                        "%d of %d schedulers of the config are left out, for %s are not here: %s",
                        left.size(),
                        names.size(),
                        String.join(", ", SchedulerRegistry.absentHomes()),
                        String.join(", ", left)));
    }

    private static boolean isHere(String name) {
        try {
            SchedulerRegistry.named(name);
            return true;
        } catch (InputException e) {
            return false;
        }
    }

    /** The name that stands for {@link #all}. */
    public static final String ALL = "all";

    /** Every row of the registry, and the members of the tuned family that ship. */
    public static List<SchedulerRegistry.Entry> listed() {
        List<SchedulerRegistry.Entry> listed = new ArrayList<>(SchedulerRegistry.entries());
        listed.addAll(SchedulerRegistry.members());
        return listed;
    }

    /** Every scheduler of its own: no presets that replay other simulators, and no variants by placer. */
    public static List<SchedulerRegistry.Entry> all() {
        return SchedulerRegistry.entries().stream()
                .filter(entry -> !entry.replaysTrace() && !entry.name().contains("/"))
                .toList();
    }

    /**
     * Settings without effect in the files that these schedulers read, such as {@code slurm:PATH}, in lines that begin
     * with the name of the scheduler.
     */
    public static List<String> withoutEffect(List<SchedulerRegistry.Entry> entries) {
        List<String> lines = new ArrayList<>();
        for (SchedulerRegistry.Entry entry : entries) {
            String name = entry.name();
            if (name.matches(FILES)) {
                String always = SchedulerRegistry.named(name.substring(0, name.indexOf(':')))
                        .caveat();
                if (entry.caveat().length() > always.length()) {
                    lines.add(name + entry.caveat().substring(always.length()).replaceFirst(";", ":"));
                }
                entry.notes().forEach(note -> lines.add(name + ": " + note));
            }
        }
        return lines;
    }

    /**
     * Kind of the scheduler in a row of a table, in the words of {@code list schedulers}; null for rows of no scheduler
     * in the registry, such as a trained policy.
     */
    public static @Nullable String kind(String name) {
        if (name.contains(PYTHON)) {
            return SchedulerRegistry.Kind.PLUGIN.words();
        }
        try {
            // Without the files of a manager, which need not be read for it.
            return SchedulerRegistry.named(name.replaceFirst("^(slurm|kueue|volcano):.*", "$1"))
                    .kind()
                    .words();
        } catch (InputException e) {
            return null;
        }
    }

    /**
     * A line with the kinds of the schedulers in a table, such as {@code Rows by kind: our reading: a-srpt, hived.};
     * textbook orders and trained policies are left out. Empty for none.
     */
    public static String kinds(List<String> names) {
        Map<String, List<String>> byKind = new TreeMap<>();
        for (String name : names) {
            String kind = kind(name);
            if (kind != null && !kind.equals(SchedulerRegistry.Kind.UNRECORDED.words())) {
                byKind.computeIfAbsent(kind, one -> new ArrayList<>()).add(name);
            }
        }
        return byKind.isEmpty()
                ? ""
                : byKind.entrySet().stream()
                        .map(kind -> "%s: %s".formatted(kind.getKey(), String.join(", ", kind.getValue())))
                        .collect(Collectors.joining("; ", "Rows by kind: ", "."));
    }

    /** Caveats of these schedulers: the features of the original that ours lacks, a sentence each. */
    public static List<String> caveats(List<String> names) {
        return names.stream()
                .map(SchedulerRegistry::named)
                .filter(entry -> !entry.caveat().isEmpty())
                .map(entry -> entry.name() + ": " + entry.caveat())
                .toList();
    }
}
