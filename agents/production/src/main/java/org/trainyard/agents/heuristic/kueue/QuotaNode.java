package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.configuration.QuotaGroup;

/**
 * A ClusterQueue or a cohort in the tree of quotas: its own quota, that of its subtree, and how much of it is in use. A
 * resource of a flavor is an index, the same in all nodes.
 */
final class QuotaNode {
    final String name;
    final @Nullable QuotaNode parent;
    /** Index of a ClusterQueue; -1 for a cohort. */
    final int queue;

    final double weight;
    final List<QuotaNode> cohorts = new ArrayList<>();
    final List<QuotaNode> queues = new ArrayList<>();
    final long[] nominal;
    final long[] borrowing;
    final long[] lending;
    final long[] subtree;
    final long[] usage;
    private final int resources;
    private long @Nullable [] lendable;

    QuotaNode(String name, @Nullable QuotaNode parent, int queue, double weight, int flavors, int resources) {
        this.name = name;
        this.parent = parent;
        this.queue = queue;
        this.weight = weight;
        this.resources = resources;
        int size = flavors * resources;
        nominal = new long[size];
        borrowing = new long[size];
        lending = new long[size];
        Arrays.fill(borrowing, QuotaGroup.UNLIMITED);
        Arrays.fill(lending, QuotaGroup.UNLIMITED);
        subtree = new long[size];
        usage = new long[size];
        if (parent != null) {
            (queue >= 0 ? parent.queues : parent.cohorts).add(this);
        }
    }

    /** Adds up the quotas of the subtree, from the leaves. */
    void addUp() {
        System.arraycopy(nominal, 0, subtree, 0, nominal.length);
        for (List<QuotaNode> children : List.of(cohorts, queues)) {
            for (QuotaNode child : children) {
                child.addUp();
                for (int at = 0; at < subtree.length; at++) {
                    subtree[at] += child.subtree[at] - child.kept(at);
                }
            }
        }
    }

    QuotaNode root() {
        QuotaNode root = this;
        while (root.parent != null) {
            root = root.parent;
        }
        return root;
    }

    /** Quota that no other node may borrow. */
    private long kept(int at) {
        return lending[at] == QuotaGroup.UNLIMITED ? 0 : Math.max(0, subtree[at] - lending[at]);
    }

    /** Free part of the quota that no other node may borrow. */
    long keptFree(int at) {
        return Math.max(0, kept(at) - usage[at]);
    }

    /** Quota that a newcomer may take, with all that may be borrowed; below zero when more is in use than is there. */
    private long free(int at) {
        if (parent == null) {
            return subtree[at] - usage[at];
        }
        long above = parent.free(at);
        if (borrowing[at] != QuotaGroup.UNLIMITED) {
            long shared = subtree[at] - kept(at);
            long sharedUse = Math.max(0, usage[at] - kept(at));
            above = Math.min(above, shared - sharedUse + borrowing[at]);
        }
        return keptFree(at) + above;
    }

    long available(int at) {
        return Math.max(0, free(at));
    }

    /** Quota that could be available if nothing were in use. */
    long most(int at) {
        if (parent == null) {
            return subtree[at];
        }
        long most = kept(at) + parent.most(at);
        return borrowing[at] == QuotaGroup.UNLIMITED ? most : Math.min(most, subtree[at] + borrowing[at]);
    }

    void use(int at, long amount) {
        long own = keptFree(at);
        usage[at] += amount;
        if (parent != null && amount > own) {
            parent.use(at, amount - own);
        }
    }

    void release(int at, long amount) {
        long above = usage[at] - kept(at);
        usage[at] -= amount;
        if (above > 0 && parent != null) {
            parent.release(at, Math.min(amount, above));
        }
    }

    void use(long[] amounts) {
        for (int at = 0; at < amounts.length; at++) {
            if (amounts[at] != 0) {
                use(at, amounts[at]);
            }
        }
    }

    void release(long[] amounts) {
        for (int at = 0; at < amounts.length; at++) {
            if (amounts[at] != 0) {
                release(at, amounts[at]);
            }
        }
    }

    /** Whether it holds more than its quota, with so much on top. */
    boolean borrowsWith(int at, long amount) {
        return usage[at] + amount > (queue >= 0 ? nominal[at] : subtree[at]);
    }

    boolean borrowsAny(BitSet contested) {
        return contested.stream().anyMatch(at -> usage[at] > subtree[at]);
    }

    /** Steps to the farthest leaf. */
    private int height() {
        int height = queues.isEmpty() && cohorts.isEmpty() ? 0 : 1;
        for (QuotaNode cohort : cohorts) {
            height = Math.max(height, cohort.height() + 1);
        }
        return height;
    }

    /** How far the lowest part of the tree that has so much for this queue reaches up; 0 for the queue itself. */
    int reach(int at, long amount) {
        if (parent == null || !borrowsWith(at, amount)) {
            return 0;
        }
        QuotaNode part = lowestWith(at, amount);
        return (part == null ? root() : part).height();
    }

    /** Whether the lowest part of the tree that has so much for this queue is smaller than the tree. */
    boolean reachesBelowRoot(int at, long amount) {
        if (parent == null || !borrowsWith(at, amount)) {
            return parent != null;
        }
        QuotaNode part = lowestWith(at, amount);
        return part != null && part.parent != null;
    }

    private @Nullable QuotaNode lowestWith(int at, long amount) {
        long left = amount - keptFree(at);
        for (QuotaNode node = parent; node != null; node = node.parent) {
            if (!node.borrowsWith(at, left)) {
                return node;
            }
            left -= node.keptFree(at);
        }
        return null;
    }

    /** How much of a resource a child of this cohort could have at most, over all flavors. */
    long[] lendable() {
        long[] known = lendable;
        if (known == null) {
            known = new long[resources];
            for (int at = 0; at < subtree.length; at++) {
                known[at % resources] += most(at);
            }
            lendable = known;
        }
        return known;
    }

    /** Dominant share: quota borrowed by this node over quota that its cohort could lend it. */
    DominantShare share() {
        DominantShare none = new DominantShare(0, weight, false, new BitSet());
        if (parent == null) {
            return none;
        }
        long[] borrowed = new long[resources];
        BitSet where = new BitSet();
        for (int at = 0; at < subtree.length; at++) {
            if (usage[at] > subtree[at]) {
                borrowed[at % resources] += usage[at] - subtree[at];
                where.set(at);
            }
        }
        if (where.isEmpty()) {
            return none;
        }
        double most = 0;
        for (int resource = 0; resource < resources; resource++) {
            long of = parent.lendable()[resource];
            if (borrowed[resource] > 0 && of > 0) {
                most = Math.max(most, (double) borrowed[resource] / of);
            }
        }
        return new DominantShare(most, weight, true, where);
    }

    /**
     * Borrowed part of the resource of which a node borrows most, as a part of the quota that can be lent.
     *
     * @param ratio before its weight
     * @param borrows whether it holds more than its quota of anything
     * @param borrowed the resources of flavors of which it does
     */
    record DominantShare(double ratio, double weight, boolean borrows, BitSet borrowed)
            implements Comparable<DominantShare> {
        /** A share below all others. */
        static final DominantShare NONE = new DominantShare(-1, 1, false, new BitSet());

        /** Whether it borrows a resource that a newcomer asks for. */
        boolean borrowsOf(long[] request) {
            return borrowed.stream().anyMatch(at -> request[at] > 0);
        }

        /** Compares by share over weight; a borrower without weight has more than all that have one. */
        @Override
        public int compareTo(DominantShare other) {
            boolean endless = weight == 0 && ratio != 0;
            boolean otherEndless = other.weight == 0 && other.ratio != 0;
            if (endless && otherEndless) {
                return Double.compare(ratio, other.ratio);
            }
            if (endless != otherEndless) {
                return endless ? 1 : -1;
            }
            return Double.compare(weighted(), other.weighted());
        }

        double weighted() {
            return ratio == 0 ? 0 : ratio / weight;
        }
    }
}
