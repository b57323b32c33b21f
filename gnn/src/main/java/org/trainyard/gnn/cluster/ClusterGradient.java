package org.trainyard.gnn.cluster;

/**
 * {@link ClusterEncoder} over many data centres of one tree by plain arrays, forward and backward: nodes with equal rows
 * are one, racks that hear equal servers, too, and of the last round there are only the states that are asked for.
 *
 * <p>For each of N data centres at most: one round costs O((distinct rows + racks + asked servers) x hidden^2), every
 * further one O(nodes x hidden^2). Compared with the tensors of {@link ClusterEncoder} terms of sums are added in another
 * order, so the last digits differ.
 */
public final class ClusterGradient {
    /** What there is to be numbered: servers, racks, the core. */
    private static final int LEVELS = 3;

    private final ClusterEncoder.Settings settings;
    private final float[] gradient;
    private final LinearGradient[] inputs = new LinearGradient[LEVELS];
    /** By level: distinct rows, and the states that they have before all messages. */
    private final NodeStates[] rows = new NodeStates[LEVELS];

    private final NodeStates[] first = new NodeStates[LEVELS];
    private final int[] distinct = new int[LEVELS];
    /** By round. */
    private final MessageGradient[] rackHearsServers;

    private final MessageGradient[] coreHearsRacks;
    private final MessageGradient[] rackHearsCore;
    private final MessageGradient[] serverHearsRack;
    private final CentreStates centres;
    /** Of a flat encoder, the states of the cores. */
    private final NodeStates flat;

    private NodeStates servers;
    private NodeStates racks;
    private NodeStates cores;

    /** @param weights of the encoder, in the order of {@link org.trainyard.gnn.Parameters#values}; they may change */
    public ClusterGradient(ClusterEncoder.Settings settings, float[] weights) {
        this.settings = settings;
        int hidden = settings.hidden();
        gradient = new float[weights.length];
        int at = 0;
        for (int level = 0; level < LEVELS; level++) {
            int columns = settings.columns() + (level == 0 ? settings.inside() : 0);
            inputs[level] = new LinearGradient(weights, gradient, at, columns, hidden, true);
            at = inputs[level].end();
            rows[level] = new NodeStates(columns);
            first[level] = new NodeStates(hidden);
        }
        rackHearsServers = new MessageGradient[settings.rounds()];
        coreHearsRacks = new MessageGradient[settings.rounds()];
        rackHearsCore = new MessageGradient[settings.rounds()];
        serverHearsRack = new MessageGradient[settings.rounds()];
        int size = ArrayMessages.size(hidden);
        for (int i = 0; i < settings.rounds(); i++) {
            rackHearsServers[i] = new MessageGradient(weights, gradient, at, hidden);
            coreHearsRacks[i] = new MessageGradient(weights, gradient, at + size, hidden);
            rackHearsCore[i] = new MessageGradient(weights, gradient, at + 2 * size, hidden);
            serverHearsRack[i] = new MessageGradient(weights, gradient, at + 3 * size, hidden);
            at += 4 * size;
        }
        centres = new CentreStates(settings.rounds());
        flat = new NodeStates(hidden);
        servers = first[0];
        racks = first[1];
        cores = first[2];
    }

    /** Begins with data centres of a tree. */
    public void begin(ClusterTree tree) {
        centres.begin(tree);
    }

    /**
     * Sets the rows that nodes of a level have; their places are their numbers.
     *
     * @param level 0 for servers, 1 for racks, 2 for the core
     * @param all rows by column
     * @param which of these
     */
    public void setRows(int level, float[][] all, int[] which, int count) {
        distinct[level] = count;
        rows[level].begin(count);
        for (int c = 0; c < settings.columns(); c++) {
            take(all[c], which, rows[level].values()[c], count);
        }
    }

    private static void take(float[] all, int[] which, float[] into, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = all[which[i]];
        }
    }

    /** Sets the embedding of the free GPUs of the servers of a row, after {@link #setRows}. */
    public void setInside(int row, float[] inside) {
        for (int c = 0; c < inside.length; c++) {
            rows[0].values()[settings.columns() + c][row] = inside[c];
        }
    }

    /** Adds a data centre, given by node the number of its row; returns the number of the data centre. */
    public int addCentre(int[] rowOf) {
        return centres.add(rowOf);
    }

    /** Asks for the states of a server and of its rack of a data centre. */
    public void ask(int centre, int server) {
        centres.ask(centre, server);
    }

    /** Computes all states that were asked for, whose slopes are then 0, and those of all cores. */
    public void forward() {
        for (int level = 0; level < LEVELS; level++) {
            first[level].begin(distinct[level]);
            inputs[level].forwardRelu(rows[level].values(), distinct[level], first[level].values());
        }
        servers = first[0];
        racks = first[1];
        cores = first[2];
        if (settings.kind() == ClusterEncoder.Kind.FLAT) {
            centres.addMeans(servers, cores, flat);
            cores = flat;
        }
        for (int i = 0; i < settings.rounds(); i++) {
            boolean isLast = i == settings.rounds() - 1;
            racks = rackHearsServers[i].forward(racks, servers, centres.rise(i, i == 0));
            cores = coreHearsRacks[i].forward(cores, racks, centres.reach(i));
            racks = rackHearsCore[i].forward(racks, cores, centres.fall(i, isLast));
            servers = serverHearsRack[i].forward(servers, racks, centres.land(i, isLast));
        }
    }

    /** Adds to the gradient by the weights, from the slopes by the states of servers, racks and cores. */
    public void backward() {
        for (int i = settings.rounds() - 1; i >= 0; i--) {
            serverHearsRack[i].backward();
            rackHearsCore[i].backward();
            coreHearsRacks[i].backward();
            rackHearsServers[i].backward();
        }
        if (settings.kind() == ClusterEncoder.Kind.FLAT) {
            centres.scatterMeans(flat, first[0], first[2]);
        }
        for (int level = 0; level < LEVELS; level++) {
            LinearGradient.mask(first[level].slopes(), first[level].values(), distinct[level]);
            inputs[level].addGradient(first[level].slopes(), rows[level].values(), distinct[level]);
        }
        if (settings.inside() > 0) {
            inputs[0].slopes(first[0].slopes(), distinct[0], rows[0].slopes());
        }
    }

    /** Writes the slopes by the embedding of the free GPUs of a server's row after {@link #backward}. */
    public void slopesInside(int row, float[] into) {
        for (int c = 0; c < into.length; c++) {
            into[c] = rows[0].slopes()[settings.columns() + c][row];
        }
    }

    /** The states of servers, of which {@link #server} says which is that of a data centre's. */
    public NodeStates servers() {
        return servers;
    }

    public NodeStates racks() {
        return racks;
    }

    public NodeStates cores() {
        return cores;
    }

    /** The number of the state of a server that was asked for. */
    public int server(int centre, int server) {
        return centres.server(centre, server);
    }

    /** The number of the state of a rack of which a server was asked for. */
    public int rack(int centre, int rack) {
        return centres.rack(centre, rack);
    }

    /** The number of the state of the core of a data centre. */
    public int core(int centre) {
        return settings.kind() == ClusterEncoder.Kind.FLAT ? centre : centres.core(centre);
    }

    /** By weight, the sum of the derivatives; whoever wants another sum sets it to 0. */
    public float[] gradient() {
        return gradient;
    }
}
