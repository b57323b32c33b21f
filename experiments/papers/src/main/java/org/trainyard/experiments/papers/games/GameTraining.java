package org.trainyard.experiments.papers.games;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.adversary.AdversarialTraining;
import org.trainyard.agents.learned.adversary.KnownGuarantees;
import org.trainyard.agents.learned.adversary.WorstCase;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InterruptionHint;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.report.TensorBoardWriter;
import org.trainyard.experiments.training.TrainingSession;

/**
 * The training run of a game: both players' updates, checkpoints, and metrics at the end. A resumed run ends with the
 * same bytes.
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

    /** {@code summary.json}; figures that are not known are left out. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Summary(
            Object config,
            boolean exact,
            double payoff,
            double guarantee,
            @Nullable Double worstFound,
            @Nullable Double bound,
            @JsonUnwrapped @Nullable Known known,
            List<List<Request>> hardSequences) {}

    private record Request(int units, double value) {}

    /** Guarantees of known algorithms, and the bound that no policy exceeds. */
    private record Known(double fixedPricesByFormula, double bestFixedPrices, double boundOfAnyPolicy) {}

    private Summary summary(AdversarialTraining training) {
        AdversarialTraining.Figures figures = training.figures();
        @Nullable WorstCase worst = training.worstCase();
        return new Summary(
                ConfigWriter.plain(config),
                training.isExact(),
                figures.payoff(),
                worst == null ? figures.guarantee() : worst.least(),
                worst == null ? null : worst.found(),
                training.isExact() ? figures.bound() : null,
                known(),
                training.hardSequences().stream().map(this::requests).toList());
    }

    private List<Request> requests(int[] sequence) {
        return Arrays.stream(sequence)
                .mapToObj(request ->
                        new Request(config.game().demand(request), config.game().value(request)))
                .toList();
    }

    private @Nullable Known known() {
        @Nullable KnownGuarantees known = KnownGuarantees.of(config.game());
        return known == null ? null : new Known(known.formula(), known.fixed(), known.bound());
    }

    private void print(AdversarialTraining training, PrintWriter out) {
        AdversarialTraining.Figures figures = training.figures();
        Map<String, Double> ratios = new LinkedHashMap<>();
        ratios.put("adversary's sequences", figures.payoff());
        @Nullable WorstCase worst = training.worstCase();
        if (worst == null) {
            ratios.put("worst sequence drawn or kept", figures.guarantee());
        } else {
            ratios.put("worst sequence found", worst.found());
            ratios.put("no sequence of all below", worst.least());
        }
        if (training.isExact()) {
            ratios.put("best policy against the adversary", figures.bound());
        }
        @Nullable Known known = known();
        if (known != null) {
            ratios.put("fixed prices by formula", known.fixedPricesByFormula());
            ratios.put("best fixed prices", known.bestFixedPrices());
            ratios.put("bound of any policy", known.boundOfAnyPolicy());
        }
        new Answer()
                .table(AnswerTable.of(ratios.entrySet())
                        .text("expected welfare over the offline optimum", Map.Entry::getKey)
                        .number("ratio", "%.4f", Map.Entry::getValue))
                .say("summary: %s".formatted(directory.summary()))
                .print(out);
        out.flush();
    }
}
