package org.trainyard.experiments.prediction;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.interference.data.ProfilingCampaign;
import org.trainyard.interference.fit.PressureFile;
import org.trainyard.interference.fit.PressureFit;
import org.trainyard.interference.validation.FitErrors;

/** Fits an interference model to co-locations measured in the simulator and writes it to a folder. */
public final class SimulatedFit {
    private static final String FILE = "interference.json";

    private SimulatedFit() {}

    /**
     * Measures, fits, writes and prints the errors on held-out co-locations.
     *
     * @param samples co-locations to measure, at least 50
     * @param noise standard deviation of a measurement's logarithm, 0..1
     */
    public static void run(int samples, double noise, long seed, Path folder, PrintWriter out) {
        if (samples < 50) {
            throw InputException.at("--samples", samples, "at least 50");
        }
        if (!(noise >= 0 && noise <= 1)) {
            throw InputException.at("--noise", noise, "a number in 0..1");
        }
        ProfilingCampaign campaign = new ProfilingCampaign(
                ModelCatalog.standard().profiles(), ServerSpec.ofV100(8), AnalyticInterference.DEFAULT, noise);
        PressureFit.Fitted fitted = PressureFit.fit(campaign.measure(samples, seed), seed);
        AtomicFiles.makeFolder(folder);
        Path file = folder.resolve(FILE);
        AtomicFiles.write(file, PressureFile.json(fitted));
        FitErrors errors = fitted.errors();
        out.println("%s: fitted on %,d co-locations, judged on %,d others"
                .formatted(file, fitted.samples(), errors.samples()));
        out.println("          RMSE   MAPE   rank correlation");
        out.println("fitted    %.3f  %.1f %%  %.3f"
                .formatted(errors.rmse(), 100 * errors.mape(), errors.rankCorrelation()));
        out.println("the mean  %.3f  %.1f %%".formatted(errors.meanRmse(), 100 * errors.meanMape()));
    }
}
