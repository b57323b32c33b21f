package org.trainyard.agents.learned.expert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.training.ExpertIteration;
import org.trainyard.agents.learned.training.WorkerPool;

class EpisodeLabellerTest {
    private static final ExpertIteration SETTINGS = ForkWorlds.settings(2, 0.01);

    @TempDir
    private Path folder;

    private final EpisodeLabeller labeller =
            new EpisodeLabeller(SETTINGS, ForkWorlds.deployment(), ForkWorlds.WORLD, 7);

    private static byte[] bytes(LabelledEpisode episode) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            episode.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static LabelledEpisode read(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            LabelledEpisode episode = LabelledEpisode.read(in);
            assertThat(in.available()).isZero();
            return episode;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void an_episode_alone_has_the_labels_that_it_has_among_the_others() {
        BidPolicy policy = ForkWorlds.policy(1);
        List<LabelledEpisode> together = labeller.on(WorkerPool.SEQUENTIAL).of(policy, 1);
        assertThat(together).hasSize(4);
        for (int number = 3; number >= 0; number--) {
            assertThat(together.get(number).decisions()).hasSize(10);
            assertThat(bytes(labeller.label(policy.copy(), 1, number)))
                    .as("episode %d", number)
                    .isEqualTo(bytes(together.get(number)));
        }
    }

    @Test
    void labels_that_went_through_bytes_teach_the_same_weights() {
        List<String> hashes = new ArrayList<>();
        EpisodeLabels direct = labeller.on(WorkerPool.SEQUENTIAL);
        EpisodeLabels sent = (policy, update) -> direct.of(policy, update).stream()
                .map(EpisodeLabellerTest::bytes)
                .map(EpisodeLabellerTest::read)
                .toList();
        for (EpisodeLabels labels : List.of(direct, sent)) {
            try (RolloutPolicyIteration trainer =
                    new RolloutPolicyIteration(ForkWorlds.policy(1), SETTINGS, labels, WorkerPool.SEQUENTIAL, 7)) {
                assertThat(trainer.update().episodes()).isEqualTo(4);
                hashes.add(trainer.update() + trainer.policy().save(folder.resolve("policy")));
            }
        }
        assertThat(hashes.get(1)).isEqualTo(hashes.get(0));
    }

    @Test
    void what_is_read_is_written_alike() {
        byte[] bytes = bytes(labeller.label(ForkWorlds.policy(1), 0, 2));
        assertThat(bytes(read(bytes))).isEqualTo(bytes);
    }
}
