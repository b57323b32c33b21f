package org.trainyard.env.gym.action;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.PlacementPool;

/**
 * The job that each agent has selected, and the GPUs chosen for it so far; the cluster changes only when the gang
 * is complete.
 */
final class PartialPlacements {
    /** More than the GPUs of any server. */
    private static final int MOST_GPUS = 1 << 10;

    private final SimView view;
    private final Domains domains;
    private final int[] selected;
    /** The agents with a selected job: few, while domains may be many. */
    private final IntArrayList placing = new IntArrayList();

    private final PlacementBuilder[] builders;

    PartialPlacements(SimView view, Domains domains, PlacementPool pool) {
        this.view = view;
        this.domains = domains;
        selected = new int[domains.count()];
        Arrays.fill(selected, SimView.NONE);
        builders = new PlacementBuilder[domains.count()];
        Arrays.setAll(builders, d -> new PlacementBuilder(view.topology(), view.cluster(), pool));
    }

    /** The job that the agent has selected, or {@link SimView#NONE}. */
    int job(int agent) {
        return selected[agent];
    }

    PlacementBuilder builder(int agent) {
        return builders[agent];
    }

    void select(int agent, int job) {
        selected[agent] = job;
        placing.add(agent);
    }

    /** Gives up the agent's selected job and its partial placement, if any. */
    void clear(int agent) {
        selected[agent] = SimView.NONE;
        placing.rem(agent);
        builders[agent].clear();
    }

    boolean isAnySelected() {
        return !placing.isEmpty();
    }

    boolean isSelected(int job) {
        return isSelectedByAnother(SimView.NONE, job);
    }

    boolean isSelectedByAnother(int agent, int job) {
        for (int i = 0; i < placing.size(); i++) {
            if (placing.getInt(i) != agent && selected[placing.getInt(i)] == job) {
                return true;
            }
        }
        return false;
    }

    /** Workers of the selected job without a GPU. */
    int left(int agent) {
        return view.job(selected[agent]).gpus() - builders[agent].count();
    }

    /** The server of the domain with the highest {@link #fitOn}, the first of equals. */
    int bestServer(int agent, int domain) {
        int best = domains.firstServer(domain);
        int most = fitOn(agent, best);
        for (int server = best + 1; server < domains.endServer(domain); server++) {
            int fit = fitOn(agent, server);
            if (fit > most) {
                most = fit;
                best = server;
            }
        }
        return best;
    }

    /** The highest {@link #fitOn} of the domain's servers. */
    int fit(int agent, int domain) {
        return fitOn(agent, bestServer(agent, domain));
    }

    /** How well a server fits the remaining workers: by most workers, then by fewest GPUs left over; 0 without room. */
    private int fitOn(int agent, int server) {
        int available = builders[agent].available(server);
        int takes = Math.min(available, left(agent));
        return available == 0 ? 0 : takes * MOST_GPUS + MOST_GPUS - 1 - (available - takes);
    }

    /** The highest {@link #fit} of other domains, when it is higher than at home; else 0. */
    int wantedLoan(int agent) {
        int home = fit(agent, agent);
        int highest = left(agent) * MOST_GPUS + MOST_GPUS - 1;
        int best = 0;
        for (int domain = 0; domain < domains.count() && home < highest && best < highest; domain++) {
            best = domain == agent ? best : Math.max(best, fit(agent, domain));
        }
        return best > home ? best : 0;
    }
}
