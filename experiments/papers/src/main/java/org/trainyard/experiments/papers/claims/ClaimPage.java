package org.trainyard.experiments.papers.claims;

import java.util.List;

/** The page of all claims: a table of the weakest rows, then the other rows of each system with the command that makes them. */
public final class ClaimPage {
    private static final String HEAD = """
            # Claims of papers beside our figures

            What each repeated system claims, what it does here, and whether the claim holds. The first table has the weakest row of each
            system: the worst verdict, and of several such rows the one that lacks most of the claim, rows of figures of which nothing is
            claimed apart; below are the other rows. From best to worst: *met*: the whole interval of ours is as good as the published figure;
            *met, untrained too*: a FIFO with backfill, which learns nothing, meets it as well; *ahead, no figure claimed*: better for certain,
            and the paper has no figure that we know; *direction holds*: better for certain, but by less than published; *fitted*: our model
            was fitted to the published figures; *not comparable*: nothing is claimed, or something of another setting; *not met*: no better
            for certain.

                ./trainyard reproduce all [--quick] [--json]

            made the rows. Finished studies are kept under `--out` and not run again. The rows of `marl` are those of its last full run, which
            `reproduce marl` repeats. The page is generated (`reproduce all --markdown`). Of the page that ships, the rows of `adsp`,
            `adversarial`, `bgl`, `sbp`, `smd` and of `a-srpt` at load 0.7 with the forest were last made by `reproduce SYSTEM`; those of other
            systems and loads are older, and their verdicts are made anew from their figures.

            ## Headlines

            """;

    private ClaimPage() {}

    /** @param studies rows by system */
    public static String of(List<List<ClaimRow>> studies) {
        StringBuilder page = new StringBuilder(HEAD);
        page.append(ClaimTable.markdown(studies.stream().map(ClaimRow::weakest).toList()));
        for (List<ClaimRow> rows : studies) {
            page.append("\n## %s\n\n    %s\n"
                    .formatted(rows.get(0).system(), rows.get(0).command()));
            ClaimRow headline = ClaimRow.weakest(rows);
            List<ClaimRow> others =
                    rows.stream().filter(row -> !row.equals(headline)).toList();
            if (!others.isEmpty()) {
                page.append("\n").append(ClaimTable.markdown(others));
            }
        }
        return page.toString();
    }
}
