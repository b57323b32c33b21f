package org.trainyard.interference.fit;

import java.nio.file.Path;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.interference.measured.MeasuredWorld;
import org.trainyard.interference.model.InterferenceFiles;

/** The interference models that measurements give to a simulation or an agent. */
public final class MeasuredModels implements InterferenceFiles {
    @Override
    public InterferenceModel shipped() {
        return (victim, place) -> Shipped.MODEL.slowdown(victim, place);
    }

    /** Reading it takes longer than a short simulation whose schedulers never ask. */
    private static final class Shipped {
        static final InterferenceModel MODEL = new LearnedInterference(FittedFiles.shipped());
    }

    @Override
    public InterferenceModel read(Path folder) {
        return new LearnedInterference(FittedFiles.read("belief", folder));
    }

    @Override
    public Path file(Path folder) {
        return folder.resolve(FittedFiles.MODEL);
    }

    @Override
    public Law law(Path file) {
        return MeasuredWorld.read(file);
    }
}
