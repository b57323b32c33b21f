package org.trainyard.experiments.papers.games;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.adversary.AdversarialTraining;
import org.trainyard.agents.learned.adversary.KnownGuarantees;
import org.trainyard.agents.learned.adversary.WorstCase;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InterruptionHint;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.report.TensorBoardWriter;
import org.trainyard.experiments.training.TrainingSession;

/**
 * The training run of a game: both players' updates, checkpoints, and metrics at the end. A resumed run ends with
 * the same bytes.
 */
record GameTraining(GameConfig config, RunDirectory directory) {

    /** Makes the remaining updates. */
    void run(boolean resume, PrintWriter out) {
        if (!resume) {
            directory.clear();
        }
        directory.makeCheckpoints();
        Path file = TrainingSession.trainer(directory);
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
        @Nullable WorstCase worst = training.worstCase();
        summary.put("guarantee", worst == null ? figures.guarantee() : worst.least());
        if (worst != null) {
            summary.put("worst_found", worst.found());
        }
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

    /** What known algorithms guarantee, and what no policy does, by its name. */
    private Map<String, Double> known() {
        Map<String, Double> named = new LinkedHashMap<>();
        @Nullable KnownGuarantees known = KnownGuarantees.of(config.game());
        if (known != null) {
            named.put("fixed_prices_by_formula", known.formula());
            named.put("best_fixed_prices", known.fixed());
            named.put("bound_of_any_policy", known.bound());
        }
        return named;
    }

    private void print(AdversarialTraining training, PrintWriter out) {
        AdversarialTraining.Figures figures = training.figures();
        TextTable table = new TextTable("expected welfare over the offline optimum", "ratio");
        table.add("adversary's sequences", TextTable.number("%.4f", figures.payoff()));
        @Nullable WorstCase worst = training.worstCase();
        if (worst == null) {
            table.add("worst sequence drawn or kept", TextTable.number("%.4f", figures.guarantee()));
        } else {
            table.add("worst sequence found", TextTable.number("%.4f", worst.found()));
            table.add("no sequence of all below", TextTable.number("%.4f", worst.least()));
        }
        if (training.isExact()) {
            table.add("best policy against the adversary", TextTable.number("%.4f", figures.bound()));
        }
        known().forEach((name, ratio) -> table.add(name.replace('_', ' '), TextTable.number("%.4f", ratio)));
        table.print(out);
        out.println("summary: %s".formatted(directory.summary()));
        out.flush();
    }
}
