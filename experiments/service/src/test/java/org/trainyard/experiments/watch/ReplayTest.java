package org.trainyard.experiments.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.experiments.io.JsonText;

class ReplayTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int[] NONE = {};

    private static Replay empty() throws IOException {
        return new Replay(new RecordedCluster(
                "test", JSON.readTree("{\"servers\":[{\"gpus\":4,\"rack\":0},{\"gpus\":4,\"rack\":1}]}")));
    }

    /** Jobs that arrive, start, are preempted and finish at random, several at one instant; at most two run at once. */
    private static Replay random(int events, List<ReplayedState> states) throws IOException {
        RandomGenerator random = RandomStreams.stream(1, "replay");
        Replay replay = empty();
        ReplayedState state = new ReplayedState(8);
        int jobs = 0;
        double second = 0;
        for (int i = 0; i < events; i++) {
            states.add(state.copy());
            second += random.nextInt(3);
            List<Integer> waiting = state.waiting();
            List<Integer> running = state.running();
            int[] gpus = {i % 8};
            EventKind kind;
            int job;
            if (!waiting.isEmpty() && running.size() < 2) {
                kind = EventKind.START;
                job = waiting.get(random.nextInt(waiting.size()));
            } else if (!running.isEmpty() && random.nextBoolean()) {
                kind = random.nextBoolean() ? EventKind.FINISH : EventKind.PREEMPT;
                job = running.get(random.nextInt(running.size()));
            } else {
                kind = EventKind.ARRIVE;
                job = jobs++;
            }
            int[] taken = kind == EventKind.START ? gpus : NONE;
            replay.add(second, kind, "job" + job, taken);
            state.apply(kind, job, taken);
        }
        return replay;
    }

    @Test
    void the_state_at_any_event_is_that_of_all_events_before_it() throws IOException {
        List<ReplayedState> states = new ArrayList<>();
        Replay replay = random(7_500, states);

        for (int event = 0; event < states.size(); event += 97) {
            ReplayedState found = replay.stateBefore(event);
            ReplayedState expected = states.get(event);
            assertThat(found.waiting()).isEqualTo(expected.waiting());
            assertThat(found.running()).isEqualTo(expected.running());
            for (int job : expected.running()) {
                assertThat(found.gpusOf(job)).isEqualTo(expected.gpusOf(job));
            }
        }
    }

    @Test
    void windows_follow_each_other_without_gap_and_end_between_instants() throws IOException {
        Replay replay = random(3_000, new ArrayList<>());
        DecisionPages decisions = new DecisionPages();
        for (int event = 0; event < replay.size(); event += 3) {
            decisions.add(new DecisionPages.Line(
                    replay.seconds(event), "{\"time\":" + replay.seconds(event) + ",\"n\":" + event + "}"));
        }
        decisions.close();
        ReplayAnswers answers = new ReplayAnswers(replay, decisions, Map.of("job0", 4));

        int events = 0;
        List<Integer> seen = new ArrayList<>();
        double last = -1;
        while (events < replay.size()) {
            JsonNode window = read(answers.window(events, 100));
            JsonNode list = window.path("events");
            assertThat(list.size()).isBetween(1, 110);
            assertThat(list.get(0).get(0).asDouble()).isGreaterThan(last);
            last = list.get(list.size() - 1).get(0).asDouble();
            for (JsonNode decision : window.path("decisions")) {
                seen.add(decision.path("n").asInt());
                assertThat(decision.path("time").asDouble())
                        .isBetween(list.get(0).get(0).asDouble(), last);
            }
            events += list.size();
        }
        assertThat(events).isEqualTo(replay.size());
        assertThat(seen).hasSize(1_000).isSorted().doesNotHaveDuplicates();
        assertThat(read(answers.window(replay.size(), 100)).path("events")).isEmpty();
        assertThat(read(answers.window(0, 1)).path("jobs").path("0").toString()).isEqualTo("[\"job0\",4]");
    }

    @Test
    void a_state_has_the_last_decisions_before_it_and_a_queue_of_which_the_first_are_named() throws IOException {
        Replay replay = empty();
        DecisionPages decisions = new DecisionPages();
        for (int i = 0; i < 2_000; i++) {
            replay.add(i, EventKind.ARRIVE, "job" + i, NONE);
            decisions.add(new DecisionPages.Line(i, "{\"n\":" + i + "}"));
        }
        replay.add(2_000, EventKind.DOWN, "", new int[] {4, 5});
        decisions.close();
        JsonNode state = read(new ReplayAnswers(replay, decisions, Map.of()).state(2_000));

        assertThat(state.path("waiting")).hasSize(500);
        assertThat(state.path("waiting_count").asInt()).isEqualTo(2_000);
        assertThat(state.path("down").toString()).isEqualTo("[4,5]");
        assertThat(state.path("decisions").size()).isEqualTo(9);
        assertThat(state.path("decisions").get(8).path("n").asInt()).isEqualTo(1_999);
        assertThat(state.path("next").asInt()).isEqualTo(2_001);
    }

    @Test
    void the_overview_has_the_longest_queue_of_each_interval() throws IOException {
        Replay replay = empty();
        replay.add(0, EventKind.ARRIVE, "a", NONE);
        replay.add(1, EventKind.ARRIVE, "b", NONE);
        replay.add(1, EventKind.START, "a", new int[] {0});
        replay.add(9, EventKind.START, "b", new int[] {1});
        replay.add(10, EventKind.FINISH, "a", NONE);

        assertThat(read(new ReplayAnswers(replay, new DecisionPages(), Map.of()).overview(5))
                        .path("queue")
                        .toString())
                .isEqualTo("[2,1,1,1,1]");
    }

    private static JsonNode read(Object answer) throws IOException {
        return JSON.readTree(JsonText.compact(answer));
    }
}
