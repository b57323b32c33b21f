package org.trainyard.experiments.papers.claims;

import java.util.List;

/** The page of all claims: a table of the headlines, then the rows of each system with the command that makes them. */
public final class ClaimPage {
    private static final String HEAD = """
            # Claims of papers beside our figures

            What each repeated system claims, what it does here, and whether the claim holds. The first table has the headline of each system,
            or the weakest of several; below are all rows with the settings that differ. *Met*: the whole interval of ours is as good as the
            claim; *met, untrained too*: a FIFO with backfill, which learns nothing, meets it as well. *Direction holds*: better for certain,
            but not by as much. *Not comparable*: no figure is claimed, or one of another setting.

                ./trainyard reproduce all [--quick] [--json]

            made the rows. Finished studies are kept under `--out` and not run again. The rows of `marl` are those of its last full run, which
            `reproduce marl` repeats. The page is generated (`reproduce all --markdown`).

            ## Headlines

            """;

    private ClaimPage() {}

    /** @param studies rows by system, the headline first */
    public static String of(List<List<ClaimRow>> studies) {
        StringBuilder page = new StringBuilder(HEAD);
        page.append(
                ClaimTable.markdown(studies.stream().map(rows -> rows.get(0)).toList()));
        for (List<ClaimRow> rows : studies) {
            page.append("\n## %s\n\n    %s\n\n"
                    .formatted(rows.get(0).system(), rows.get(0).command()));
            page.append(ClaimTable.markdown(rows));
        }
        return page.toString();
    }
}
