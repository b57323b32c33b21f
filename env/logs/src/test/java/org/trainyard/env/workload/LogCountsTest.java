package org.trainyard.env.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;

/**
 * Jobs and GPU-seconds of real logs are those that {@code experiments/python/src/test/python/count_jobs.py} counts
 * without the readers.
 */
class LogCountsTest {
    private static void counts(Path file, String format, int jobs, double gpuSeconds) {
        Trace trace = TraceReader.read(file, TraceReader.Options.DEFAULT);

        assertThat(trace.format().label()).isEqualTo(format);
        assertThat(trace.jobs()).hasSize(jobs);
        assertThat(trace.jobs().stream().mapToDouble(TraceJob::gpuHours).sum() * 3600)
                .isCloseTo(gpuSeconds, withinPercentage(0.001));
    }

    @ParameterizedTest
    @CsvSource({
        "slurm_real/R4s/sacct.txt, sacct, 252, 24160",
        "slurm_real/R1/sacct.json.gz, sacct, 250, 23106",
        "slurm_real/R2/sacct.json.gz, sacct, 250, 22855",
        "slurm_real/R3/sacct.json.gz, sacct, 250, 22395",
        "slurm_real/R4s/sacct.json.gz, sacct, 252, 24160",
        "gavel/artifact_evaluation.trace.gz, gavel, 15, 21421.53",
        "gavel/max_min_fairness.trace.gz, gavel, 96, 1413454.93",
        "gavel/minimize_makespan.trace.gz, gavel, 100, 2164392.81",
        "helios/helios_venus_2vc_sept.csv.gz, helios, 1867, 425944113",
        "philly/philly_pass.csv.gz, philly, 82247, 3521082502",
        "philly/philly_multigpu_attempts.json.gz, philly-log, 3034, 2780499366",
        "tiresias/60_job.csv, tiresias, 60, 26624",
        "elasticflow_itp/cluster01.csv.gz, itp, 1595, 81864453"
    })
    void of_the_data_beside_the_checkout(String file, String format, int jobs, double gpuSeconds) {
        counts(TestFiles.real(file), format, jobs, gpuSeconds);
    }

    /** Files of public repositories, which nobody need have: {@code -Dtrainyard.logs=FOLDER} names where they are. */
    @ParameterizedTest
    @CsvSource({
        "disaggregated_DLRM_trace.csv, gpu-v2025, 3202, 263617862",
        "test_batsim_paper_workload_seed1.json, batsim, 800, 256361.954",
        "example_workload_hpc_seed1_jobs250.json, batsim, 250, 969575.04",
        "openb_pod_list_gpuspec33.csv, openb, 8152, 185395450.89",
        "openb_pod_list_cpu050.csv, openb, 7439, 185395450.89"
    })
    void of_public_files(String name, String format, int jobs, double gpuSeconds) {
        Path file = Path.of(System.getProperty("trainyard.logs", "."), name);
        assumeTrue(Files.exists(file), () -> "skipped: there is no " + file + "; -Dtrainyard.logs names its folder");
        counts(file, format, jobs, gpuSeconds);
    }
}
