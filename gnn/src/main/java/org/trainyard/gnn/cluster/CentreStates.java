package org.trainyard.gnn.cluster;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Which states the nodes of many data centres of one tree have: by node of each, the number of its present state. Every
 * step of a round of messages gives new numbers; nodes with equal states that hear equal ones keep one number between
 * them where that is cheap to tell.
 */
final class CentreStates {
    /** The four steps of each round. */
    private final Hearing[] risen;

    private final Hearing[] reached;
    private final Hearing[] fallen;
    private final Hearing[] landed;
    private ClusterTree tree = new ClusterTree(new int[1]);
    /** By rack, its servers. */
    private int[][] serversOf = {};

    private int centres;
    private int[] serverAt = {};
    private int[] rackAt = {};
    private int[] coreAt = {};
    private boolean[] isServerAsked = {};
    private boolean[] isRackAsked = {};

    CentreStates(int rounds) {
        risen = hearings(rounds);
        reached = hearings(rounds);
        fallen = hearings(rounds);
        landed = hearings(rounds);
    }

    private static Hearing[] hearings(int rounds) {
        return IntStream.range(0, rounds).mapToObj(i -> new Hearing()).toArray(Hearing[]::new);
    }

    /** Begins with no data centre. */
    void begin(ClusterTree newTree) {
        if (newTree != tree) {
            tree = newTree;
            serversOf = new int[tree.racks()][];
            for (int rack = 0; rack < serversOf.length; rack++) {
                int wanted = rack;
                serversOf[rack] = IntStream.range(0, tree.servers())
                        .filter(server -> tree.rackOf(server) == wanted)
                        .toArray();
            }
        }
        centres = 0;
    }

    /** Adds a data centre with the states of its nodes; returns its number. */
    int add(int[] stateOf) {
        int s = tree.servers();
        int r = tree.racks();
        if (coreAt.length == centres || serverAt.length < (centres + 1) * s || rackAt.length < (centres + 1) * r) {
            int room = 2 * centres + 16;
            serverAt = Arrays.copyOf(serverAt, room * s);
            rackAt = Arrays.copyOf(rackAt, room * r);
            coreAt = Arrays.copyOf(coreAt, room);
            isServerAsked = Arrays.copyOf(isServerAsked, room * s);
            isRackAsked = Arrays.copyOf(isRackAsked, room * r);
        }
        System.arraycopy(stateOf, 0, serverAt, centres * s, s);
        System.arraycopy(stateOf, s, rackAt, centres * r, r);
        coreAt[centres] = stateOf[s + r];
        Arrays.fill(isServerAsked, centres * s, (centres + 1) * s, false);
        Arrays.fill(isRackAsked, centres * r, (centres + 1) * r, false);
        return centres++;
    }

    /** Asks for the last state of a server and of its rack. */
    void ask(int centre, int server) {
        isServerAsked[centre * tree.servers() + server] = true;
        isRackAsked[centre * tree.racks() + tree.rackOf(server)] = true;
    }

    /** Racks hear their servers. */
    Hearing rise(int round, boolean findsEqual) {
        Hearing hearing = risen[round];
        hearing.begin(false);
        for (int centre = 0; centre < centres; centre++) {
            for (int rack = 0; rack < serversOf.length; rack++) {
                int at = centre * serversOf.length + rack;
                int from = centre * tree.servers();
                rackAt[at] = findsEqual
                        ? hearing.addOnce(rackAt[at], serverAt, from, serversOf[rack])
                        : hearing.addAll(rackAt[at], serverAt, from, serversOf[rack]);
            }
        }
        return hearing;
    }

    /** Cores hear their racks. */
    Hearing reach(int round) {
        Hearing hearing = reached[round];
        hearing.begin(false);
        int[] all = IntStream.range(0, serversOf.length).toArray();
        for (int centre = 0; centre < centres; centre++) {
            coreAt[centre] = hearing.addAll(coreAt[centre], rackAt, centre * all.length, all);
        }
        return hearing;
    }

    /** Racks hear the core; those alone that are asked for, or all. */
    Hearing fall(int round, boolean isAskedAlone) {
        Hearing hearing = fallen[round];
        hearing.begin(true);
        for (int at = 0; at < centres * serversOf.length; at++) {
            if (!isAskedAlone || isRackAsked[at]) {
                rackAt[at] = hearing.add(rackAt[at], coreAt[at / serversOf.length]);
            }
        }
        return hearing;
    }

    /** Servers hear their racks; those alone that are asked for, or all. */
    Hearing land(int round, boolean isAskedAlone) {
        Hearing hearing = landed[round];
        hearing.begin(true);
        int at = 0;
        for (int centre = 0; centre < centres; centre++) {
            for (int server = 0; server < tree.servers(); server++) {
                if (!isAskedAlone || isServerAsked[at]) {
                    serverAt[at] = hearing.add(serverAt[at], rackAt[centre * serversOf.length + tree.rackOf(server)]);
                }
                at++;
            }
        }
        return hearing;
    }

    /** Makes states of cores, one for each data centre, by adding the mean of its servers' states. */
    void addMeans(NodeStates servers, NodeStates cores, NodeStates sums) {
        sums.begin(centres);
        int s = tree.servers();
        for (int u = 0; u < sums.values().length; u++) {
            for (int centre = 0; centre < centres; centre++) {
                float sum = 0;
                for (int i = centre * s; i < (centre + 1) * s; i++) {
                    sum += servers.values()[u][serverAt[i]];
                }
                sums.values()[u][centre] = cores.values()[u][coreAt[centre]] + sum / s;
            }
        }
    }

    /** Takes the slopes by what {@link #addMeans} made to those of the states it was made of. */
    void scatterMeans(NodeStates sums, NodeStates servers, NodeStates cores) {
        int s = tree.servers();
        for (int u = 0; u < sums.slopes().length; u++) {
            for (int centre = 0; centre < centres; centre++) {
                float slope = sums.slopes()[u][centre];
                cores.slopes()[u][coreAt[centre]] += slope;
                for (int i = centre * s; i < (centre + 1) * s; i++) {
                    servers.slopes()[u][serverAt[i]] += slope / s;
                }
            }
        }
    }

    int server(int centre, int server) {
        return serverAt[centre * tree.servers() + server];
    }

    int rack(int centre, int rack) {
        return rackAt[centre * tree.racks() + rack];
    }

    int core(int centre) {
        return coreAt[centre];
    }
}
