package org.trainyard.interference.fit;

import java.util.List;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.interference.data.InterferenceSample;
import org.trainyard.interference.data.ProfilingCampaign;

/** How the shipped model was made. */
final class ShippedPressure {
    private static final long SEED = 20260101;

    private ShippedPressure() {}

    /** 40 made-up models on servers of 8 V100s, disturbed by the analytic physics, measured with a noise of 3 %. */
    static ProfilingCampaign campaign(long profileSeed, double noise) {
        return new ProfilingCampaign(
                ProfilingCampaign.drawProfiles(40, profileSeed),
                ServerSpec.ofV100(8),
                AnalyticInterference.DEFAULT,
                noise);
    }

    static PressureFit.Fitted fit() {
        List<InterferenceSample> samples = campaign(SEED, 0.03).measure(5000, SEED);
        return PressureFit.fit(samples, SEED);
    }
}
