package org.trainyard.experiments.drive.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMixedDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.ServerRequest;
import io.fabric8.mockwebserver.ServerResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.drive.LiveJob;
import org.trainyard.experiments.drive.RefusedException;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;

/** {@code drive kubernetes} on a server that keeps pods and nodes as Kubernetes does, but places and runs none. */
class DriveKubernetesTest {
    private static final String SPACE = "team";

    @TempDir
    private Path folder;

    private final Map<ServerRequest, Queue<ServerResponse>> told = new HashMap<>();
    private final KubernetesMockServer server = new KubernetesMockServer(
            new Context(), new MockWebServer(), told, new KubernetesMixedDispatcher(told), false);
    private KubernetesClient client;

    @BeforeEach
    void twoNodes() {
        server.init();
        client = server.createClient();
        mayPatch(true);
        System.setProperty("kubernetes.master", client.getMasterUrl().toString());
        System.setProperty("kubernetes.auth.tryKubeConfig", "false");
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(SPACE)
                        .endMetadata()
                        .build())
                .create();
        for (String name : List.of("gpu-a", "gpu-b")) {
            client.resource(new NodeBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .addToLabels("kubernetes.io/hostname", name + ".example")
                            .endMetadata()
                            .withNewSpec()
                            .endSpec()
                            .withNewStatus()
                            .addToAllocatable("nvidia.com/gpu", new Quantity("4"))
                            .addNewCondition()
                            .withType("Ready")
                            .withStatus("True")
                            .endCondition()
                            .endStatus()
                            .build())
                    .create();
        }
    }

    /** Answers every question about our rights. */
    private void mayPatch(boolean isAllowed) {
        server.expect()
                .post()
                .withPath("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
                .andReturn(201, "{\"status\": {\"allowed\": %s}}".formatted(isAllowed))
                .always();
    }

    @AfterEach
    void end() {
        System.clearProperty("kubernetes.master");
        System.clearProperty("kubernetes.auth.tryKubeConfig");
        client.close();
        server.destroy();
    }

    private static PodBuilder pod(String name, int gpus) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(SPACE)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("m")
                .withNewResources()
                .addToLimits("nvidia.com/gpu", new Quantity(String.valueOf(gpus)))
                .endResources()
                .endContainer()
                .endSpec();
    }

    /** A pod of a job behind the gate, made by a controller. */
    private static PodBuilder gated(String name, String job, int pods, int gpus) {
        return pod(name, gpus)
                .editMetadata()
                .addToLabels("trainyard.org/job", job)
                .addToAnnotations("trainyard.org/pods", String.valueOf(pods))
                .addNewOwnerReference()
                .withApiVersion("batch/v1")
                .withKind("Job")
                .withName(job)
                .withUid("of-" + job)
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .editSpec()
                .withSchedulingGates(new PodSchedulingGate(PodJob.GATE))
                .endSpec();
    }

    private void create(PodBuilder pod) {
        client.resource(pod.build()).create();
    }

    private Pod read(String name) {
        return client.pods().inNamespace(SPACE).withName(name).get();
    }

    private void become(String name, String node, String phase) {
        client.resource(new PodBuilder(read(name))
                        .editSpec()
                        .withNodeName(node)
                        .endSpec()
                        .withNewStatus()
                        .withPhase(phase)
                        .withContainerStatuses(new ContainerStatusBuilder()
                                .withNewState()
                                .endState()
                                .build())
                        .endStatus()
                        .build())
                .update();
    }

    private Shell driven(String more) {
        return Shell.run(("drive kubernetes --scheduler fifo --namespace " + SPACE
                        + " --max-polls 1 --budget-ms 60000 --out " + folder.resolve("out") + " " + more)
                .strip()
                .split(" +"));
    }

    private String drive(String more) {
        Shell shell = driven(more);
        assertThat(shell.code()).as(shell.err()).isZero();
        return shell.out();
    }

    @Test
    void a_gang_starts_whole_on_the_nodes_of_its_placement() {
        create(gated("g-0", "g", 2, 4));
        assertThat(drive("--level placement")).contains("left team/g to Kubernetes: it has 1 of its 2 pods");
        assertThat(PodJob.isGated(read("g-0"))).isTrue();

        create(gated("g-1", "g", 2, 4));
        assertThat(drive("--level placement --dry-run")).contains("(dry run) start team/g: 8 GPUs");
        assertThat(PodJob.isGated(read("g-0"))).isTrue();

        assertThat(drive("--level placement")).contains("start team/g: 8 GPUs on gpu-a gpu-b");
        assertThat(List.of(read("g-0"), read("g-1")))
                .allSatisfy(pod -> {
                    assertThat(PodJob.isGated(pod)).isFalse();
                    assertThat(PodJob.toldSeconds(pod)).isPositive();
                })
                .extracting(pod -> pod.getSpec().getNodeSelector().get("kubernetes.io/hostname"))
                .containsExactlyInAnyOrder("gpu-a.example", "gpu-b.example");
        assertThat(drive("--level placement")).doesNotContain("start team/g");
    }

    /** The scheduler plans three of four GPUs on one node and one on the other, which suits no pod of two. */
    @Test
    void the_pods_of_a_job_are_not_divided() {
        for (String node : List.of("gpu-a", "gpu-b")) {
            create(pod("foreign-" + node, 1));
            become("foreign-" + node, node, "Running");
        }
        create(gated("g-0", "g", 2, 2));
        create(gated("g-1", "g", 2, 2));

        assertThat(drive("--level placement")).contains("start team/g: 4 GPUs on gpu-a gpu-b");
        assertThat(List.of(read("g-0"), read("g-1")))
                .extracting(pod -> pod.getSpec().getNodeSelector().get("kubernetes.io/hostname"))
                .containsExactlyInAnyOrder("gpu-a.example", "gpu-b.example");
    }

    /** Eight GPUs are enough for the job, and two nodes of four are not for its pods of three, three and two. */
    @Test
    void a_job_whose_pods_fit_no_idle_nodes_is_left_and_keeps_nobody_waiting() {
        create(gated("u-0", "u", 3, 3));
        create(gated("u-1", "u", 3, 3));
        create(gated("u-2", "u", 3, 2));
        create(gated("v-0", "v", 1, 4));

        assertThat(drive("--level placement")).contains("left team/u to Kubernetes: it finds no");
        assertThat(PodJob.isGated(read("u-0"))).isTrue();
        assertThat(PodJob.isGated(read("v-0"))).isFalse();
    }

    @Test
    void a_job_waits_behind_its_gate_until_the_gpus_of_others_are_free() {
        create(pod("foreign", 4));
        become("foreign", "gpu-a", "Running");
        create(gated("g-0", "g", 1, 4));
        create(gated("h-0", "h", 1, 4));

        drive("");
        assertThat(PodJob.isGated(read("g-0"))).isFalse();
        assertThat(read("g-0").getSpec().getNodeSelector()).isNullOrEmpty();
        assertThat(PodJob.isGated(read("h-0"))).isTrue();

        become("g-0", "gpu-b", "Running");
        drive("");
        assertThat(PodJob.isGated(read("h-0"))).isTrue();

        become("g-0", "gpu-b", "Succeeded");
        drive("");
        assertThat(PodJob.isGated(read("h-0"))).isFalse();
    }

    @Test
    void what_a_killed_driver_left_behind_the_gate_follows() {
        create(gated("g-0", "g", 2, 4));
        create(gated("g-1", "g", 2, 4));
        drive("");
        client.resource(new PodBuilder(read("g-1"))
                        .editSpec()
                        .withSchedulingGates(new PodSchedulingGate(PodJob.GATE))
                        .endSpec()
                        .build())
                .update();

        drive("");

        assertThat(PodJob.isGated(read("g-1"))).isFalse();
    }

    @Test
    void an_account_without_rights_is_told_so_before_anything_is_done() {
        told.clear();
        mayPatch(false);
        create(gated("g-0", "g", 1, 4));

        Shell shell = driven("");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("patch pods", "a right that our account has");
        assertThat(PodJob.isGated(read("g-0"))).isTrue();
    }

    /** A name that is mistyped would let jobs be touched, or none. */
    @ParameterizedTest
    @CsvSource({
        "--leave-namespace, nobody, a Namespace of the cluster",
        "--leave-namespace, A/b, a Namespace of the cluster",
        "--priority-class, high, a PriorityClass of the cluster"
    })
    void names_that_kubernetes_does_not_know_are_refused(String option, String name, String expected) {
        create(gated("g-0", "g", 1, 4));

        Shell shell = driven(option + " " + name);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .isEqualToIgnoringNewLines(
                        "trainyard: %s: '%s' is not valid: expected %s".formatted(option, name, expected));
        assertThat(PodJob.isGated(read("g-0"))).isTrue();
    }

    @Test
    void names_that_kubernetes_knows_are_taken_and_those_that_we_may_not_get_are_refused() {
        GenericKubernetesResource high = new GenericKubernetesResourceBuilder()
                .withApiVersion("scheduling.k8s.io/v1")
                .withKind("PriorityClass")
                .build();
        server.expect()
                .get()
                .withPath("/apis/scheduling.k8s.io/v1/priorityclasses/high")
                .andReturn(200, high)
                .always();
        create(gated("g-0", "g", 1, 4).editSpec().withPriorityClassName("high").endSpec());
        create(gated("h-0", "h", 1, 4));
        assertThat(drive("--priority-class high")).contains("start team/g").doesNotContain("team/h");

        server.expect()
                .get()
                .withPath("/api/v1/namespaces/team")
                .andReturn(
                        403,
                        new StatusBuilder()
                                .withCode(403)
                                .withMessage("no right")
                                .build())
                .always();
        Shell shell = driven("");
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .hasLineCount(1)
                .contains("--namespace: 'team' is not valid: expected a Namespace that we may get (", "no right");
    }

    private LiveJob look(DrivenKubernetes driven, String job) {
        return Objects.requireNonNull(driven.look().jobs().get(SPACE + "/" + job), job);
    }

    @Test
    void pods_that_found_no_node_in_time_are_made_anew_if_they_have_a_controller() {
        create(gated("g-0", "g", 1, 4));
        create(pod("bare", 4)
                .editSpec()
                .withSchedulingGates(new PodSchedulingGate(PodJob.GATE))
                .endSpec());
        drive("");
        Instant later = Instant.now().plusSeconds(60);
        try (DrivenKubernetes driven =
                new DrivenKubernetes(server.createClient(), Clock.fixed(later, ZoneOffset.UTC))) {
            assertThat(driven.hasMissed(look(driven, "g"))).isTrue();
            driven.postpone(List.of(look(driven, "g")), 60);
            assertThat(read("g-0")).isNull();
            assertThatThrownBy(() -> driven.postpone(List.of(look(driven, "bare")), 60))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("controller");
            assertThat(read("bare")).isNotNull();
        }
    }

    @Test
    void a_job_is_evicted_whole_and_one_of_bare_pods_not_at_all() throws InterruptedException {
        for (String name : List.of("g-0", "g-1")) {
            create(gated(name, "g", 2, 2));
            server.expect()
                    .post()
                    .withPath("/api/v1/namespaces/%s/pods/%s/eviction".formatted(SPACE, name))
                    .andReturn(201, "{}")
                    .once();
        }
        create(pod("foreign", 2));
        drive("");
        List.of("g-0", "g-1", "foreign").forEach(name -> become(name, "gpu-a", "Running"));
        try (DrivenKubernetes driven = new DrivenKubernetes(server.createClient(), Clock.systemUTC())) {
            LiveJob job = look(driven, "g");
            assertThat(job.stage()).isEqualTo(LiveJob.Stage.RUNNING);
            assertThat(job.allocated()).containsEntry("gpu-a", 4);
            driven.requeue(job);
            assertThatThrownBy(() -> driven.requeue(look(driven, "foreign"))).isInstanceOf(RefusedException.class);
        }
    }

    @Test
    void a_placement_that_splits_a_pod_is_refused() {
        create(gated("g-0", "g", 2, 3));
        create(gated("g-1", "g", 2, 3));
        try (DrivenKubernetes driven = new DrivenKubernetes(server.createClient(), Clock.systemUTC())) {
            LiveJob job = look(driven, "g");
            assertThatThrownBy(() -> driven.start(
                            job,
                            1,
                            List.of(
                                    new ServerGpus("gpu-a", List.of(0, 1, 2, 3)),
                                    new ServerGpus("gpu-b", List.of(0, 1)))))
                    .hasMessageContaining("3 GPUs for each pod");
            assertThat(PodJob.isGated(read("g-0"))).isTrue();
        }
    }
}
