package org.trainyard.experiments.papers.studies;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.ClaimTable;

/** All studies, and runs of them that keep the rows of each in a file, so that a run that was stopped goes on. */
public final class Studies {
    /** The name of all of them. */
    public static final String ALL = "all";

    private static final List<Study> STUDIES = List.of(
            new StoredMarlStudy("marl"),
            new ASrptStudy("a-srpt"),
            new SjfBcoStudy("sjf-bco"),
            new DallyLeaseStudy("dally"),
            PlannerStudy.SPP,
            PlannerStudy.DAPPLE,
            UtilityStudy.GADGET,
            UtilityStudy.SMD,
            UtilityStudy.PD_ORS,
            PlannerStudy.SBP,
            new BglStudy("bgl"),
            new AdspStudy("adsp"),
            new AdversarialAllocationStudy("adversarial"),
            new IceFrogStudy("icefrog"));

    private Studies() {}

    /** The systems, in the order of the table. */
    public static List<String> systems() {
        return STUDIES.stream().map(Study::system).toList();
    }

    /**
     * The rows of each study of papers' claims.
     *
     * @param name of a system, or {@link #ALL}
     * @param folder for the rows of finished studies, which are read and not run again
     * @param began is told the system of each study before it runs
     */
    public static List<List<ClaimRow>> run(String name, StudyRun run, Path folder, Consumer<String> began) {
        return run(chosen("reproduce", STUDIES, name), run, folder, began);
    }

    /** The studies of this name, or all. */
    public static <S extends Study> List<S> chosen(String command, List<S> studies, String name) {
        List<S> chosen = studies.stream()
                .filter(study -> name.equals(ALL) || study.system().equals(name))
                .toList();
        if (chosen.isEmpty()) {
            throw InputException.at(
                    command,
                    name,
                    "%s, or one of %s"
                            .formatted(ALL, studies.stream().map(Study::system).collect(Collectors.joining(", "))));
        }
        return chosen;
    }

    /** The rows of these studies; those of finished ones are read and not run again. */
    public static List<List<ClaimRow>> run(
            List<? extends Study> chosen, StudyRun run, Path folder, Consumer<String> began) {
        List<List<ClaimRow>> all = new ArrayList<>();
        for (Study study : chosen) {
            Path kept = folder.resolve(study.system() + (run.isQuick() ? "-quick.json" : ".json"));
            if (!Files.isRegularFile(kept)) {
                began.accept(study.system());
                AtomicFiles.write(kept, ClaimTable.json(study.rows(run)));
            }
            all.add(rows(kept));
        }
        return all;
    }

    private static List<ClaimRow> rows(Path kept) {
        try {
            return ClaimTable.read(InputFiles.text(kept));
        } catch (IllegalArgumentException e) {
            throw InputException.at(
                    kept.toString(),
                    String.valueOf(e.getMessage()),
                    "rows of this version; without the file they are made");
        }
    }
}
