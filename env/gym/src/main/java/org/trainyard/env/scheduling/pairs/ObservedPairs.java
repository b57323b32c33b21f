package org.trainyard.env.scheduling.pairs;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.HashMap;
import java.util.Map;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.ModelProfile;

/**
 * A belief corrected by what jobs that share a GPU were seen to do: the predicted slowdown of a model beside another is
 * multiplied by the geometric mean of measured over believed slowdowns of such pairs so far, and by 1 before the first.
 * For one run, not for several threads.
 *
 * <p>Measuring packed jobs is Gandiva's introspection (W. Xiao et al.: Gandiva: introspective cluster scheduling for
 * deep learning, OSDI 2018); ours: (1) the measurement corrects a prediction instead of forbidding a pair; (2) a pair
 * is measured once, exactly, when it has been together for {@value #MEASURED_AFTER_SECONDS} s; (3) a GPU with more than
 * two jobs teaches nothing. The knowledge begins anew with every run.
 */
public final class ObservedPairs implements InterferenceModel {
    private static final long MEASURED_AFTER_SECONDS = 60;

    private final InterferenceModel belief;
    private final Map<String, Integer> models = new HashMap<>();
    /** By victim and neighbour: sum of the logarithms of measured over believed slowdowns. */
    private double[][] logSum = new double[0][0];
    /** By victim and neighbour: number of the measured slowdowns. */
    private int[][] count = new int[0][0];

    private final Colocation row = new Colocation();
    /** Jobs that have started beside another and are not yet measured. */
    private final IntArrayList started = new IntArrayList();
    /** Start times of the jobs in {@link #started}, nanoseconds. */
    private final LongArrayList startedNanos = new LongArrayList();

    private int seen;
    private int revision;
    /** Ordered pairs of models that were measured. */
    private int measured;
    /** The sum of the squared logarithms of their factors. */
    private double squares;

    /** @param belief of which nothing is known to be wrong yet */
    public ObservedPairs(InterferenceModel belief) {
        this.belief = belief;
    }

    @Override
    public int revision() {
        return revision;
    }

    /**
     * Measures the pairs that have run long enough. O(new events + jobs that started lately), amortised O(1) per event.
     */
    public void update(SimView view) {
        if (!view.cluster().isShared()) {
            return;
        }
        for (; seen < view.journalSize(); seen++) {
            if (view.journalKind(seen) == EventKind.START) {
                started.add(view.journalJob(seen));
                startedNanos.add(view.nowNanos());
            }
        }
        int kept = 0;
        for (int i = 0; i < started.size(); i++) {
            if (view.nowNanos() - startedNanos.getLong(i) >= MEASURED_AFTER_SECONDS * 1_000_000_000L) {
                measure(view, started.getInt(i));
            } else {
                started.set(kept, started.getInt(i));
                startedNanos.set(kept++, startedNanos.getLong(i));
            }
        }
        started.size(kept);
        startedNanos.size(kept);
    }

    private void measure(SimView view, int job) {
        if (view.state(job) != JobState.RUNNING || view.placement(job).gpuCount() != 1) {
            return;
        }
        int other = soleSharer(view, job);
        if (other != SimView.NONE && view.placement(other).gpuCount() == 1) {
            learn(view, job, other);
            learn(view, other, job);
        }
    }

    /** The one job on the same GPU, or {@link SimView#NONE} when there is none or several. */
    private static int soleSharer(SimView view, int job) {
        Placement placement = view.placement(job);
        int server = placement.server(0);
        int found = SimView.NONE;
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int other = view.cluster().jobOn(server, n);
            Placement there = view.placement(other);
            if (other != job && there.sharesGpuOn(server, placement)) {
                if (found != SimView.NONE) {
                    return SimView.NONE;
                }
                found = other;
            }
        }
        return found;
    }

    /** Corrects the factor of two models by what a job is slowed down by beside the one that shares its GPU. */
    private void learn(SimView view, int victim, int neighbour) {
        Placement placement = view.placement(victim);
        int server = placement.server(0);
        row.reset(view.topology().gpusOn(server), 1, false);
        row.addAllOn(server, victim, placement.maskOn(0), view);
        double believed = belief.slowdown(view.job(victim).model(), row);
        int v = number(view.job(victim).model());
        int n = number(view.job(neighbour).model());
        double before = logFactor(v, n);
        measured += count[v][n] == 0 ? 1 : 0;
        logSum[v][n] += Math.log(view.slowdown(victim) / believed);
        count[v][n]++;
        double after = logFactor(v, n);
        squares += after * after - before * before;
        if (Math.abs(after - before) > 1e-9) {
            revision++;
        }
    }

    private int number(ModelProfile model) {
        Integer known = models.get(model.name());
        if (known != null) {
            return known;
        }
        int next = models.size();
        models.put(model.name(), next);
        if (next >= count.length) {
            int size = Math.max(8, 2 * next);
            double[][] sums = new double[size][size];
            int[][] counts = new int[size][size];
            for (int i = 0; i < count.length; i++) {
                System.arraycopy(logSum[i], 0, sums[i], 0, logSum[i].length);
                System.arraycopy(count[i], 0, counts[i], 0, count[i].length);
            }
            logSum = sums;
            count = counts;
        }
        return next;
    }

    private double logFactor(int victim, int neighbour) {
        return count[victim][neighbour] == 0 ? 0 : logSum[victim][neighbour] / count[victim][neighbour];
    }

    @Override
    public double slowdown(ModelProfile victim, Colocation place) {
        double slowdown = belief.slowdown(victim, place);
        Integer v = models.get(victim.name());
        for (int n = 0; v != null && n < place.count(); n++) {
            Integer other = place.sharesGpu(n) ? models.get(place.model(n).name()) : null;
            slowdown *= other == null ? 1 : Math.exp(logFactor(v, other));
        }
        return Math.max(1, slowdown);
    }

    /**
     * How wrong the belief was: the root mean square of the logarithms of the factors of the pairs measured so far; 0
     * before the first.
     */
    public double error() {
        return measured == 0 ? 0 : Math.sqrt(Math.max(0, squares) / measured);
    }

    /** Whether a model's slowdown beside another was measured; both slowdowns of a pair are measured at once. */
    public boolean isMeasured(ModelProfile victim, ModelProfile neighbour) {
        Integer v = models.get(victim.name());
        Integer n = models.get(neighbour.name());
        return v != null && n != null && count[v][n] > 0;
    }

    /** Ordered pairs of models that were measured. */
    public int measured() {
        return measured;
    }
}
