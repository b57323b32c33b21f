package org.trainyard.env.workload.freezing;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The networks whose front layers can be frozen, by the name of a model.
 *
 * <p>Sources: (1) for bert and yolov3 the repository FrozenTraceAnalysis of gaow0007, in all likelihood IceFrog's first
 * author: the prefixes that were measured, parameters and (yolov3) operations in them, and bert's gradient statistics
 * on WikiText2 at batch 64. Its operations of bert do not add up, so that they are even over the layers, to which its
 * measured step times are linear (R² above 0.99). (2) For resnet18 on 32 x 32 and resnet50 on 224 x 224 pixels, the
 * sizes of the convolutions in K. He et al.: Deep residual learning for image recognition, CVPR 2016. Our own: (3)
 * every other model has twenty equal layers; (4) the gradient energy of all but bert is
 * {@link GradientEnergy.Converging}; (5) epochs, and drops of the learning rate of the residual networks at the usual
 * epochs.
 */
public final class FreezableNetworks {
    /**
     * Columns: name, models, layers and block, share of operations, share of parameters left, epochs, drops of the
     * learning rate.
     */
    private static final String TABLE = """
            bert     | bert pollux-bert           | 103 8 | 0.0777 0.1553 0.2330 0.3107 0.3883 0.4660 0.5437 0.6214 0.6990 | 0.7883 0.7353 0.6823 0.6293 0.5763 0.5233 0.4703 0.4173 0.3643 | 20 |
            yolov3   | pollux-yolov3              | 117 9 | 0.0978 0.1633 0.2577 0.3230 0.3914 0.4826 0.5509 0.6159 0.7102 | 0.9980 0.9951 0.9782 0.9665 0.9543 0.9223 0.8734 0.8269 0.7594 | 50 |
            resnet18 | resnet18 pollux-cifar10    | 18 2  | 0.0711 0.2071 0.3090 0.4487 0.5507 0.6904 0.7923 0.9320        | 0.9965 0.9899 0.9800 0.9529 0.9133 0.8047 0.6462 0.2118        | 60 | 0.5 0.75
            resnet50 | resnet50 pollux-imagenet   | 50 5  | 0.0980 0.1922 0.3241 0.4027 0.5346 0.6288 0.7074 0.8016 0.9335 | 0.9961 0.9913 0.9682 0.9521 0.8846 0.8075 0.7433 0.6662 0.2962 | 90 | 0.333 0.667
            """;

    /** Columns: progress, energy, shares of energy and of variance in 8, 16, ... 72 of 103 layers. */
    private static final String BERT = """
            0.25 | 4.634  | 0.0035 0.0086 0.0123 0.0155 0.0185 0.0217 0.0251 0.0290 0.0337 | 0.0028 0.0072 0.0106 0.0137 0.0170 0.0206 0.0250 0.0303 0.0372
            0.50 | 1.915  | 0.0024 0.0060 0.0086 0.0109 0.0131 0.0153 0.0178 0.0206 0.0240 | 0.0013 0.0033 0.0049 0.0065 0.0081 0.0100 0.0123 0.0154 0.0195
            0.75 | 0.8725 | 0.0023 0.0058 0.0083 0.0105 0.0126 0.0148 0.0172 0.0199 0.0232 | 0.0009 0.0023 0.0034 0.0045 0.0057 0.0071 0.0089 0.0113 0.0146
            1.00 | 0.4405 | 0.0023 0.0057 0.0082 0.0103 0.0124 0.0145 0.0168 0.0195 0.0228 | 0.0007 0.0019 0.0028 0.0037 0.0047 0.0060 0.0076 0.0097 0.0127
            """;

    private static final Set<String> EMBEDDINGS = Set.of("dlrm", "ncf", "pollux-ncf");
    private static final int EVEN_LAYERS = 20;
    private static final int EVEN_BLOCK = 2;
    private static final int EPOCHS = 50;
    private static final Map<String, FreezableNetwork> BY_MODEL = new HashMap<>();
    private static final FreezableNetwork EVEN = new FreezableNetwork(
            "even", LayerShares.even(EVEN_LAYERS, EVEN_BLOCK), GradientEnergy.Converging.DEFAULT, EPOCHS, List.of());

    static {
        TABLE.lines().forEach(FreezableNetworks::add);
    }

    private FreezableNetworks() {}

    private static void add(String row) {
        String[] cells = row.split("\\|", -1);
        String name = cells[0].strip();
        List<Double> sizes = numbers(cells[2]);
        int block = sizes.get(1).intValue();
        LayerShares shares = new LayerShares(
                sizes.get(0).intValue(),
                block,
                fromZero(numbers(cells[3])),
                fromZero(numbers(cells[4]).stream().map(left -> 1 - left).toList()));
        FreezableNetwork network = new FreezableNetwork(
                name,
                shares,
                name.equals("bert") ? measured(BERT, block) : GradientEnergy.Converging.DEFAULT,
                Integer.parseInt(cells[5].strip()),
                numbers(cells[6]));
        for (String model : cells[1].strip().split(" +", -1)) {
            BY_MODEL.put(model, network);
        }
    }

    private static GradientEnergy measured(String table, int block) {
        List<String[]> rows = table.lines().map(row -> row.split("\\|", -1)).toList();
        return new GradientEnergy.Measured(
                rows.stream().map(row -> numbers(row[0]).get(0)).toList(),
                rows.stream().map(row -> numbers(row[1]).get(0)).toList(),
                block,
                rows.stream().map(row -> numbers(row[2])).toList(),
                rows.stream().map(row -> numbers(row[3])).toList());
    }

    private static List<Double> fromZero(List<Double> shares) {
        Double[] all = new Double[shares.size() + 1];
        all[0] = 0.0;
        for (int i = 0; i < shares.size(); i++) {
            all[i + 1] = shares.get(i);
        }
        return List.of(all);
    }

    private static List<Double> numbers(String cell) {
        return cell.isBlank()
                ? List.of()
                : Arrays.stream(cell.strip().split(" +", -1))
                        .map(Double::valueOf)
                        .toList();
    }

    /** The network of a model of the catalogue; null for recommenders, which are embeddings for the most part. */
    public static @Nullable FreezableNetwork find(String model) {
        return EMBEDDINGS.contains(model) ? null : BY_MODEL.getOrDefault(model, EVEN);
    }
}
