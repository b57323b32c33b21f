package org.trainyard.env.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.synchronisation.SynchronisationModel;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LoggedFacts;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.Segments;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.adaptive.AdaptiveTrainingRun;
import org.trainyard.env.workload.generator.FreezingSettings;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.JobMaker;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.PlannedSettings;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.env.workload.generator.UtilitySettings;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceRow;

class TraceWriterTest {
    @TempDir
    Path dir;

    @Test
    void what_is_written_reads_back_equal() {
        RandomGenerator random = RandomStreams.stream(7, "round trip");
        List<TraceJob> jobs = new ArrayList<>();
        long submit = 0;
        for (int i = 0; i < 500; i++) {
            submit += random.nextLong(1L << 52);
            long duration = 1 + random.nextLong(1L << random.nextInt(1, 62));
            jobs.add(new TraceJob(
                    name(random) + i,
                    submit,
                    demand(random),
                    duration,
                    nameOrNull(random),
                    nameOrNull(random),
                    nameOrNull(random),
                    nameOrNull(random)));
        }
        Path file = dir.resolve("own.csv");
        TraceWriter.write(jobs, file);
        Trace trace = TraceReader.read(file, new TraceReader.Options(null, null, true));
        assertThat(trace.format().label()).isEqualTo("trainyard");
        assertThat(trace.jobs()).isEqualTo(jobs);
    }

    @Test
    void what_a_job_said_and_what_its_log_knows_of_its_run_read_back_equal() {
        SubmissionTerms terms = new SubmissionTerms.Builder()
                .account("physics, west")
                .unixGroup("staff")
                .qos("high")
                .partition("gpu,long")
                .priority(4_294_901_757L)
                .nice(-100)
                .limitNanos(3600 * TraceRow.SECOND)
                .delayNanos(1_500_000_000L)
                .nodes(2)
                .exclusive(true)
                .features("a100&nvlink")
                .nodeList("n[01-02]")
                .dependency("afterok:17")
                .reservation("maintenance")
                .licenses("fluent:30,ansys")
                .array(new SubmissionTerms.ArrayTask("16", 3, 2))
                .segments(new Segments(2, true))
                .build();
        LoggedFacts facts = new LoggedFacts("n[01-02]", "TIMEOUT", "0:15", "TimeLimit", 2, 7 * TraceRow.SECOND);
        TraceJob plain = new TraceJob("plain", 0, 2, TraceRow.SECOND, null, null, null, null);
        TraceJob told = new TraceJob("told", 0, 2, TraceRow.SECOND, null, null, null, null)
                .on(terms)
                .ran(new LoggedRun(5, 5 + TraceRow.SECOND, facts));
        Path file = dir.resolve("terms.csv");
        TraceWriter.write(List.of(plain, told), file);

        Trace trace = TraceReader.read(file, new TraceReader.Options(null, null, true));

        assertThat(trace.jobs()).containsExactly(plain, told);
        assertThat(trace.oddities()).noneMatch(said -> said.contains("not used"));
        assertThat(terms.but().build()).isEqualTo(terms);
    }

    @Test
    void plans_of_synchronisation_and_of_graphs_read_back_equal_and_others_are_named() throws IOException {
        List<TraceJob> jobs = new ArrayList<>();
        List<String> labels = new ArrayList<>(SynchronisationModel.labels());
        labels.replaceAll(label -> "sync:" + label);
        labels.addAll(List.of("sync:adsp:5", "gnn:papers100m:random", "gnn:papers100m:degree", "gnn:papers100m:bgl"));
        for (String label : labels) {
            TrainingPlan plan = Objects.requireNonNull(TrainingPlan.parse(label, null));
            assertThat(plan.label()).isEqualTo(label);
            jobs.add(new TraceJob("j" + jobs.size(), 0, 2, 1_500_000_000L, null, null, null, null).parallel(plan));
        }
        Path file = dir.resolve("plans.csv");
        TraceReader.Options strict = new TraceReader.Options(null, null, true);
        TraceWriter.write(jobs, file);
        assertThat(TraceReader.read(file, strict).jobs()).isEqualTo(jobs);

        for (String label :
                List.of("sync:asp", "sync:ssp:0", "gnn:papers100m", "gnn:products:bgl", "gnn:papers100m:lru")) {
            Files.writeString(file, "job,submit_s,gpus,duration_s,plan\na,0,1,1.5,%s\n".formatted(label));
            assertThatThrownBy(() -> TraceReader.read(file, strict))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining(label)
                    .hasMessageContaining("gnn:papers100m:CACHE");
        }
        Files.writeString(file, "job,submit_s,gpus,cpu_milli,duration_s,plan\na,0,0,1000,1.5,gnn:papers100m:bgl\n");
        assertThatThrownBy(() -> TraceReader.read(file, strict)).hasMessageContaining("at least 1 GPU");
    }

    @Test
    void generated_jobs_of_every_kind_read_back_equal_and_only_they_have_its_columns() throws IOException {
        List<TraceJob> plain =
                new TraceGenerator(GeneratorSettings.DEFAULT, 200, ModelCatalog.standard()).generate(3, 64);
        UtilitySettings servers = new UtilitySettings("sigmoid", 600, 20, true, false, null);
        FreezingSettings half = new FreezingSettings(0.5, 0.02, 0.75, true);

        assertThat(headerOf(plain)).doesNotContain("plan", "utility", "freezing");
        assertThat(headerOf(JobMaker.made(new PlannedSettings(0.3), () -> plain, 1)))
                .contains("plan")
                .doesNotContain("utility", "freezing");
        assertThat(headerOf(JobMaker.made(servers, List::of, new JobMaker.Episode(50, 64, 3))))
                .contains("plan", "utility")
                .doesNotContain("freezing");
        assertThat(headerOf(JobMaker.made(half, () -> plain, 7)))
                .contains("freezing")
                .doesNotContain("plan", "utility");
    }

    /** The columns of the file of these jobs, which reads back as they are. */
    private List<String> headerOf(List<TraceJob> jobs) throws IOException {
        Path file = dir.resolve("jobs.csv");
        TraceWriter.write(jobs, file);
        Trace read = TraceReader.read(file, TraceReader.Options.DEFAULT);
        assertThat(read.jobs()).isEqualTo(jobs).isNotEmpty();
        assertThat(read.badLines()).isEmpty();
        return List.of(Files.readAllLines(file).get(0).split(",", -1));
    }

    @Test
    void writing_replaces_the_file_and_leaves_nothing_beside_it() throws IOException {
        Path file = Files.writeString(dir.resolve("own.csv"), "old");
        TraceWriter.write(List.of(new TraceJob("a", 0, 1, 1_500_000_000L, null, null, null, null)), file);
        assertThat(file).hasContent("job,submit_s,gpus,duration_s,model,user,group,virtual_cluster\na,0,1,1.5,,,,\n");
        try (Stream<Path> files = Files.list(dir)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void jobs_that_would_not_read_back_are_refused_and_the_file_stays() throws IOException {
        Path file = Files.writeString(dir.resolve("own.csv"), "old");
        refuses(file, new TraceJob("a\nb", 0, 1, 1, null, null, null, null));
        refuses(file, new TraceJob("a", 0, 1, 1, "", null, null, null));
        refuses(file, new TraceJob("a", 0, 1, Long.MAX_VALUE, null, null, null, null));
        refuses(file, demanding(Demand.ofGpus(1).elastic(1, 1_000_001)));
        refuses(file, demanding(Demand.ofGpus(1).withHost(0, Long.MAX_VALUE)));
        refuses(file, demanding(Demand.ofGpus(1).onTypes(List.of("T4|V100"))));
        refuses(file, demanding(Demand.ofGpus(1).onTypes(List.of(" T4"))));
        AdaptiveTrainingRun run = AdaptiveTrainingRun.of("LM (batch size 20)", AdaptiveTrainingRun.Mode.GNS, 9000, 1);
        refuses(file, new TraceJob("a", 0, 1, 1, null, null, null, null).hiding(AdaptiveTrainingRun.class, run));
        TraceJob twin = new TraceJob("a", 0, 1, 1, null, null, null, null);
        refuses(file, twin, twin);
        assertThat(file).hasContent("old");
    }

    private static void refuses(Path file, TraceJob... jobs) {
        assertThatThrownBy(() -> TraceWriter.write(List.of(jobs), file)).isInstanceOf(IllegalArgumentException.class);
    }

    private static TraceJob demanding(Demand demand) {
        return new TraceJob("a", 0, demand, 1, null, null, null, null);
    }

    private static Demand demand(RandomGenerator random) {
        int gpus = random.nextInt(random.nextBoolean() ? 2 : 1_000_001);
        Demand demand = gpus == 0
                ? new Demand(0, 0, random.nextInt(9), Demand.WHOLE, random.nextInt(1, 9), 0, false, List.of())
                : Demand.ofGpus(gpus);
        if (random.nextBoolean()) {
            return gpus > 0 && random.nextBoolean() ? demand.inSegments(gpus) : demand;
        }
        demand = demand.withGpuMilli(random.nextInt(1, 1001))
                .withHost(random.nextInt(1, 1 << 30), random.nextLong(1L << 39));
        demand = random.nextBoolean() ? demand.onOneServer() : demand;
        demand = gpus > 0 && random.nextBoolean()
                ? demand.elastic(random.nextInt(1, gpus + 1), random.nextInt(gpus, 1_000_001))
                : demand;
        return random.nextBoolean()
                ? demand.onTypes(List.of(name(random).strip(), name(random).strip()))
                : demand;
    }

    private static @Nullable String nameOrNull(RandomGenerator random) {
        return random.nextBoolean() ? null : name(random);
    }

    private static String name(RandomGenerator random) {
        String letters = "ab,\"#; é漢'x";
        StringBuilder name = new StringBuilder("#");
        for (int i = random.nextInt(5); i >= 0; i--) {
            name.append(letters.charAt(random.nextInt(letters.length())));
        }
        return name.substring(random.nextInt(2)) + "z";
    }
}
