package org.trainyard.env.gym.action;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.PlacementPool;

/** The job that each agent has taken up, and the part of its gang that has been given places, aside, until all of it has. */
final class PartialPlacements {
    /** More than any server has GPUs. */
    private static final int MOST_GPUS = 1 << 10;

    private final SimView view;
    private final Domains domains;
    private final int[] focus;
    /** Agents that have taken up a job: few, while domains may be many. */
    private final IntArrayList busy = new IntArrayList();

    private final PlacementBuilder[] builders;

    /** @param pool where placements on several servers come from; null to make them anew */
    PartialPlacements(SimView view, Domains domains, @Nullable PlacementPool pool) {
        this.view = view;
        this.domains = domains;
        focus = new int[domains.count()];
        Arrays.fill(focus, SimView.NONE);
        builders = new PlacementBuilder[domains.count()];
        Arrays.setAll(builders, d -> new PlacementBuilder(view.topology(), view.cluster(), pool));
    }

    /** The job the agent has taken up, or {@link SimView#NONE}. */
    int job(int agent) {
        return focus[agent];
    }

    PlacementBuilder builder(int agent) {
        return builders[agent];
    }

    void takeUp(int agent, int job) {
        focus[agent] = job;
        busy.add(agent);
    }

    void giveUp(int agent) {
        focus[agent] = SimView.NONE;
        busy.rem(agent);
        builders[agent].clear();
    }

    boolean isAnyTakenUp() {
        return !busy.isEmpty();
    }

    boolean isTakenUpByAnother(int agent, int job) {
        for (int i = 0; i < busy.size(); i++) {
            if (busy.getInt(i) != agent && focus[busy.getInt(i)] == job) {
                return true;
            }
        }
        return false;
    }

    /** Workers of the agent's job that have no place yet. */
    int left(int agent) {
        return view.job(focus[agent]).gpus() - builders[agent].count();
    }

    /** The server of the domain that fits the workers left best, of equals the first. */
    int bestServer(int agent, int domain) {
        int best = domains.firstServer(domain);
        for (int server = best + 1; server < domains.firstServer(domain) + domains.servers(domain); server++) {
            best = fitOn(agent, server) > fitOn(agent, best) ? server : best;
        }
        return best;
    }

    /** How well the domain's best server fits the workers left: most workers first, then least left over; 0 when none has room. */
    int fit(int agent, int domain) {
        return fitOn(agent, bestServer(agent, domain));
    }

    private int fitOn(int agent, int server) {
        int available = builders[agent].available(server);
        int takes = Math.min(available, left(agent));
        return available == 0 ? 0 : takes * MOST_GPUS + MOST_GPUS - 1 - (available - takes);
    }

    /** The {@link #fit} of the best server that other domains could lend, when it is better than those at home; else 0. */
    int wantedLoan(int agent) {
        int best = 0;
        for (int domain = 0; domain < domains.count(); domain++) {
            best = domain == agent ? best : Math.max(best, fit(agent, domain));
        }
        return best > fit(agent, agent) ? best : 0;
    }
}
