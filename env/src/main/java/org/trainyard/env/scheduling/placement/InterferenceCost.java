package org.trainyard.env.scheduling.placement;

import java.util.Arrays;
import java.util.IdentityHashMap;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;

/**
 * What a belief says of putting a gang's workers on a server: its own slowdown there, and the harm it does to who is there already.
 *
 * <p>Servers that hold equal jobs give equal answers, so answers are kept by content: (models, GPUs and spans of who is there; model, workers
 * and span of the newcomer). What depends on time, how long neighbours will stay, is worked out anew.
 */
public final class InterferenceCost {
    private static final int KEPT = 1 << 14;

    private final InterferenceModel belief;
    private final Colocation row = new Colocation();
    /** The content whose answer is kept at each place; a new answer displaces the old one there. */
    private final long[] keys = new long[KEPT];
    /** Own slowdown, then every neighbour's extra slowdown in the order in which they are listed. */
    private final double[] answers;

    private final int answerSize;
    private final IdentityHashMap<ModelProfile, Integer> models = new IdentityHashMap<>();
    private int[] modelOf = new int[0];
    private JobSpec[] specOf = new JobSpec[0];
    private double own;
    private double harm;

    public InterferenceCost(Topology topology, InterferenceModel belief) {
        this.belief = belief;
        answerSize = 1 + topology.widestServer();
        answers = new double[KEPT * answerSize];
    }

    /** Works out {@link #own} and {@link #harm} of putting so many workers of the job on the server. */
    public void of(SimView view, int job, int server, int workers, boolean spans) {
        int neighbours = view.cluster().jobsOn(server);
        if (neighbours == 0) {
            own = 1;
            harm = 0;
            return;
        }
        long key =
                mix(content(view, server), ((long) model(view, job) << 20) | ((long) workers << 1) | (spans ? 1 : 0));
        int place = (int) (key >>> 40) & (KEPT - 1);
        int at = place * answerSize;
        if (keys[place] != key) {
            keys[place] = key;
            ask(view, job, server, workers, spans, at);
        }
        own = answers[at];
        harm = 0;
        double stay = ResidualTimeFloor.seconds(view, job);
        for (int n = 0; n < neighbours; n++) {
            double extra = answers[at + 1 + n];
            if (extra > 0) {
                harm += extra
                        * Math.min(
                                1,
                                ResidualTimeFloor.seconds(view, view.cluster().jobOn(server, n)) / stay);
            }
        }
    }

    /** Slowdown of the newcomer, at least 1. */
    public double own() {
        return own;
    }

    /** Extra slowdown of every neighbour, weighted by the part of the newcomer's run time that the neighbour will still be there. */
    public double harm() {
        return harm;
    }

    private long content(SimView view, int server) {
        long hash = mix(0, view.topology().gpusOn(server));
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int job = view.cluster().jobOn(server, n);
            Placement placement = view.placement(job);
            long gpus =
                    placement.serverCount() == 1 ? placement.gpuCount() : placement.gpusOn(placement.indexOf(server));
            hash = mix(hash, ((long) model(view, job) << 20) | (gpus << 1) | (placement.serverCount() > 1 ? 1 : 0));
        }
        return hash;
    }

    /**
     * The finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood: Fast splittable pseudorandom number generators, 2014). Contents are small
     * numbers: without its increment, which keeps zero from staying zero, different ones would meet.
     */
    private static long mix(long hash, long value) {
        long mixed = (hash ^ value) + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** A small number for the job's model. Of the same object, not of an equal one: this is only to ask the map less often. */
    @SuppressWarnings("ReferenceEquality")
    private int model(SimView view, int job) {
        JobSpec spec = view.job(job);
        if (job >= modelOf.length) {
            modelOf = Arrays.copyOf(modelOf, Math.max(64, 2 * job));
            specOf = Arrays.copyOf(specOf, modelOf.length);
        }
        if (specOf[job] != spec) {
            specOf[job] = spec;
            Integer known = models.get(spec.model());
            modelOf[job] = known == null ? models.size() : known;
            if (known == null) {
                models.put(spec.model(), modelOf[job]);
            }
        }
        return modelOf[job];
    }

    private void ask(SimView view, int job, int server, int workers, boolean spans, int at) {
        ModelProfile model = view.job(job).model();
        int size = view.topology().gpusOn(server);
        int neighbours = view.cluster().jobsOn(server);
        row.reset(size, workers, spans);
        row.addAllOn(server, SimView.NONE, view);
        answers[at] = belief.slowdown(model, row);
        for (int n = 0; n < neighbours; n++) {
            int victim = view.cluster().jobOn(server, n);
            Placement placement = view.placement(victim);
            row.reset(size, placement.gpusOn(placement.indexOf(server)), placement.serverCount() > 1);
            row.addAllOn(server, victim, view);
            double before = belief.slowdown(view.job(victim).model(), row);
            row.add(model, workers, spans, true);
            answers[at + 1 + n] = belief.slowdown(view.job(victim).model(), row) - before;
        }
    }
}
