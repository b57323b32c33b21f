package org.trainyard.agents.learned.dqn;

import ai.djl.modality.rl.ActionSpace;
import ai.djl.modality.rl.agent.RlAgent;
import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDList;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.BidRows;
import org.trainyard.env.gym.auction.BidColumn;

/**
 * A network of bids as an agent of DJL: it chooses the bid of the highest score, the first of equals, and does not
 * learn.
 */
public final class BidAgent implements RlAgent {
    private final BidNetwork network;
    private final float[] scratch;
    private final BidRows rows = new BidRows();

    /** @param network may change between two choices */
    public BidAgent(BidNetwork network) {
        this.network = network;
        scratch = new float[network.hidden()];
    }

    @Override
    public NDList chooseAction(RlEnv env, boolean training) {
        ActionSpace bids = env.getActionSpace();
        int best = 0;
        float most = Float.NEGATIVE_INFINITY;
        for (int bid = 0; bid < bids.size(); bid++) {
            float score = score(bids.get(bid).singletonOrThrow().toFloatArray());
            if (score > most) {
                most = score;
                best = bid;
            }
        }
        return bids.get(best);
    }

    private float score(float[] row) {
        int kind = 0;
        while (row[BidColumn.COUNT + kind] == 0) {
            kind++;
        }
        rows.clear();
        rows.add(row, 0);
        return network.score(kind, rows, 0, scratch, 0, scratch, 0);
    }

    @Override
    public void trainBatch(RlEnv.Step[] batch) {
        // Its weights are learned elsewhere.
    }
}
