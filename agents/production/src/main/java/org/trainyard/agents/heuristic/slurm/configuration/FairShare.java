package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The fair-share factors of users: by rank in Slurm's fair tree, or by the classic rule {@code 2^(-usage/shares)}.
 *
 * <p>Source: R. Cox, L. Levi: Fair Tree: fairshare algorithm for Slurm, Slurm User Group 2014, and Slurm's page of that
 * name. As in Slurm 22.05, accounts whose level fair shares are equal are not merged, but their users tie.
 */
public final class FairShare {
    /** An association and its level fair share. */
    private record Level(Association of, double share) {}

    private static final Comparator<Level> WORST_SERVED_FIRST =
            Comparator.comparingDouble((Level each) -> -each.share).thenComparing(each -> each.of.user() == null);

    private int rank;
    private int withoutTies;
    private final int users;

    private FairShare(Association root) {
        users = users(root);
        rank = users;
        withoutTies = users;
    }

    /** Sets the factors of all users below the root. */
    public static void calculate(Association root, boolean tree) {
        if (tree) {
            new FairShare(root).level(root.children(), false);
        } else {
            classic(root, 1, 1);
        }
    }

    private static int users(Association at) {
        int count = at.user() == null ? 0 : 1;
        for (Association child : at.children()) {
            count += users(child);
        }
        return count;
    }

    private void level(List<Association> siblings, boolean parentTied) {
        double shares = 0;
        for (Association each : siblings) {
            shares += Math.max(0, each.shares());
        }
        List<Level> sorted = new ArrayList<>();
        for (Association each : siblings) {
            sorted.add(new Level(each, levelShare(each, shares)));
        }
        sorted.sort(WORST_SERVED_FIRST);
        double before = Double.NaN;
        for (int i = 0; i < sorted.size(); i++) {
            Level each = sorted.get(i);
            boolean tied = (i == 0 && parentTied) || before == each.share;
            if (each.of.user() == null) {
                level(each.of.children(), tied);
            } else {
                if (!tied) {
                    rank = withoutTies;
                }
                each.of.factor(rank / (double) users);
                withoutTies--;
            }
            before = each.share;
        }
    }

    private static double levelShare(Association each, double levelShares) {
        if (each.shares() < 0) {
            return Double.POSITIVE_INFINITY;
        }
        if (each.shares() == 0) {
            return 0;
        }
        double all = each.parent() == null ? 0 : each.parent().usage();
        return all <= 0 || each.usage() <= 0
                ? Double.POSITIVE_INFINITY
                : each.shares() / levelShares / (each.usage() / all);
    }

    private static void classic(Association at, double normalShares, double effective) {
        double levelShares = 0;
        for (Association child : at.children()) {
            levelShares += Math.max(0, child.shares());
        }
        Association root = at;
        while (root.parent() != null) {
            root = root.parent();
        }
        double all = root.usage();
        for (Association child : at.children()) {
            double share = child.shares() < 0 || levelShares == 0 ? 1 : child.shares() / levelShares;
            double normal = all <= 0 ? 0 : child.usage() / all;
            double use = at.parent() == null ? normal : normal + (effective - normal) * share;
            double shares = normalShares * share;
            if (child.user() != null) {
                child.factor(shares <= 0 ? 0 : Math.pow(2, -use / shares));
            }
            classic(child, shares, use);
        }
    }
}
