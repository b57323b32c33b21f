package org.trainyard.experiments.papers.marl;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.trainyard.env.Counted;
import org.trainyard.experiments.evaluation.EpisodeSample;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.PairedComparison.Interval;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.Yardstick;

/**
 * A policy that was trained on a small cluster on a large one, as one agent that sees all of it and as sixteen that
 * decide apart, beside schedulers that never wait while there is room; and what an hour without answers costs either.
 */
final class MarlAtScale {
    private static final String AGENTS = ShippedMarl.AGENTS + " agents";
    private static final List<String> RIVALS = List.of("slurm", "easy", MarlRows.BAR);
    private static final String SILENCE = "environment.silent=[{agent: %d, from_hours: 5, hours: 1}]";

    private final MarlRuns runs;
    private final MarlRows rows;
    private final String gpus;
    private final EpisodeSample sample = EpisodeSample.independent(1);

    /** @param runs on a large cluster */
    MarlAtScale(MarlRuns runs, MarlRows rows) {
        this.runs = runs;
        this.rows = rows;
        gpus = Counted.say("%,d GPUs", runs.topology().gpus());
    }

    /** Sixteen agents and one against each of the rivals, and against each other. */
    List<ClaimRow> scale() {
        List<ClaimRow> made = new ArrayList<>();
        MarlRuns.Times apart = apart();
        MarlRuns.Times oneView = oneView();
        made.add(scale(AGENTS, apart, "one view", oneView.jct()));
        for (String rival : RIVALS) {
            double[] theirs = heuristic(rival);
            made.add(scale(AGENTS, apart, rival, theirs));
            made.add(scale("one view", oneView, rival, theirs));
        }
        return made;
    }

    private ClaimRow scale(String ours, MarlRuns.Times times, String rival, double[] theirs) {
        return rows.reduction(
                "scale: %s on %s, mean JCT below %s".formatted(ours, gpus, rival),
                new double[][] {times.jct()},
                new double[][] {theirs},
                Yardstick.NO_FIGURE,
                Counted.say(
                        "%s, trained on at most %d GPUs; %,.0f s and %,.0f s%s",
                        ShippedMarl.FOLDER,
                        ShippedMarl.TRAINED_GPUS,
                        Statistics.mean(times.jct()),
                        Statistics.mean(theirs),
                        theirs.length == 1 ? "; one episode" : ""),
                heuristic(MarlRows.BAR));
    }

    private double[] heuristic(String name) {
        return runs.heuristic(name, name, false, List.of());
    }

    /** The mean JCT and the mean wait with one agent of sixteen silent for an hour, and with the only agent. */
    List<ClaimRow> failure() {
        List<ClaimRow> made = new ArrayList<>();
        MarlRuns.Times one = runs.shipped(
                "one-silent", List.of("environment.domains=1", "environment.jobs=Shared", SILENCE.formatted(0)));
        MarlRuns.Times some = runs.shipped(
                "apart-silent",
                Stream.concat(ShippedMarl.APART.stream(), Stream.of(SILENCE.formatted(3)))
                        .toList());
        made.addAll(failure("one of " + AGENTS, some, apart()));
        made.addAll(failure("the only agent", one, oneView()));
        return made;
    }

    private List<ClaimRow> failure(String who, MarlRuns.Times silent, MarlRuns.Times answering) {
        String claim = "failure: %s silent for an hour on %s, ".formatted(who, gpus);
        PairedComparison jct = PairedComparison.of("silent", silent.jct(), "answering", answering.jct(), sample);
        double[] waits = new double[silent.waited().length];
        for (int i = 0; i < waits.length; i++) {
            waits[i] = silent.waited()[i] - answering.waited()[i];
        }
        return List.of(
                rows.figure(claim + "mean JCT", jct.mean(), "% of mean JCT", jct.interval(), ShippedMarl.FOLDER),
                rows.figure(
                        claim + "mean wait",
                        Statistics.mean(waits),
                        "s more",
                        waits.length < 2 ? null : Interval.ofMean(waits, sample),
                        "%,.0f s without the failure".formatted(Statistics.mean(answering.waited()))));
    }

    private MarlRuns.Times apart() {
        return runs.shipped("apart", ShippedMarl.APART);
    }

    private MarlRuns.Times oneView() {
        return runs.shipped("one", ShippedMarl.ONE_VIEW);
    }
}
