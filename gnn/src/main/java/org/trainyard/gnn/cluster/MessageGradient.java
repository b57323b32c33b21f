package org.trainyard.gnn.cluster;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * {@link LevelMessages} over arrays by unit and node, and its derivatives. Messages and own terms are computed once for
 * each sender and hearer, however many new states need them: O((senders + hearers + new states) x hidden^2).
 */
final class MessageGradient {
    private final int hidden;
    private final LinearGradient message;
    private final LinearGradient self;
    private final LinearGradient heard;
    private final LayerNormGradient norm;
    private final NodeStates out;
    /** By sender; then by mean of messages, where hearers have several senders. */
    private float[][] sent;

    private float[][] sentSlopes;
    private float[][] means;
    private float[][] meanSlopes;
    /** Terms of means or of single messages, and of hearers, with the slopes by them. */
    private float[][] terms;

    private float[][] termSlopes;
    private float[][] own;
    private float[][] ownSlopes;
    /** By unit and new state: the sum of the terms. */
    private float[][] sums;

    private NodeStates hearers;
    private NodeStates senders;
    private Hearing hearing = new Hearing();

    /** Reads the weights at a place of all weights; {@link ArrayMessages#size} says where they end. */
    MessageGradient(float[] weights, float[] gradient, int at, int hidden) {
        this.hidden = hidden;
        message = new LinearGradient(weights, gradient, at, hidden, hidden, false);
        self = new LinearGradient(weights, gradient, message.end(), hidden, hidden, false);
        heard = new LinearGradient(weights, gradient, self.end(), hidden, hidden, false);
        norm = new LayerNormGradient(weights, gradient, heard.end(), hidden);
        out = new NodeStates(hidden);
        hearers = out;
        senders = out;
        sent = new float[hidden][0];
        sentSlopes = new float[hidden][0];
        means = new float[hidden][0];
        meanSlopes = new float[hidden][0];
        terms = new float[hidden][0];
        termSlopes = new float[hidden][0];
        own = new float[hidden][0];
        ownSlopes = new float[hidden][0];
        sums = new float[hidden][0];
    }

    /** The new states of those who hear others; overwritten by the next call. */
    NodeStates forward(NodeStates ofHearers, NodeStates ofSenders, Hearing whoHearsWhom) {
        hearers = ofHearers;
        senders = ofSenders;
        hearing = whoHearsWhom;
        int count = hearing.size();
        sent = NodeStates.room(sent, senders.size());
        message.forwardRelu(senders.values(), senders.size(), sent);
        int heardTerms = hearing.isSingle() ? senders.size() : count;
        terms = NodeStates.room(terms, heardTerms);
        if (hearing.isSingle()) {
            heard.forward(sent, heardTerms, terms);
        } else {
            means = NodeStates.room(means, count);
            for (int u = 0; u < hidden; u++) {
                hearing.mean(sent[u], means[u]);
            }
            heard.forward(means, count, terms);
        }
        own = NodeStates.room(own, hearers.size());
        self.forward(hearers.values(), hearers.size(), own);
        sums = NodeStates.room(sums, count);
        out.begin(count);
        int[] ofTerms = hearing.isSingle() ? hearing.senders() : null;
        for (int u = 0; u < hidden; u++) {
            add(own[u], hearing.hearers(), terms[u], ofTerms, sums[u], count);
            addRectified(hearers.values()[u], hearing.hearers(), sums[u], out.values()[u], count);
        }
        norm.forward(out.values(), count);
        return out;
    }

    private static void add(float[] a, int[] ofA, float[] b, int @Nullable [] ofB, float[] sums, int count) {
        for (int i = 0; i < count; i++) {
            sums[i] = a[ofA[i]] + b[ofB == null ? i : ofB[i]];
        }
    }

    private static void addRectified(float[] before, int[] of, float[] sums, float[] after, int count) {
        for (int i = 0; i < count; i++) {
            after[i] = before[of[i]] + Math.max(sums[i], 0);
        }
    }

    /** Takes the slopes by the new states to those by hearers and senders, and to the gradient by the weights. */
    void backward() {
        int count = hearing.size();
        float[][] slopes = out.slopes();
        norm.backward(slopes, count);
        int heardTerms = hearing.isSingle() ? senders.size() : count;
        termSlopes = NodeStates.room(termSlopes, heardTerms);
        ownSlopes = NodeStates.room(ownSlopes, hearers.size());
        NodeStates.clear(ownSlopes, hearers.size());
        int[] ofTerms = hearing.isSingle() ? hearing.senders() : null;
        for (int u = 0; u < hidden; u++) {
            scatter(slopes[u], hearing.hearers(), hearers.slopes()[u], count);
            zeroWhereNegative(slopes[u], sums[u], count);
            scatter(slopes[u], hearing.hearers(), ownSlopes[u], count);
            if (ofTerms == null) {
                System.arraycopy(slopes[u], 0, termSlopes[u], 0, count);
            } else {
                Arrays.fill(termSlopes[u], 0, heardTerms, 0);
                scatter(slopes[u], ofTerms, termSlopes[u], count);
            }
        }
        self.addGradient(ownSlopes, hearers.values(), hearers.size());
        self.addSlopes(ownSlopes, hearers.size(), hearers.slopes());
        backwardSent(heardTerms);
        LinearGradient.mask(sentSlopes, sent, senders.size());
        message.addGradient(sentSlopes, senders.values(), senders.size());
        message.addSlopes(sentSlopes, senders.size(), senders.slopes());
    }

    private void backwardSent(int heardTerms) {
        sentSlopes = NodeStates.room(sentSlopes, senders.size());
        if (hearing.isSingle()) {
            heard.addGradient(termSlopes, sent, heardTerms);
            heard.slopes(termSlopes, heardTerms, sentSlopes);
            return;
        }
        heard.addGradient(termSlopes, means, heardTerms);
        meanSlopes = NodeStates.room(meanSlopes, heardTerms);
        NodeStates.clear(sentSlopes, senders.size());
        heard.slopes(termSlopes, heardTerms, meanSlopes);
        for (int u = 0; u < hidden; u++) {
            hearing.scatterMean(meanSlopes[u], sentSlopes[u]);
        }
    }

    private static void zeroWhereNegative(float[] slopes, float[] sums, int count) {
        for (int i = 0; i < count; i++) {
            slopes[i] = sums[i] > 0 ? slopes[i] : 0;
        }
    }

    private static void scatter(float[] from, int[] of, float[] to, int count) {
        for (int i = 0; i < count; i++) {
            to[of[i]] += from[i];
        }
    }
}
