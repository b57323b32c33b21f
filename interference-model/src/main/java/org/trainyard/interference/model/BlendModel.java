package org.trainyard.interference.model;

import java.util.List;

/** The mean of two models: their errors differ, so that of the mean is smaller. */
public record BlendModel(PairModel first, PairModel second) implements PairModel {
    @Override
    public double[] ratios(List<Pair> pairs) {
        double[] a = first.ratios(pairs);
        double[] b = second.ratios(pairs);
        for (int i = 0; i < a.length; i++) {
            a[i] = (a[i] + b[i]) / 2;
        }
        return a;
    }
}
