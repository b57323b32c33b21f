package org.trainyard.experiments.training;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.ExperimentEvaluation;
import org.trainyard.experiments.evaluation.RunRecording;
import org.trainyard.experiments.io.InterruptionHint;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.report.EpisodesAnswer;
import org.trainyard.experiments.report.ResultFiles;
import org.trainyard.experiments.report.RunReport;
import org.trainyard.experiments.report.VerdictColours;
import org.trainyard.experiments.run.Experiment;

/**
 * One training run and the evaluation of its policy. Closes the experiment, but not the folder.
 *
 * @param directory folder of the run
 * @param goOn whether to resume from its last checkpoint
 */
public record TrainingSession(Experiment experiment, RunDirectory directory, boolean goOn) implements AutoCloseable {

    /** The state of the trainer at the last checkpoint, from which a run is resumed. */
    public static Path trainer(RunDirectory directory) {
        return directory.lastCheckpoint().resolve(TrainingRun.TRAINER);
    }

    /** Whether there is a checkpoint to resume from. */
    public static boolean isResumable(RunDirectory directory) {
        return Files.isRegularFile(trainer(directory));
    }

    /** Whether training and evaluation are finished. */
    public static boolean isFinished(RunDirectory directory) {
        return isResumable(directory) && Files.exists(directory.summary());
    }

    /**
     * Whether a run goes on from the last checkpoint in its folder, if there is one.
     *
     * @throws InputException when the run is unfinished and the user chose neither to resume nor to replace it
     */
    public static boolean goesOn(RunDirectory directory, boolean resume, boolean replace) {
        if (isResumable(directory) && !isFinished(directory) && !resume && !replace) {
            throw new InputException("%s: holds an unfinished run of this configuration: expected --resume or --replace"
                    .formatted(directory.root()));
        }
        return isResumable(directory) && !replace;
    }

    @Override
    public void close() {
        experiment.close();
    }

    /** Trains and compares, and tells whoever interrupts it how to go on. */
    public void run(PrintWriter out) {
        out.println(Counted.say(
                "%s on %s, %d agents; everything goes to %s",
                experiment.config().name(),
                experiment.topology(),
                experiment.domains().count(),
                directory.root()));
        experiment.remarks().forEach(remark -> out.println("note: " + remark));
        out.flush();

        InterruptionHint hint = new InterruptionHint("interrupted; the same command with --resume continues");
        try {
            trainAndCompare(out);
        } finally {
            // What fails says so itself, and was not interrupted.
            hint.close();
        }
    }

    /** Trains and compares; returns the geometric mean JCT of the policy kept on the validation episodes, seconds. */
    public double trainAndCompare(PrintWriter out) {
        if (goOn) {
            Provenance.requireUnchanged(experiment.config(), directory.bestCheckpoint());
        } else {
            directory.clear();
        }
        try (TrainingRun run = new TrainingRun(experiment, directory)) {
            run.train(goOn);
            compare(run, out);
            return run.bestValidation();
        } catch (InputException e) {
            directory.releaseIfUnused();
            throw e;
        }
    }

    private void compare(TrainingRun run, PrintWriter out) {
        ExperimentConfig settings = experiment.config();
        List<String> schedulers = Schedulers.here(settings.schedulers());
        ExperimentEvaluation tested = ExperimentEvaluation.of(
                experiment,
                new ExperimentEvaluation.Plan(
                        Map.of(ExperimentEvaluation.LEARNED, run.best().trained()), null, schedulers, false));
        Evaluation evaluation = tested.evaluation();
        List<String> remarks = new ArrayList<>(experiment.remarks());
        remarks.add(run.summary());
        remarks.addAll(Schedulers.absent(settings.schedulers()));
        remarks.addAll(Schedulers.caveats(schedulers));
        RunReport report = new RunReport(
                RunReport.Subject.of(settings),
                evaluation,
                null,
                remarks,
                run.curves(),
                List.of(),
                RunRecording.Timelines.NONE);
        ResultFiles.write(directory, report, run.timing(tested.timing()));
        out.println(run.summary());
        Schedulers.absent(settings.schedulers()).forEach(line -> out.println("note: " + line));
        out.println();
        VerdictColours.print(new EpisodesAnswer(evaluation).brief(), out);
        out.println("report: %s".formatted(directory.report()));
        out.flush();
    }
}
