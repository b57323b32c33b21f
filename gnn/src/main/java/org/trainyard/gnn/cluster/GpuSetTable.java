package org.trainyard.gnn.cluster;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The embeddings of sets of GPUs by interior and mask, each computed when it is first asked for: interiors do not
 * change, so they hold as long as the weights do. For several threads, which all find the same numbers.
 */
public final class GpuSetTable {
    /** GPUs of the widest interior whose sets have an array. */
    private static final int MOST_BITS = 12;

    private final GpuSetEncoder.Settings settings;
    private final float[] weights;
    private final ThreadLocal<GpuSetForwardPass> pass;
    private final List<LinkMatrix> interiors = new CopyOnWriteArrayList<>();
    /** By interior and mask; of interiors of many GPUs, in a map. */
    private final List<AtomicReferenceArray<float[]>> embeddings = new CopyOnWriteArrayList<>();

    private final List<Map<Long, float[]>> wide = new CopyOnWriteArrayList<>();
    private final float[] none;

    /** @param weights of the encoder, copied; in the order of {@link org.trainyard.gnn.Parameters#values} */
    public GpuSetTable(GpuSetEncoder.Settings settings, float[] weights) {
        this.settings = settings;
        this.weights = weights.clone();
        none = new float[settings.size()];
        pass = ThreadLocal.withInitial(() -> new GpuSetForwardPass(settings, this.weights));
        pass.get();
    }

    /** Values of an embedding. */
    public int size() {
        return settings.size();
    }

    /** The number of an interior, for {@link #embedding}. */
    public synchronized int number(LinkMatrix interior) {
        int known = interiors.indexOf(interior);
        if (known >= 0) {
            return known;
        }
        embeddings.add(new AtomicReferenceArray<>(interior.gpus() > MOST_BITS ? 0 : 1 << interior.gpus()));
        wide.add(new ConcurrentHashMap<>());
        interiors.add(interior);
        return interiors.size() - 1;
    }

    /** The embedding of a set of GPUs, not to be changed; all 0 for no GPUs. */
    public float[] embedding(int interior, long mask) {
        if (mask == 0) {
            return none;
        }
        AtomicReferenceArray<float[]> known = embeddings.get(interior);
        if (known.length() == 0) {
            return wide.get(interior).computeIfAbsent(mask, unknown -> compute(interior, mask));
        }
        float[] embedding = known.get((int) mask);
        if (embedding == null) {
            embedding = compute(interior, mask);
            known.set((int) mask, embedding);
        }
        return embedding;
    }

    private float[] compute(int interior, long mask) {
        return pass.get().embedding(interiors.get(interior), mask);
    }
}
