package org.trainyard.agents.learned.expert;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** An episode that a policy played, with the labels of the decisions that were drawn; a value, which has a form of bytes. */
public final class LabelledEpisode {
    private final Figures figures;
    private final List<LabelledDecision> decisions;

    LabelledEpisode(Figures figures, List<LabelledDecision> decisions) {
        this.figures = figures;
        this.decisions = List.copyOf(decisions);
    }

    /**
     * Figures of an episode.
     *
     * @param auctions auctions with a choice
     * @param waits of these, auctions that the bid to wait won
     * @param contested contested decisions
     * @param hours simulated time
     * @param jobHours sum of the job completion times, job-hours
     * @param jobs that arrived
     */
    record Figures(int auctions, int waits, int contested, double hours, double jobHours, int jobs) {}

    Figures figures() {
        return figures;
    }

    /** In the order of play. */
    List<LabelledDecision> decisions() {
        return decisions;
    }

    /** Writes the episode: 36 bytes, and its decisions. */
    public void write(DataOutput out) throws IOException {
        out.writeInt(figures.auctions());
        out.writeInt(figures.waits());
        out.writeInt(figures.contested());
        out.writeDouble(figures.hours());
        out.writeDouble(figures.jobHours());
        out.writeInt(figures.jobs());
        out.writeInt(decisions.size());
        for (LabelledDecision decision : decisions) {
            decision.write(out);
        }
    }

    /** Reads what {@link #write} wrote. */
    public static LabelledEpisode read(DataInput in) throws IOException {
        Figures figures =
                new Figures(in.readInt(), in.readInt(), in.readInt(), in.readDouble(), in.readDouble(), in.readInt());
        List<LabelledDecision> decisions = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            decisions.add(LabelledDecision.read(in));
        }
        return new LabelledEpisode(figures, decisions);
    }
}
