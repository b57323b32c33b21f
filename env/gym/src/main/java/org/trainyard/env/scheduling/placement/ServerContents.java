package org.trainyard.env.scheduling.placement;

import java.util.Arrays;
import java.util.IdentityHashMap;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.JournalCursor;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;

/**
 * Inputs of the predictions of {@link InterferenceCost} on a server, as a hash: the revision of the belief, and the
 * models, GPUs and spans of its jobs. A hash is kept until the jobs of the server change.
 */
final class ServerContents {
    private final InterferenceModel belief;
    private final IdentityHashMap<ModelProfile, Integer> models = new IdentityHashMap<>();
    private int[] modelOf = new int[0];
    private JobSpec[] specOf = new JobSpec[0];
    /** By server, its hash. */
    private final long[] hashes;
    /** The {@link #epoch} at which that was made. */
    private final long[] madeIn;
    /** The changes of the server's jobs at which that was made. */
    private final int[] madeAfter;
    /** Grows whenever all hashes are out of date. */
    private long epoch;

    private final JournalCursor journal = new JournalCursor();
    private int revision;

    ServerContents(Topology topology, InterferenceModel belief) {
        this.belief = belief;
        hashes = new long[topology.servers()];
        madeIn = new long[topology.servers()];
        madeAfter = new int[topology.servers()];
    }

    /** The content for predictions on any GPUs of the server. */
    long of(SimView of, int server) {
        update(of);
        if (madeIn[server] != epoch || madeAfter[server] != of.cluster().changes(server)) {
            madeIn[server] = epoch;
            madeAfter[server] = of.cluster().changes(server);
            hashes[server] = hash(of, server);
        }
        return hashes[server];
    }

    /** Reads the events since the last call. O(1) when there are none. */
    void update(SimView of) {
        if (!isUpToDate(of)) {
            readJournal(of);
        }
    }

    /** Whether nothing has happened since the last {@link #update}. */
    boolean isUpToDate(SimView of) {
        return journal.isAtEnd(of) && belief.revision() == revision;
    }

    /** Changes, as of the last {@link #update}, whenever predictions on the server may; not negative. */
    long version(SimView of, int server) {
        return epoch << Integer.SIZE | of.cluster().changes(server);
    }

    /** Changes, as of the last {@link #update}, whenever predictions on all servers may. */
    long epoch() {
        return epoch;
    }

    /**
     * Begins an epoch where the {@linkplain JournalCursor reader begins anew}, when the belief changes and when the
     * model of a job does.
     */
    private void readJournal(SimView of) {
        boolean isAnew = journal.advance(of);
        epoch += isAnew || belief.revision() != revision ? 1 : 0;
        revision = belief.revision();
        for (int entry = journal.first(); entry < journal.end(); entry++) {
            epoch += of.journalKind(entry).changesRateOnly() ? 1 : 0;
        }
    }

    private long hash(SimView view, int server) {
        long hash = mix(2L * belief.revision(), view.topology().gpusOn(server));
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int job = view.cluster().jobOn(server, n);
            Placement placement = view.placement(job);
            long gpus =
                    placement.serverCount() == 1 ? placement.gpuCount() : placement.gpusOn(placement.indexOf(server));
            hash = mix(hash, ((long) model(view, job) << 20) | (gpus << 1) | (placement.serverCount() > 1 ? 1 : 0));
        }
        return hash;
    }

    /** The content for predictions on single GPUs of the server, which also depend on the GPUs that its jobs hold. */
    long byGpu(SimView view, int server) {
        long hash = mix(1 + 2L * belief.revision(), view.topology().gpusOn(server));
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int job = view.cluster().jobOn(server, n);
            Placement placement = view.placement(job);
            long mask = placement.maskOn(placement.indexOf(server));
            hash = mix(mix(hash, mask), ((long) model(view, job) << 1) | (placement.serverCount() > 1 ? 1 : 0));
        }
        return hash;
    }

    /**
     * The finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood: Fast splittable pseudorandom number generators, 2014).
     * The increment matters: contents are small numbers, and without it zero would be mapped to zero.
     */
    static long mix(long hash, long value) {
        long mixed = (hash ^ value) + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** A dense number of the job's model. Compares objects by identity, which only saves lookups in the map. */
    @SuppressWarnings("ReferenceEquality")
    int model(SimView view, int job) {
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
}
