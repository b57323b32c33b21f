package org.trainyard.experiments.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.drive.LiveJob.Needs;
import org.trainyard.experiments.drive.LiveJob.Stage;
import org.trainyard.experiments.service.live.FreeGpus;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;

/** Cores and memory of four nodes with four GPUs each, and where jobs fit beside the GPUs that are free there. */
class NodeRoomTest {
    private static final Topology FOUR = Objects.requireNonNull(Topologies.parse("4x4"));

    private final Map<String, LiveSnapshot.Node> nodes = new TreeMap<>();
    private final FreeGpus free = new FreeGpus(FOUR);
    private final List<String> avoided = new ArrayList<>();
    private final NodeRoom room =
            new NodeRoom(new LiveSnapshot(Map.of(), nodes), (job, node) -> avoided.contains(job + node));

    NodeRoomTest() {
        for (int node = 0; node < 4; node++) {
            node(node, false, 8, 1000, "p");
        }
    }

    private static String name(int node) {
        return FOUR.serverName(node);
    }

    private void node(int node, boolean isOut, long cpus, long memory, String... partitions) {
        nodes.put(name(node), new LiveSnapshot.Node(name(node), 4, "a100", isOut, 0, cpus, memory, Set.of(partitions)));
    }

    private static LiveJob job(int gpus, int least, int most, String type, long cpus, long memory, long ofNode) {
        return job(gpus, least, most, new Needs(type, cpus, memory, ofNode));
    }

    /** A job of parts that must each be on one node. */
    private static LiveJob gang(String parts) {
        List<Integer> gpus =
                Stream.of(parts.split(" ", -1)).map(Integer::valueOf).toList();
        return job(gpus.stream().mapToInt(Integer::intValue).sum(), 1, gpus.size(), Needs.parts(gpus));
    }

    private static LiveJob job(int gpus, int least, int most, Needs needs) {
        return new LiveJob(
                "7",
                Stage.PENDING,
                "",
                "ann",
                "",
                "p",
                "",
                gpus,
                least,
                most,
                Map.of(),
                1,
                0,
                0,
                0,
                0,
                0,
                0,
                "",
                needs,
                "");
    }

    /** GPUs from the first on, such as {@code 0:4 1:2} for four of node 0 and two of node 1. */
    private static List<ServerGpus> placed(String text) {
        List<ServerGpus> placed = new ArrayList<>();
        for (String part : text.split(" ", -1)) {
            placed.add(new ServerGpus(
                    name(part.charAt(0) - '0'),
                    IntStream.range(0, part.charAt(2) - '0').boxed().toList()));
        }
        return placed;
    }

    private static String text(@Nullable List<ServerGpus> placed) {
        return placed == null
                ? "none"
                : placed.stream()
                        .map(one -> IntStream.range(0, 4)
                                        .filter(node -> name(node).equals(one.server()))
                                        .findFirst()
                                        .orElseThrow()
                                + ":"
                                + one.gpus().size())
                        .collect(Collectors.joining(" "));
    }

    /**
     * Beside 8 cores and 1000 MiB on node 0: a job of three GPUs asks for thirds of its cores and memory, rounded up.
     */
    @ParameterizedTest
    @CsvSource({
        "8, 0, 0, 0:3, 0:3", "9, 0, 0, 0:3, none", "12, 0, 0, 0:2 1:1, 0:2 1:1", "13, 0, 0, 0:2 1:1, none",
        "0, 1000, 0, 0:3, 0:3", "0, 1001, 0, 0:3, none", "0, 1500, 0, 0:2 1:1, 0:2 1:1", "0, 1501, 0, 0:2 1:1, none",
        "0, 9000, 1000, 0:2 1:1, 0:2 1:1", "0, 9, 1001, 0:2 1:1, none"
    })
    void a_job_needs_its_cores_and_memory_by_its_gpus_there(
            long cpus, long memory, long ofNode, String placement, String fitted) {
        assertThat(text(room.fitted(job(3, 0, 0, "", cpus, memory, ofNode), placed(placement), free)))
                .isEqualTo(fitted);
    }

    /** What a job of this look will take is gone for the next. */
    @Test
    void orders_of_a_look_take_room_from_each_other() {
        LiveJob job = job(3, 0, 0, "", 12, 1500, 0);
        room.take(job, placed("0:2 1:1"));

        assertThat(text(room.fitted(job(1, 1, 1, "", 0, 0, 0), placed("0:1"), free)))
                .isEqualTo("0:1");
        assertThat(text(room.fitted(job(1, 1, 1, "", 1, 0, 0), placed("0:1"), free)))
                .isEqualTo("1:1");
        assertThat(text(room.fitted(job(1, 1, 1, "", 4, 500, 0), placed("1:1"), free)))
                .isEqualTo("1:1");
        assertThat(text(room.fitted(job(1, 1, 1, "", 5, 500, 0), placed("1:1"), free)))
                .isEqualTo("2:1");
        assertThat(text(room.fitted(job(1, 1, 1, "", 4, 501, 0), placed("1:1"), free)))
                .isEqualTo("2:1");
        room.take(job(1, 1, 1, "", 1, 100, 0), placed("1:1"));
        assertThat(text(room.fitted(job(1, 1, 1, "", 3, 400, 0), placed("1:1"), free)))
                .isEqualTo("1:1");
        assertThat(text(room.fitted(job(1, 1, 1, "", 3, 401, 0), placed("1:1"), free)))
                .isEqualTo("2:1");
        assertThat(text(room.fitted(job(1, 1, 1, "", 4, 400, 0), placed("1:1"), free)))
                .isEqualTo("2:1");
    }

    /** The tightest of the nodes that suit it; of those as tight, the first. */
    @Test
    void a_job_goes_where_it_may_be_and_leaves_least_free() {
        LiveJob job = job(2, 1, 1, "a100", 2, 0, 0);
        free.take(placed("2:1 3:2"));
        avoided.add("7" + name(0));
        assertThat(text(room.fitted(job, placed("0:2"), free))).isEqualTo("3:2");
        node(3, false, 1, 1000, "p");
        assertThat(text(room.fitted(job, placed("0:2"), free))).isEqualTo("2:2");
        node(2, true, 8, 1000, "p");
        assertThat(text(room.fitted(job, placed("0:2"), free))).isEqualTo("1:2");
        node(1, false, 8, 1000, "q");
        assertThat(text(room.fitted(job, placed("0:2"), free))).isEqualTo("none");
        node(1, false, 8, 1000);
        assertThat(text(room.fitted(job, placed("0:2"), free))).isEqualTo("1:2");
        assertThat(text(room.fitted(job(2, 1, 1, "h100", 2, 0, 0), placed("0:2"), free)))
                .isEqualTo("none");
        nodes.remove(name(1));
        assertThat(text(room.fitted(job, placed("0:2"), free))).isEqualTo("none");
        avoided.clear();
        assertThat(text(room.fitted(job, placed("0:2"), free))).isEqualTo("0:2");
    }

    /** Of another number of nodes than it asks for, its GPUs are spread evenly over the fewest. */
    @ParameterizedTest
    @CsvSource({
        "4, 2, 3, 0:4, 0:2 1:2", "4, 2, 3, 0:2 1:1 2:1, 0:2 1:1 2:1", "4, 2, 2, 0:2 1:1 2:1, 0:2 1:2",
        "5, 2, 2, 0:4, 0:3 1:3", "4, 0, 0, 0:4, 0:4", "4, 1, 4, 0:1 1:1 2:1 3:1, 0:1 1:1 2:1 3:1"
    })
    void a_job_gets_as_many_nodes_as_it_asks_for(int gpus, int least, int most, String placement, String fitted) {
        assertThat(text(room.fitted(job(gpus, least, most, "", 0, 0, 0), placed(placement), free)))
                .isEqualTo(fitted);
    }

    /** The widest share goes first, to the first node that it was told. */
    @Test
    void a_job_keeps_the_nodes_that_it_was_told_while_their_gpus_are_free() {
        LiveJob job = job(3, 2, 2, "", 0, 0, 0);
        List<String> told = List.of(name(3), name(1));

        assertThat(text(NodeRoom.kept(job, placed("0:1 2:2"), told, free))).isEqualTo("3:2 1:1");
        assertThat(NodeRoom.kept(job, placed("0:1 2:2"), List.of(name(3)), free))
                .isNull();
        free.take(placed("3:3"));
        assertThat(NodeRoom.kept(job, placed("0:1 2:2"), told, free)).isNull();
    }

    /** Node 2 has three free GPUs; parts go to the nodes of the placement first, then where the fewest are free. */
    @ParameterizedTest
    @CsvSource({
        "3 1, 0:3 1:1, 0:3 1:1", "2 2, 0:3 1:1, 0:4", "3 3 2, 0:4 1:4, 0:3 1:3 2:2", "4 3, 0:4 1:3, 0:4 1:3",
        "4 3, 0:4, 0:4 2:3", "4 4, 2:3 0:1, 0:4 1:4", "4 4 4 4, 0:4 1:4, none", "1 1 1, 0:1 1:1 3:1, 0:1 1:1 3:1"
    })
    void each_part_of_a_job_is_on_one_node(String parts, String placement, String fitted) {
        free.take(placed("2:1"));

        assertThat(text(room.fitted(gang(parts), placed(placement), free))).isEqualTo(fitted);
    }

    @Test
    void parts_spare_nodes_that_do_not_suit_their_job() {
        avoided.add("7" + name(0));
        assertThat(text(room.fitted(gang("2 2"), placed("0:4"), free))).isEqualTo("1:4");
    }

    @ParameterizedTest
    @CsvSource({"2 2, 0:4, true", "2 2, 0:2 1:2, true", "2 2, 0:3 1:1, false", "2 2, 0:1 1:1 2:2, false", "4, 0:4, true"
    })
    void a_placement_has_the_shape_of_a_job_where_its_parts_fit(String parts, String placement, boolean hasShape) {
        assertThat(NodeRoom.hasShape(gang(parts), placed(placement))).isEqualTo(hasShape);
    }

    /** All nodes that it was told are needed, and each has the GPUs of a part. */
    @Test
    void parts_keep_the_nodes_that_they_were_told() {
        List<String> told = List.of(name(3), name(1));
        assertThat(text(NodeRoom.kept(gang("4 1"), placed("0:4 2:1"), told, free)))
                .isEqualTo("3:4 1:1");
        assertThat(NodeRoom.kept(gang("2 1"), placed("0:2 2:1"), told, free)).isNull();
        free.take(placed("1:4"));
        assertThat(NodeRoom.kept(gang("4 1"), placed("0:4 2:1"), told, free)).isNull();
    }
}
