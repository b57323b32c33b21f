package org.trainyard.experiments.training;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trainyard.agents.learned.auction.BidNetwork;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.expert.EpisodeLabels;
import org.trainyard.agents.learned.expert.LabelledEpisode;
import org.trainyard.agents.learned.training.ExpertIteration;
import org.trainyard.experiments.fleet.Fleet;
import org.trainyard.experiments.fleet.FleetBytes;
import org.trainyard.experiments.fleet.FleetTask;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.run.SentExperiment;

/**
 * The episodes of expert iteration on a fleet: it broadcasts the config and the weights once per update and asks for each episode. Machines make the
 * episodes themselves.
 */
record ExpertFleet(Fleet fleet, Experiment experiment, int episodes) implements EpisodeLabels {
    /** Plays and labels an episode: its input is the number in the update, its answer a {@link LabelledEpisode}. */
    public static final class Task implements FleetTask {
        @Override
        public byte[] run(byte[] broadcast, byte[] input) {
            int number = ByteBuffer.wrap(input).getInt();
            LabelledEpisode episode = FleetBytes.read(broadcast, in -> {
                int update = in.readInt();
                Experiment experiment = SentExperiment.read(in).open();
                ExpertIteration settings = (ExpertIteration) experiment.config().learner();
                BidNetwork network = new BidNetwork(in.readInt());
                network.read(in);
                BidPolicy policy = ExpertTrainers.policy(network, settings);
                return ExpertTrainers.labeller(experiment, settings).label(policy, update, number);
            });
            return FleetBytes.of(episode::write);
        }
    }

    @Override
    public List<LabelledEpisode> of(BidPolicy policy, int update) {
        byte[] broadcast = FleetBytes.of(out -> {
            out.writeInt(update);
            SentExperiment.of(experiment).write(out);
            out.writeInt(policy.network().hidden());
            policy.network().write(out);
        });
        List<byte[]> inputs = new ArrayList<>();
        for (int number = 0; number < episodes; number++) {
            inputs.add(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
        }
        LabelledEpisode[] labelled = new LabelledEpisode[episodes];
        fleet.run(
                new Task(),
                broadcast,
                inputs,
                (number, answer) -> labelled[number] = FleetBytes.read(answer, LabelledEpisode::read));
        return Arrays.asList(labelled);
    }
}
