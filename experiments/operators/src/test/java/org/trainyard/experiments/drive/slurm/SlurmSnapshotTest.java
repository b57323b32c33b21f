package org.trainyard.experiments.drive.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.experiments.drive.LiveJob;
import org.trainyard.experiments.drive.LiveJob.Stage;
import org.trainyard.experiments.drive.LiveSnapshot;
import org.trainyard.experiments.drive.LiveSnapshot.Node;
import org.trainyard.experiments.io.JsonText;

/** Each key of squeue and sinfo as JSON; keys in single quotes here. */
class SlurmSnapshotTest {
    private static LiveSnapshot read(String jobs, String nodes) {
        return SlurmSnapshot.of(
                JsonText.read("{\"jobs\": [%s]}".formatted(jobs).replace('\'', '"')),
                JsonText.read("{\"nodes\": [%s]}".formatted(nodes).replace('\'', '"')));
    }

    private static LiveJob job(String keys) {
        return Objects.requireNonNull(
                read("{'job_id': 5, %s}".formatted(keys), "").jobs().get("5"));
    }

    private static Node node(String keys) {
        return Objects.requireNonNull(
                read("", "{'name': 'n1', %s}".formatted(keys)).nodes().get("n1"));
    }

    /** Parts of a MiB count whole. */
    @ParameterizedTest
    @CsvSource({
        "1024K, 1",
        "1025K, 2",
        "1, 1",
        "300M, 300",
        "0.5M, 1",
        "2G, 2048",
        "0.45G, 461",
        "1.5T, 1572864",
        "1P, 1073741824"
    })
    void memory_has_a_unit(String memory, long mebibytes) {
        assertThat(job("'tres_req_str': 'cpu=4,mem=%s,node=1,gres/gpu=2'".formatted(memory))
                        .needs())
                .isEqualTo(new LiveJob.Needs("", 0, mebibytes, 0));
    }

    @Test
    void needs_are_of_the_job_and_of_each_node() {
        assertThat(job("'cpus': 12, 'memory_per_node': {'set': true, 'number': 700},"
                                + " 'tres_req_str': 'gres/gpu=2,gres/gpu:a100=2', 'tres_per_node': 'gres:gpu:h100:2'")
                        .needs())
                .isEqualTo(new LiveJob.Needs("A100,H100", 12, 0, 700));
    }

    /** Where GPUs are not accounted for, they are said a job, a node or a task. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'tres_req_str': 'node=3,gres/gpu=6', 'tres_per_node': 'gres:gpu:9', 'node_count': 2 | 6 | 3",
                "'tres_per_job': 'gres:gpu:5', 'node_count': 2 | 5 | 2",
                "'tres_per_node': 'gres:gpu:4', 'node_count': 3 | 12 | 3",
                "'tres_per_node': 'gres:gpu:4', 'node_count': 3, 'max_nodes': 2 | 8 | 2",
                "'tres_per_task': 'gres:gpu:1', 'tasks': 7 | 7 | 1",
                "'tres_per_task': 'gres:gpu:2' | 2 | 1",
                "'tres_per_node': 'gres:gpu:1', 'node_count': {'set': false, 'number': 9} | 1 | 1",
                "'tres_per_node': 'gres:gpu:1', 'node_count': {'set': true, 'infinite': true, 'number': 9} | 1 | 1"
            })
    void gpus_that_a_job_asks_for(String keys, int gpus, int nodes) {
        LiveJob job = job(keys);

        assertThat(job.gpus()).isEqualTo(gpus);
        assertThat(job.leastNodes()).isEqualTo(nodes);
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING, PENDING",
        "REQUEUED, PENDING",
        "REQUEUE_HOLD, PENDING",
        "RUNNING, RUNNING",
        "suspended, RUNNING",
        "CONFIGURING, RUNNING",
        "STOPPED, RUNNING",
        "RESIZING, RUNNING",
        "COMPLETING, LEAVING",
        "COMPLETED, ENDED",
        "NODE_FAIL, ENDED"
    })
    void a_job_has_a_stage(String state, Stage stage) {
        assertThat(job("'job_state': '%s'".formatted(state)).stage()).isEqualTo(stage);
        assertThat(job("'job_state': ['%s']".formatted(state)).stage()).isEqualTo(stage);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'array_task_string': '1-3' | is an array whose jobs wait together",
                "'het_job_id': 4 | is a heterogeneous job",
                "'het_job_id': {'set': true, 'number': 0} |",
                "'dependency': 'afterok:4' | depends on other jobs",
                "'resv_name': 'r' | has a reservation",
                "'cluster_features': 'x' | asks for features of clusters",
                "'excluded_nodes': 'n2' | asks for nodes to be spared",
                "'shared': ['oversubscribe'] |",
                "'shared': 'mcs' | asks for whole nodes (--exclusive)"
            })
    void a_job_is_no_ordinary_one(String keys, String special) {
        assertThat(job(keys).special()).isEqualTo(special == null ? "" : special);
    }

    @Test
    void a_running_job_holds_what_each_of_its_nodes_says() {
        String keys = "'job_state': ['RUNNING'], 'job_resources': {'nodes': {'list': 'n[1-3]'}}, 'nodes': 'n9',"
                + " 'tres_alloc_str': 'gres/gpu=7'";
        assertThat(job(keys).allocated()).isEqualTo(Map.of("n1", 3, "n2", 2, "n3", 2));
        LiveJob detailed = job(keys + ", 'gres_detail': ['gpu:a100:4(IDX:0-3)', '', 'gpu:a100:1(IDX:0)']");
        assertThat(detailed.allocated()).isEqualTo(Map.of("n1", 4, "n3", 1));
        assertThat(detailed.gpus()).isEqualTo(5);
        assertThat(job("'nodes': '(null)'").allocated()).isEmpty();
    }

    @Test
    void a_node_has_room_that_no_job_holds() {
        assertThat(
                        node(
                                "'gres': 'gpu:a100:8', 'gres_used': 'gpu:a100:3(IDX:0-2)', 'cpus': 64, 'alloc_cpus': 60,"
                                        + " 'real_memory': {'set': true, 'number': 900}, 'alloc_memory': 1000, 'partitions': ['q', 'p']"))
                .isEqualTo(new Node("n1", 8, "A100", false, 3, 4, 0, Set.of("p", "q")));
        assertThat(node("'gres': '', 'cpus': 64, 'alloc_memory': 7, 'state': 'DRAIN'"))
                .isEqualTo(new Node("n1", 0, "", true, 0, Node.UNKNOWN, Node.UNKNOWN, Set.of()));
    }

    @Test
    void names_that_a_shell_might_read_are_left_out_and_answers_without_lists_refused() {
        LiveSnapshot snapshot =
                read("{'job_id': '5;x'}, {'job_id': 6}", "{'name': 'n1;x'}, {'name': '-n'}, {'name': 'n2'}");

        assertThat(snapshot.jobs()).containsOnlyKeys("6");
        assertThat(snapshot.nodes()).containsOnlyKeys("n2");
        assertThatThrownBy(() -> SlurmSnapshot.of(JsonText.read("{}"), JsonText.read("{\"nodes\": []}")))
                .isInstanceOf(InputException.class);
        assertThatThrownBy(() -> SlurmSnapshot.of(JsonText.read("{\"jobs\": []}"), JsonText.read("{}")))
                .isInstanceOf(InputException.class);
    }
}
