package org.trainyard.experiments.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.evaluation.DecisionCost;
import org.trainyard.experiments.evaluation.Latencies;
import org.trainyard.experiments.evaluation.Runs;
import org.trainyard.experiments.evaluation.TimedScheduler;

class RunBytesTest {
    private static final long SECOND = 1_000_000_000L;

    private static JobOutcome job(int id, long end, Random random) {
        JobSpec spec = Runs.job(id, id * SECOND, 0, 1).job();
        JobOutcome.TimeOnGpus time =
                new JobOutcome.TimeOnGpus(random.nextInt(), random.nextInt(), random.nextInt(), random.nextInt());
        return new JobOutcome(
                spec,
                random.nextInt(),
                end,
                time,
                random.nextInt(9),
                random.nextInt(),
                1 + random.nextDouble(),
                random.nextInt(),
                random.nextInt(),
                random.nextDouble(),
                random.nextDouble(),
                random.nextInt(),
                id % 2 == 0);
    }

    private static Latencies latencies(long... nanos) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(nanos.length);
        for (long one : nanos) {
            out.writeLong(one);
        }
        return Latencies.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    }

    @Test
    void a_run_comes_back_from_its_bytes() throws IOException {
        Random random = new Random(2);
        List<JobOutcome> jobs = IntStream.range(0, 3)
                .mapToObj(id -> job(id, 50 * SECOND + id, random))
                .toList();
        JobSpec last = Runs.job(3, 3 * SECOND, 0, 1).job();
        Workload workload = new Workload(
                IntStream.range(0, 4)
                        .mapToObj(id -> id == 3 ? last : jobs.get(id).job())
                        .toList(),
                new double[] {1, 2, 3, 4});
        RunResult result =
                new RunResult(jobs, List.of(new RunResult.RejectedJob(last, 2.5, "too wide")), 4, 7.5, 11, 12, "hash");
        DecisionCost cost = new DecisionCost("sjf", 1.5, 0.5, 20, 4, latencies(9_000, 3_000), latencies(5_000));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        RunBytes.write(new TimedScheduler.Run(result, cost), new DataOutputStream(bytes));
        TimedScheduler.Run read =
                RunBytes.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), workload, "sjf");

        assertThat(read.result()).isEqualTo(result);
        ObjectMapper json = new ObjectMapper();
        assertThat(json.writeValueAsString(read.cost())).isEqualTo(json.writeValueAsString(cost));
    }
}
