package org.trainyard.experiments.training;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.agents.heuristic.admission.PriceThresholds;
import org.trainyard.agents.heuristic.admission.StopProbabilities;
import org.trainyard.agents.learned.adversary.AdversarialTraining;
import org.trainyard.agents.learned.adversary.AllocationGame;
import org.trainyard.experiments.config.yaml.ConfigWriter;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InterruptionHint;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.report.TensorBoardWriter;

/**
 * The training run of a game: both players' updates, checkpoints, and metrics at the end. A resumed run ends with
 * the same bytes.
 */
public record GameTraining(GameConfig config, RunDirectory directory) {

    /** Makes the remaining updates. */
    public void run(boolean resume, PrintWriter out) {
        if (!resume) {
            directory.clear();
        }
        directory.makeCheckpoints();
        Path file = directory.lastCheckpoint().resolve(TrainingRun.TRAINER);
        try (AdversarialTraining training = new AdversarialTraining(config.game(), config.adversary(), config.seed())) {
            if (resume) {
                training.load(file);
            }
            InterruptionHint hint = new InterruptionHint("interrupted; the same command with --resume continues");
            try {
                train(training, resume, file);
            } finally {
                hint.close();
            }
            AtomicFiles.write(directory.summary(), JsonText.pretty(summary(training)));
            print(training, out);
        }
    }

    private void train(AdversarialTraining training, boolean resume, Path file) {
        try (TensorBoardWriter board = resume
                        ? TensorBoardWriter.resume(directory.tensorboard(), training.updates() + 1L)
                        : TensorBoardWriter.start(directory.tensorboard());
                Progress progress = Progress.start("train", config.adversary().updates())) {
            progress.to(training.updates(), "");
            while (!training.isDone()) {
                training.update();
                if (training.isDone() || training.updates() % config.checkpointEvery() == 0) {
                    AdversarialTraining.Figures figures = training.figures();
                    training.save(file);
                    board.update(training.updates(), scalars(figures));
                    progress.to(training.updates(), "guarantee %.4f".formatted(figures.guarantee()));
                }
            }
        }
    }

    private static Map<String, Double> scalars(AdversarialTraining.Figures figures) {
        Map<String, Double> scalars = new LinkedHashMap<>();
        scalars.put("game/payoff", figures.payoff());
        scalars.put("game/guarantee", figures.guarantee());
        if (!Double.isNaN(figures.bound())) {
            scalars.put("game/bound", figures.bound());
        }
        return scalars;
    }

    private ObjectNode summary(AdversarialTraining training) {
        AdversarialTraining.Figures figures = training.figures();
        ObjectNode summary = JsonNodeFactory.instance.objectNode();
        summary.set("config", JsonText.tree(ConfigWriter.plain(config)));
        summary.put("exact", training.isExact());
        summary.put("payoff", figures.payoff());
        summary.put("guarantee", figures.guarantee());
        if (training.isExact()) {
            summary.put("bound", figures.bound());
        }
        known().forEach(summary::put);
        ArrayNode hard = summary.putArray("hard_sequences");
        for (int[] sequence : training.hardSequences()) {
            ArrayNode values = hard.addArray();
            for (int request : sequence) {
                values.addObject()
                        .put("units", config.game().demand(request))
                        .put("value", config.game().value(request));
            }
        }
        return summary;
    }

    /**
     * What theory guarantees for requests of one unit: with deterministic prices, and with the best lottery over
     * the prices of one unit.
     */
    private Map<String, Double> known() {
        AllocationGame game = config.game();
        Map<String, Double> known = new LinkedHashMap<>();
        if (game.demands().equals(List.of(1))) {
            List<Double> values = game.values();
            known.put(
                    "deterministic_guarantee",
                    1
                            / PriceThresholds.optimal(game.units(), values.get(0), values.get(values.size() - 1))
                                    .competitiveRatio());
            if (game.units() == 1) {
                double[] levels = values.stream().mapToDouble(value -> value).toArray();
                known.put("optimal_guarantee", new StopProbabilities(levels).guarantee());
            }
        }
        return known;
    }

    private void print(AdversarialTraining training, PrintWriter out) {
        AdversarialTraining.Figures figures = training.figures();
        TextTable table = new TextTable("expected welfare over the offline optimum", "ratio");
        table.add("adversary's sequences", TextTable.number("%.4f", figures.payoff()));
        table.add(
                training.isExact() ? "worst sequence of all" : "worst sequence drawn or kept",
                TextTable.number("%.4f", figures.guarantee()));
        if (training.isExact()) {
            table.add("best policy against the adversary", TextTable.number("%.4f", figures.bound()));
        }
        known().forEach((name, ratio) -> table.add(name.replace('_', ' '), TextTable.number("%.4f", ratio)));
        table.print(out);
        out.println("summary: %s".formatted(directory.summary()));
        out.flush();
    }
}
