package org.trainyard.agents.linkestimates;

import java.util.function.LongToDoubleFunction;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.ServerInterior;

/**
 * MAPA's scores of a set of GPUs: bandwidth of NCCL as its authors predict it, of the best ring, from the kinds of its
 * links; the sum of bandwidth along that ring; and the sum over all NVLinks of a set ({@code Mapa} has the source). The
 * coefficients are those of the authors' program, fitted on a DGX-1V.
 */
public final class MapaPrediction {
    private static final double DOUBLE_LINK = 40;
    /** Number of GPUs beyond which there are too many rings to walk. */
    private static final int MOST_GPUS = 10;

    private static final double LEAST = 1;

    private final ServerInterior interior;
    private double best;

    /** A prediction for sets of a server's GPUs; not for several threads. */
    public MapaPrediction(ServerInterior interior) {
        this.interior = interior;
    }

    /** The prediction as a belief, at least {@value #LEAST} GB/s. */
    public static LongToDoubleFunction belief(ServerInterior interior) {
        if (!interior.isSwitched() && interior.gpus() > MOST_GPUS) {
            throw InputException.at(
                    "bandwidths",
                    "mapa",
                    Counted.say(
                            "another belief where %s joins %d GPUs by single links: MAPA walks all rings",
                            interior.name(), interior.gpus()));
        }
        return set -> Math.max(LEAST, new MapaPrediction(interior).predicted(set));
    }

    /** The greatest predicted bandwidth of a ring over at least two GPUs. */
    public double predicted(long set) {
        best = Double.NEGATIVE_INFINITY;
        walk(set, true);
        return best;
    }

    /** The greatest sum of bandwidth along a ring, GB/s; a pair counts its link twice, one GPU has none. */
    public double alongRing(long set) {
        if (Long.bitCount(set) < 2) {
            return 0;
        }
        best = 0;
        walk(set, false);
        return best;
    }

    /** The bandwidth of all NVLinks between GPUs of a set, GB/s. */
    public double nvlinks(long set) {
        double sum = 0;
        for (long left = set; left != 0; left &= left - 1) {
            int a = Long.numberOfTrailingZeros(left);
            for (long others = left & (left - 1); others != 0; others &= others - 1) {
                sum += interior.nvlink(a, Long.numberOfTrailingZeros(others));
            }
        }
        return sum;
    }

    private void walk(long set, boolean predicts) {
        int first = Long.numberOfTrailingZeros(set);
        if (interior.isSwitched()) {
            // All rings are alike.
            finishUniform(Long.bitCount(set), predicts);
            return;
        }
        walk(first, first, set & (set - 1), new int[3], 0, predicts);
    }

    private void finishUniform(int gpus, boolean predicts) {
        double link = interior.nvlink(0, 1);
        double each = link > 0 ? link : interior.pcie(0, 1);
        best = predicts ? predict(link > 0 ? gpus : 0, 0, link > 0 ? 0 : gpus) : gpus * each;
    }

    /** Goes on along a ring that has passed so many double links, single links and PCIe, with this sum of bandwidth. */
    private void walk(int first, int last, long left, int[] kinds, double sum, boolean predicts) {
        if (left == 0) {
            int kind = kind(last, first);
            kinds[kind]++;
            double score = predicts ? predict(kinds[0], kinds[1], kinds[2]) : sum + bandwidth(last, first);
            best = Math.max(best, score);
            kinds[kind]--;
            return;
        }
        for (long next = left; next != 0; next &= next - 1) {
            int gpu = Long.numberOfTrailingZeros(next);
            int kind = kind(last, gpu);
            kinds[kind]++;
            walk(first, gpu, left & ~(1L << gpu), kinds, sum + bandwidth(last, gpu), predicts);
            kinds[kind]--;
        }
    }

    private int kind(int a, int b) {
        double link = interior.nvlink(a, b);
        if (link == 0) {
            return 2;
        }
        return link >= DOUBLE_LINK ? 0 : 1;
    }

    private double bandwidth(int a, int b) {
        double link = interior.nvlink(a, b);
        return link > 0 ? link : interior.pcie(a, b);
    }

    /** Bandwidth from the numbers of links along a ring, GB/s. */
    public static double predict(double doubles, double singles, double pcie) {
        double each = 16.39670455 * doubles + 4.536821878 * singles + 1.55623404 * pcie;
        double inverses = -20.69484581 / (doubles + 1) - 9.467461958 / (singles + 1) + 7.615106783 / (pcie + 1);
        double pairs = -7.973335727 * doubles * singles + 12.73323772 * singles * pcie - 4.195655221 * doubles * pcie;
        double inversePairs = -8.413419363 / (doubles * singles + 1)
                + 62.85125807 / (singles * pcie + 1)
                + 27.41832588 / (doubles * pcie + 1);
        double all = doubles * singles * pcie;
        return each + inverses + pairs + inversePairs - 5.114108079 * all - 46.97390071 / (all + 1);
    }
}
