package org.trainyard.env.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Layer profiles computed from the published architectures of six models.
 *
 * <p>Parameters follow from the shapes: BERT-large (J. Devlin et al., 2019), GPT-2 XL (A. Radford et al., 2019),
 * XLNet-large (Z. Yang et al., 2019), GNMT (Y. Wu et al., 2016), VGG-19 (K. Simonyan, A. Zisserman, 2015) and ResNet-50
 * (K. He et al., 2016); all numbers have 4 bytes. Assumed: (1) 10 TFLOP/s, which the V100 profile of BERT in DAPPLE's
 * repository reaches forward; (2) a backward pass takes twice as long as the forward pass; (3) a layer keeps its
 * output, and recomputes everything else; (4) GNMT's sentences have 50 tokens.
 */
public final class ModelArchitectures {
    private static final double FLOPS = 10e12;
    private static final double BYTES = 4;
    private static final Map<String, LayerProfile> PROFILES = new TreeMap<>();

    static {
        transformer("bert-large", 24, 1024, 512, 30522 + 512 + 2, 0, 4, false);
        transformer("gpt2-xl", 48, 1600, 1024, 50257 + 1024, 0, 1, true);
        transformer("xlnet-large", 24, 1024, 512, 32000, 1, 4, true);
        gnmt();
        vgg19();
        resnet50();
    }

    private ModelArchitectures() {}

    /** The names, sorted. */
    public static List<String> names() {
        return List.copyOf(PROFILES.keySet());
    }

    /** The profile of a name, in any case, or null. */
    public static @Nullable LayerProfile find(String name) {
        return PROFILES.get(name.toLowerCase(Locale.ROOT));
    }

    /** Collects the layers of one model. */
    private static final class Builder {
        private final int batch;
        private final List<Layer> layers = new ArrayList<>();

        Builder(int batch) {
            this.batch = batch;
        }

        /** @param outputs numbers of one sample */
        Builder layer(String name, double multiplyAdds, double outputs, double parameters) {
            double forward = 2 * multiplyAdds * batch / FLOPS;
            layers.add(new Layer(name, forward, 2 * forward, BYTES * outputs * batch, BYTES * parameters));
            return this;
        }

        void add(String name) {
            PROFILES.put(name, new LayerProfile(name, batch, layers));
        }
    }

    /**
     * @param extraProjections square matrices of a block beyond twelve
     * @param predicts whether the output is projected to the vocabulary, by the weights of the embedding
     */
    private static void transformer(
            String name,
            int blocks,
            int width,
            int tokens,
            int rows,
            int extraProjections,
            int batch,
            boolean predicts) {
        double square = (double) width * width;
        double outputs = (double) tokens * width;
        Builder builder = new Builder(batch).layer("embedding", 0, outputs, (double) rows * width);
        double matrices = (12 + extraProjections) * square;
        double attention = 2.0 * tokens * tokens * width;
        for (int i = 0; i < blocks; i++) {
            builder.layer("block" + i, tokens * matrices + attention, outputs, matrices + 13.0 * width);
        }
        double head = predicts ? (double) tokens * rows * width : square;
        builder.layer("head", head, predicts ? tokens : width, predicts ? 0 : square)
                .add(name);
    }

    private static void gnmt() {
        int width = 1024;
        int tokens = 50;
        int vocabulary = 32320;
        double outputs = (double) tokens * width;
        double table = (double) vocabulary * width;
        Builder builder = new Builder(64).layer("encoder embedding", 0, outputs, table);
        for (int i = 0; i < 8; i++) {
            double inputs = i == 1 ? 2 * width : width;
            double directions = i == 0 ? 2 : 1;
            lstm(builder, "encoder" + i, tokens, width, inputs, directions);
        }
        builder.layer("decoder embedding", 0, 2 * outputs, table);
        builder.layer(
                "attention", outputs * width * 2 + 2.0 * tokens * tokens * width, 2 * outputs, 2.0 * width * width);
        for (int i = 0; i < 8; i++) {
            lstm(builder, "decoder" + i, tokens, width, 2 * width, 1);
        }
        builder.layer("classifier", tokens * table, tokens, table + vocabulary).add("gnmt");
    }

    private static void lstm(Builder builder, String name, int tokens, int width, double inputs, double directions) {
        double weights = directions * 4 * width * (inputs + width);
        builder.layer(name, tokens * weights, directions * tokens * width, weights + directions * 8 * width);
    }

    private static void vgg19() {
        int[][] groups = {{64, 2, 224}, {128, 2, 112}, {256, 4, 56}, {512, 4, 28}, {512, 4, 14}};
        Builder builder = new Builder(32);
        int inputs = 3;
        for (int[] group : groups) {
            for (int i = 0; i < group[1]; i++) {
                boolean pools = i == group[1] - 1;
                double pixels = (double) group[2] * group[2];
                double weights = 9.0 * inputs * group[0];
                String name = "conv%d_%d".formatted(group[2], i);
                builder.layer(name, pixels * weights, pixels * group[0] / (pools ? 4 : 1), weights + group[0]);
                inputs = group[0];
            }
        }
        builder.layer("fc6", 25088.0 * 4096, 4096, 25088.0 * 4096 + 4096)
                .layer("fc7", 4096.0 * 4096, 4096, 4096.0 * 4096 + 4096)
                .layer("fc8", 4096.0 * 1000, 1000, 4096.0 * 1000 + 1000)
                .add("vgg19");
    }

    private static void resnet50() {
        int[][] groups = {{64, 3, 56}, {128, 4, 28}, {256, 6, 14}, {512, 3, 7}};
        Builder builder = new Builder(64);
        builder.layer("conv1", 112.0 * 112 * 49 * 3 * 64, 56.0 * 56 * 64, 49.0 * 3 * 64 + 128);
        int inputs = 64;
        for (int[] group : groups) {
            for (int i = 0; i < group[1]; i++) {
                double narrow = group[0];
                double wide = 4 * narrow;
                double pixels = (double) group[2] * group[2];
                double reduce = inputs * narrow;
                double rest = 9 * narrow * narrow + narrow * wide;
                double shortcut = i == 0 ? inputs * wide : 0;
                // The first convolution of a group's first block still sees the larger image.
                double before = i == 0 && group[0] > 64 ? 4 * pixels : pixels;
                double norms = 2 * (2 * narrow + wide) + (i == 0 ? 2 * wide : 0);
                builder.layer(
                        "block%d_%d".formatted(group[0], i),
                        before * reduce + pixels * (rest + shortcut),
                        pixels * wide,
                        reduce + rest + shortcut + norms);
                inputs = 4 * group[0];
            }
        }
        builder.layer("fc", 2048.0 * 1000, 1000, 2048.0 * 1000 + 1000).add("resnet50");
    }
}
