package org.trainyard.gnn.cluster;

import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The forward pass of {@link ClusterEncoder} on one data centre over plain arrays, for playing: without tensors,
 * without allocation, and without what has not changed since the pass before. For nodes with the same row it keeps the
 * results of the input layer and of the first round's linear layers. O(servers x hidden^2) for each later round; with
 * one round O(racks x hidden), and O(hidden^2) for every rack that has changed, or of which a server is asked for.
 */
public final class ClusterForwardPass {
    private static final float[] NOTHING = {};

    private final ClusterEncoder.Settings settings;
    private final ClusterTree tree;
    private final int hidden;
    private final ArrayLinear[] inputs = new ArrayLinear[3];
    private final ArrayMessages[] serverToRack;
    private final ArrayMessages[] rackToCore;
    private final ArrayMessages[] coreToRack;
    private final ArrayMessages[] rackToServer;
    private final int[] seen;
    /** Number of the pass, and by server that of the last in which its embedding was completed. */
    private long pass;

    private final long[] completed;
    /** By node, the results of the input layer; by server, messages and own terms of the first round. */
    private final float[] first;

    private final float[] firstSent;
    private final float[] firstOwn;
    private final float[] states;
    private final float[] message;
    private final float[] term;
    private final float[] own;
    /** By rack. */
    private final float[] atRack;

    /** Whether there is one round, of which what belongs to a rack is kept until one of its nodes changes. */
    private final boolean isOneRound;

    private final int[][] serversOf;
    private final boolean[] isChanged;
    /**
     * By rack, its state when it has heard its servers, its message to the core, and its own term beside that of the
     * core.
     */
    private final float[] risen;

    private final float[] toCore;
    private final float[] besideCore;
    private final float[] fromCore;
    /** By rack, the last pass in which it has heard the core. */
    private final long[] heardCore;

    /** @param weights of the encoder, copied; in the order of {@link org.trainyard.gnn.Parameters#values} */
    public ClusterForwardPass(ClusterEncoder.Settings settings, float[] weights, ClusterTree tree) {
        if (weights.length != settings.weights()) {
            throw new IllegalArgumentException(
                    "there are (%d) weights, not (%d)".formatted(settings.weights(), weights.length));
        }
        this.settings = settings;
        this.tree = tree;
        hidden = settings.hidden();
        int at = 0;
        for (int level = 0; level < inputs.length; level++) {
            int columns = settings.columns() + (level == 0 ? settings.inside() : 0);
            inputs[level] = new ArrayLinear(weights, at, columns, hidden, true);
            at += hidden * columns + hidden;
        }
        serverToRack = new ArrayMessages[settings.rounds()];
        rackToCore = new ArrayMessages[settings.rounds()];
        coreToRack = new ArrayMessages[settings.rounds()];
        rackToServer = new ArrayMessages[settings.rounds()];
        for (int i = 0; i < settings.rounds(); i++) {
            serverToRack[i] = new ArrayMessages(weights, at, hidden);
            at += ArrayMessages.size(hidden);
            rackToCore[i] = new ArrayMessages(weights, at, hidden);
            at += ArrayMessages.size(hidden);
            coreToRack[i] = new ArrayMessages(weights, at, hidden);
            at += ArrayMessages.size(hidden);
            rackToServer[i] = new ArrayMessages(weights, at, hidden);
            at += ArrayMessages.size(hidden);
        }
        seen = new int[tree.nodes()];
        completed = new long[tree.servers()];
        first = new float[tree.nodes() * hidden];
        firstSent = new float[tree.servers() * hidden];
        firstOwn = new float[tree.servers() * hidden];
        states = new float[tree.nodes() * hidden];
        message = new float[hidden];
        term = new float[hidden];
        own = new float[hidden];
        atRack = new float[tree.racks() * hidden];
        isOneRound = settings.rounds() == 1 && settings.kind() != ClusterEncoder.Kind.FLAT;
        serversOf = new int[tree.racks()][];
        for (int rack = 0; rack < serversOf.length; rack++) {
            int wanted = rack;
            serversOf[rack] = IntStream.range(0, tree.servers())
                    .filter(server -> tree.rackOf(server) == wanted)
                    .toArray();
        }
        isChanged = new boolean[tree.racks()];
        risen = new float[tree.racks() * hidden];
        toCore = new float[tree.racks() * hidden];
        besideCore = new float[tree.racks() * hidden];
        fromCore = new float[hidden];
        heardCore = new long[tree.racks()];
    }

    /**
     * The embeddings of all nodes, H each, overwritten by the next pass; those of servers and of their racks hold after
     * {@link #complete} alone: with one round, the work left for a rack and a server does not depend on the others.
     *
     * @param rows of all nodes
     * @param versions by node, a number above 0 that changes when its row or the free GPUs do
     * @param insides by server, the embedding of its free GPUs, which is asked for when the version has changed
     */
    public float[] update(float[] rows, int[] versions, IntFunction<float[]> insides) {
        boolean isAnyChanged = false;
        for (int node = 0; node < seen.length; node++) {
            if (seen[node] != versions[node]) {
                seen[node] = versions[node];
                enter(node, rows, node < tree.servers() ? insides.apply(node) : NOTHING);
                isAnyChanged = true;
                if (node < tree.nodes() - 1) {
                    isChanged[node < tree.servers() ? tree.rackOf(node) : node - tree.servers()] = true;
                }
            }
        }
        if (isAnyChanged && isOneRound) {
            pass++;
            passOnce();
        } else if (isAnyChanged) {
            pass++;
            System.arraycopy(first, 0, states, 0, states.length);
            if (settings.kind() == ClusterEncoder.Kind.FLAT) {
                addMeanToCore();
            }
            for (int round = 0; round < settings.rounds(); round++) {
                rise(round);
                fall(round);
            }
        }
        return states;
    }

    /** Completes the embedding of a server after {@link #update}. */
    public void complete(int server) {
        int last = settings.rounds() - 1;
        if (last < 0 || completed[server] == pass) {
            return;
        }
        completed[server] = pass;
        if (isOneRound) {
            completeRack(tree.rackOf(server));
            System.arraycopy(first, server * hidden, states, server * hidden, hidden);
        }
        hear(server, last);
    }

    /** The one round up to what the core says to the racks. */
    private void passOnce() {
        for (int rack = 0; rack < isChanged.length; rack++) {
            if (isChanged[rack]) {
                isChanged[rack] = false;
                raise(rack);
            }
        }
        int core = (tree.nodes() - 1) * hidden;
        System.arraycopy(first, core, states, core, hidden);
        Arrays.fill(atRack, 0, hidden, 0);
        for (int i = 0; i < toCore.length; i += hidden) {
            for (int j = 0; j < hidden; j++) {
                atRack[j] += toCore[i + j] / tree.racks();
            }
        }
        rackToCore[0].heard(atRack, 0, term, 0);
        update(rackToCore[0], core, term, 0);
        coreToRack[0].sent(states, core, message, 0);
        coreToRack[0].heard(message, 0, fromCore, 0);
    }

    /** A rack hears its servers, and prepares what it says to the core and what it has beside the answer. */
    private void raise(int rack) {
        int at = rack * hidden;
        float share = 1f / tree.serversIn(rack);
        Arrays.fill(message, 0);
        for (int server : serversOf[rack]) {
            for (int j = 0; j < hidden; j++) {
                message[j] += share * firstSent[server * hidden + j];
            }
        }
        serverToRack[0].heard(message, 0, term, 0);
        System.arraycopy(first, rackAt(rack), risen, at, hidden);
        serverToRack[0].own(risen, at, own, 0);
        serverToRack[0].update(risen, at, own, 0, term, 0);
        rackToCore[0].sent(risen, at, toCore, at);
        coreToRack[0].own(risen, at, besideCore, at);
    }

    /** A rack hears the core, and says to its servers what they hear. */
    private void completeRack(int rack) {
        if (heardCore[rack] != pass) {
            heardCore[rack] = pass;
            int at = rack * hidden;
            System.arraycopy(risen, at, states, rackAt(rack), hidden);
            coreToRack[0].update(states, rackAt(rack), besideCore, at, fromCore, 0);
            rackToServer[0].sent(states, rackAt(rack), message, 0);
            rackToServer[0].heard(message, 0, atRack, at);
        }
    }

    private void enter(int node, float[] rows, float[] inside) {
        int level = node < tree.servers() ? 0 : node < tree.servers() + tree.racks() ? 1 : 2;
        inputs[level].applyRelu(rows, node * settings.columns(), inside, first, node * hidden);
        if (level == 0 && settings.rounds() > 0) {
            serverToRack[0].sent(first, node * hidden, firstSent, node * hidden);
            rackToServer[0].own(first, node * hidden, firstOwn, node * hidden);
        }
    }

    private void addMeanToCore() {
        int core = (tree.nodes() - 1) * hidden;
        for (int server = 0; server < tree.servers(); server++) {
            for (int j = 0; j < hidden; j++) {
                states[core + j] += first[server * hidden + j] / tree.servers();
            }
        }
    }

    /** Racks hear their servers, then the core hears the racks. */
    private void rise(int round) {
        Arrays.fill(atRack, 0);
        for (int server = 0; server < tree.servers(); server++) {
            float[] from = firstSent;
            int at = server * hidden;
            if (round > 0) {
                serverToRack[round].sent(states, at, message, 0);
                from = message;
                at = 0;
            }
            int rack = tree.rackOf(server);
            float share = 1f / tree.serversIn(rack);
            for (int j = 0; j < hidden; j++) {
                atRack[rack * hidden + j] += share * from[at + j];
            }
        }
        for (int rack = 0; rack < tree.racks(); rack++) {
            serverToRack[round].heard(atRack, rack * hidden, term, 0);
            update(serverToRack[round], rackAt(rack), term, 0);
        }
        hearRacks(round);
    }

    private int rackAt(int rack) {
        return (tree.servers() + rack) * hidden;
    }

    private void hearRacks(int round) {
        ArrayMessages up = rackToCore[round];
        Arrays.fill(atRack, 0, hidden, 0);
        for (int rack = 0; rack < tree.racks(); rack++) {
            up.sent(states, rackAt(rack), message, 0);
            for (int j = 0; j < hidden; j++) {
                atRack[j] += message[j] / tree.racks();
            }
        }
        up.heard(atRack, 0, term, 0);
        update(up, (tree.nodes() - 1) * hidden, term, 0);
    }

    /** Racks hear the core, then servers hear their racks. */
    private void fall(int round) {
        ArrayMessages down = coreToRack[round];
        down.sent(states, (tree.nodes() - 1) * hidden, message, 0);
        down.heard(message, 0, term, 0);
        ArrayMessages last = rackToServer[round];
        for (int rack = 0; rack < tree.racks(); rack++) {
            update(down, rackAt(rack), term, 0);
            last.sent(states, rackAt(rack), message, 0);
            last.heard(message, 0, atRack, rack * hidden);
        }
        for (int server = 0; server < tree.servers() && round < settings.rounds() - 1; server++) {
            hear(server, round);
        }
    }

    /** A server hears its rack. */
    private void hear(int server, int round) {
        int rack = tree.rackOf(server) * hidden;
        if (round == 0) {
            rackToServer[0].update(states, server * hidden, firstOwn, server * hidden, atRack, rack);
        } else {
            update(rackToServer[round], server * hidden, atRack, rack);
        }
    }

    private void update(ArrayMessages messages, int hearer, float[] heard, int heardAt) {
        messages.own(states, hearer, own, 0);
        messages.update(states, hearer, own, 0, heard, heardAt);
    }
}
