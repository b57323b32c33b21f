package org.trainyard.agents.learned.inside;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.trainyard.gnn.cluster.GpuSet;
import org.trainyard.gnn.cluster.LinkMatrix;

/** Derivatives of the objective by the embeddings of sets of GPUs, summed by interior and mask. */
public final class SetSlopes {
    private final int size;
    private final Map<LinkMatrix, TreeMap<Long, float[]>> sums = new LinkedHashMap<>();

    /** @param size values of an embedding */
    public SetSlopes(int size) {
        this.size = size;
    }

    /** Sets all to 0. */
    public void clear() {
        sums.clear();
    }

    /** Adds to the derivatives by the embedding of a set, times a factor; of no GPUs nothing. */
    public void add(LinkMatrix links, long gpus, float factor, float[] from, int at) {
        if (gpus == 0) {
            return;
        }
        float[] sum = sums.computeIfAbsent(links, unknown -> new TreeMap<>())
                .computeIfAbsent(gpus, unknown -> new float[size]);
        for (int j = 0; j < size; j++) {
            sum[j] += factor * from[at + j];
        }
    }

    /** Adds all of another part. */
    void addAll(SetSlopes other) {
        other.sums.forEach((links, byMask) -> byMask.forEach((gpus, slopes) -> add(links, gpus, 1, slopes, 0)));
    }

    /** The sets with derivatives in ascending order of their sizes, the same however they were added. */
    List<GpuSet> sets() {
        List<LinkMatrix> interiors = new ArrayList<>(sums.keySet());
        interiors.sort(Comparator.naturalOrder());
        List<GpuSet> sets = new ArrayList<>();
        for (LinkMatrix links : interiors) {
            sums.getOrDefault(links, new TreeMap<>()).keySet().forEach(gpus -> sets.add(new GpuSet(links, gpus)));
        }
        sets.sort(Comparator.comparingInt(GpuSet::size));
        return sets;
    }

    /** The derivatives by the embeddings of these sets. */
    float[] of(List<GpuSet> sets) {
        float[] all = new float[sets.size() * size];
        int at = 0;
        for (GpuSet set : sets) {
            float[] sum = sums.getOrDefault(set.links(), new TreeMap<>()).getOrDefault(set.mask(), new float[size]);
            System.arraycopy(sum, 0, all, at, size);
            at += size;
        }
        return all;
    }
}
