package org.trainyard.experiments.gym;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.ClusterEnv;
import org.trainyard.env.gym.StepResult;
import org.trainyard.env.gym.action.ActionExecutor.Outcome;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.gym.GymArray.Dimension;
import org.trainyard.experiments.gym.GymArray.ElementType;
import org.trainyard.experiments.run.Experiment;

/** The ground of several agents that observe rows and act at once; see {@link ClusterEnv}. */
final class RowsGround implements GymGround<RowsGround.Play> {
    private final Experiment experiment;
    private final ObservationSpace space;
    private final int agents;

    /** @throws InputException when the config leaves out what rows need */
    RowsGround(Experiment experiment, GymHello hello) {
        this.experiment = experiment;
        ExperimentConfig.Environment config = experiment.config().environment();
        require("window", config.window());
        require("max_hops", config.maxHops());
        require("horizon_hours", config.horizonHours());
        require("reward", config.reward());
        require("team_share", config.teamShare());
        if (hello.autoreset()) {
            throw InputException.at("hello, autoreset", true, "false on the ground rows");
        }
        ClusterEnv env = experiment.environment();
        space = env.spec();
        agents = env.agents();
    }

    private static void require(String key, @Nullable Object value) {
        if (value == null) {
            throw new InputException("environment.%s: is null: expected a value, for the ground rows reads it (see %s)"
                    .formatted(key, "experiments/configs/ppo.yaml"));
        }
    }

    @Override
    public Play game() {
        return new Play();
    }

    @Override
    public int agents() {
        return agents;
    }

    @Override
    public List<GymArray<Play>> observation() {
        return List.of(
                new GymArray<>(
                        "active",
                        ElementType.UINT8,
                        Dimension.BATCH,
                        List.of(agents),
                        (slot, out) -> slot.game().active(out)),
                new GymArray<>(
                        "outcomes",
                        ElementType.UINT8,
                        Dimension.BATCH,
                        List.of(agents),
                        (slot, out) -> slot.game().outcomes(out)),
                new GymArray<>(
                        "rows",
                        ElementType.FLOAT32,
                        Dimension.BATCH,
                        List.of(agents, space.size()),
                        (slot, out) -> slot.game().rows(out)));
    }

    @Override
    public void describe(ObjectNode into) {
        into.put("row", space.size());
        into.put("row_hash", ObservationSpace.schemaHash());
        into.put("actions", space.actions().size());
        into.put("window", space.window());
        into.put("mask_at", space.maskAt());
        ArrayNode sections = into.putArray("sections");
        section(sections, "gpus", space.gpusAt(), space.servers(), space.gpusPerServer(), ObservationSpace.GPU);
        section(sections, "servers", space.serversAt(), space.servers(), ObservationSpace.SERVER);
        section(sections, "candidates", space.candidatesAt(), space.servers(), ObservationSpace.CANDIDATE);
        section(sections, "jobs", space.jobsAt(), space.window(), ObservationSpace.JOB);
        section(sections, "focus", space.focusAt(), ObservationSpace.JOB);
        section(sections, "domains", space.domainsAt(), space.domains(), ObservationSpace.DOMAIN);
        section(sections, "links", space.linksAt(), space.children(), ObservationSpace.LINK);
        section(sections, "parents", space.parentsAt(), space.children());
        section(sections, "global", space.globalAt(), ObservationSpace.GLOBAL);
    }

    private static void section(ArrayNode sections, String name, int at, int... shape) {
        ObjectNode section = sections.addObject().put("name", name).put("at", at);
        ArrayNode sizes = section.putArray("shape");
        for (int size : shape) {
            sizes.add(size);
        }
    }

    /** The agents' side of one environment. */
    final class Play implements GymGame {
        private final ClusterEnv env = experiment.environment();
        private final float[] row = new float[space.size()];
        private @Nullable StepResult last;

        @Override
        public void begin(Workload workload) {
            last = env.reset(workload);
        }

        @Override
        public void play(int[] actions, int from) {
            int[] inSpace = new int[agents];
            for (int agent = 0; agent < agents; agent++) {
                inSpace[agent] = actions[from + agent];
                if (inSpace[agent] < 0 || inSpace[agent] >= space.actions().size()) {
                    throw InputException.at(
                            "step, action of agent " + agent,
                            inSpace[agent],
                            "0 to %d".formatted(space.actions().size() - 1));
                }
            }
            last = env.step(inSpace, 0);
        }

        private StepResult last() {
            if (last == null) {
                throw new IllegalStateException("no episode has begun");
            }
            return last;
        }

        @Override
        public boolean isOver() {
            return last().done();
        }

        @Override
        public Simulator simulator() {
            return env.simulator();
        }

        @Override
        public double reward(int agent) {
            return last().reward(agent);
        }

        @Override
        public double discount() {
            return 1;
        }

        @Override
        public double elapsedHours() {
            return last().elapsedHours();
        }

        @Override
        public boolean wasIllegal() {
            boolean any = false;
            for (int agent = 0; agent < agents; agent++) {
                any |= last().outcome(agent) == Outcome.ILLEGAL;
            }
            return any;
        }

        @Override
        public int count(Dimension dimension) {
            return dimension == Dimension.BATCH ? 1 : 0;
        }

        private void active(ByteBuffer out) {
            for (int agent = 0; agent < agents; agent++) {
                out.put((byte) (env.isActive(agent) ? 1 : 0));
            }
        }

        @SuppressWarnings("EnumOrdinal")
        private void outcomes(ByteBuffer out) {
            for (int agent = 0; agent < agents; agent++) {
                out.put((byte) last().outcome(agent).ordinal());
            }
        }

        private void rows(ByteBuffer out) {
            for (int agent = 0; agent < agents; agent++) {
                env.observe(agent, row, 0);
                GymArray.put(out, row, 0, row.length);
            }
        }
    }
}
