package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.trainyard.agents.learned.inside.IntraNodeEncoder;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;
import org.trainyard.gnn.cluster.GpuSet;
import org.trainyard.gnn.cluster.GpuSetEncoder;
import org.trainyard.gnn.cluster.GpuSetTable;
import org.trainyard.gnn.cluster.LinkMatrix;

/** The level inside servers in tensors: embeddings of the sets of GPUs that a minibatch needs, each set once. */
final class SetTensors {
    private final IntraNodeEncoder level;
    private final GpuSetEncoder encoder;
    private final Map<LinkMatrix, Map<Long, Integer>> numbers = new HashMap<>();
    private final List<GpuSet> sets = new ArrayList<>();

    /** Creates the weights. */
    SetTensors(Parameters parameters, IntraNodeEncoder level) {
        this.level = level;
        encoder = level.layers(parameters);
    }

    /** Forgets all sets. */
    void begin() {
        numbers.clear();
        sets.clear();
    }

    /** The row of a set in {@link #embeddings}; that of no GPUs is 0. */
    int number(LinkMatrix links, long gpus) {
        if (gpus == 0) {
            return 0;
        }
        return numbers.computeIfAbsent(links, any -> new HashMap<>()).computeIfAbsent(gpus, any -> {
            sets.add(new GpuSet(links, gpus));
            return sets.size();
        });
    }

    /**
     * The embeddings of all sets that have numbers, {@code [sets + 1, size]}; with gradients where the level learns.
     */
    NDArray embeddings(NDManager scope) {
        int size = level.settings().size();
        if (!level.learns() || sets.isEmpty()) {
            float[] values = new float[(sets.size() + 1) * size];
            GpuSetTable table = level.table();
            for (int set = 0; set < sets.size(); set++) {
                float[] known = table.embedding(
                        table.number(sets.get(set).links()), sets.get(set).mask());
                System.arraycopy(known, 0, values, (set + 1) * size, size);
            }
            return Tensors.copyOf(values, new Shape(sets.size() + 1L, size), scope);
        }
        // The encoder wants the sets in the order of their sizes.
        int[] order = IntStream.range(0, sets.size())
                .boxed()
                .sorted(Comparator.comparingInt(set -> sets.get(set).size()))
                .mapToInt(Integer::intValue)
                .toArray();
        List<GpuSet> ascending = IntStream.of(order).mapToObj(sets::get).toList();
        SparseRows back = new SparseRows();
        IntStream.range(0, order.length).forEach(row -> back.add(order[row] + 1, row, 1));
        return back.of(encoder.encode(ascending, scope), sets.size() + 1, scope);
    }
}
