package org.trainyard.interference.data;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;

/**
 * A profiling campaign in the simulator: random co-locations of known models on one server, measured with noise.
 *
 * @param profiles the models that take part
 * @param server the server they share; GPUs are dealt out in order, so jobs lie next to each other on its sockets
 * @param truth the interference model that is measured
 * @param noise standard deviation of the logarithm of a measurement, zero for none
 */
public record ProfilingCampaign(List<ModelProfile> profiles, ServerSpec server, InterferenceModel truth, double noise) {
    public ProfilingCampaign {
        profiles = List.copyOf(profiles);
        if (profiles.isEmpty()) {
            throw new IllegalArgumentException("a campaign needs at least one profile");
        }
        if (server.gpus() < 2) {
            throw new IllegalArgumentException("jobs cannot share a server of (%d) GPUs".formatted(server.gpus()));
        }
        if (!(noise >= 0) || Double.isInfinite(noise)) {
            throw new IllegalArgumentException("noise (%s) must be finite and not negative".formatted(noise));
        }
    }

    /** Random profiles with pressures and sensitivities drawn uniformly from 0..1; stream {@code campaign profiles}. */
    public static List<ModelProfile> drawProfiles(int count, long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "campaign profiles");
        List<ModelProfile> profiles = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            profiles.add(new ModelProfile("drawn-" + i, 1, 0, 1, pressure(random), pressure(random)));
        }
        return profiles;
    }

    private static Pressure pressure(RandomGenerator random) {
        return new Pressure(random.nextDouble(), random.nextDouble(), random.nextDouble());
    }

    /** Measures so many co-locations; stream {@code campaign}. Equal arguments give equal samples. */
    public List<InterferenceSample> measure(int samples, long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "campaign");
        Colocation row = new Colocation();
        List<InterferenceSample> measured = new ArrayList<>(samples);
        for (int i = 0; i < samples; i++) {
            InterferenceSample quiet = draw(random);
            quiet.fill(row);
            double slowdown = truth.slowdown(quiet.victim(), row) * Math.exp(noise * random.nextGaussian());
            measured.add(new InterferenceSample(
                    quiet.victim(),
                    quiet.serverGpus(),
                    quiet.victimGpus(),
                    quiet.victimSpansServers(),
                    quiet.neighbours(),
                    slowdown));
        }
        return measured;
    }

    private InterferenceSample draw(RandomGenerator random) {
        int victimGpus = 1 + random.nextInt(server.gpus() - 1);
        long victimSockets = sockets(0, victimGpus);
        List<InterferenceSample.Neighbour> neighbours = new ArrayList<>();
        int next = victimGpus;
        do {
            int gpus = 1 + random.nextInt(server.gpus() - next);
            boolean sharesSocket = (sockets(next, gpus) & victimSockets) != 0;
            neighbours.add(
                    new InterferenceSample.Neighbour(drawProfile(random), gpus, random.nextBoolean(), sharesSocket));
            next += gpus;
        } while (next < server.gpus() && random.nextBoolean());
        return new InterferenceSample(
                drawProfile(random), server.gpus(), victimGpus, random.nextBoolean(), neighbours, 1);
    }

    private ModelProfile drawProfile(RandomGenerator random) {
        return profiles.get(random.nextInt(profiles.size()));
    }

    private long sockets(int firstGpu, int gpus) {
        int perSocket = server.gpus() / server.sockets();
        long used = 0;
        for (int gpu = firstGpu; gpu < firstGpu + gpus; gpu++) {
            used |= 1L << (gpu / perSocket);
        }
        return used;
    }
}
