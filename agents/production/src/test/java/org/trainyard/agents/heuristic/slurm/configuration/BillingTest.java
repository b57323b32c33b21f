package org.trainyard.agents.heuristic.slurm.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Usage of a job that holds 2 nodes, 16 CPUs, 64 GiB and 8 GPUs, as the manual of slurm.conf weighs it. */
class BillingTest {
    private static final String UNNAMED =
            "slurm.conf:2, TRESBillingWeights %s: counts here only for jobs whose log names their billing";

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            nullValues = "none",
            value = {
                "none; ; 0; 16; none",
                "CPU=1.0,Mem=0.25G,GRES/gpu=2; ; 0; 48; none",
                "CPU=1.0,Mem=0.25G,GRES/gpu=2.5; MAX_TRES; 0; 20; none",
                "CPU=1.0,Mem=0.5G; MAX_TRES,NO_FAIR_TREE; 77; 32; none",
                "mem=1; ; 0; 65536; none",
                "Mem=1M,node=3; ; 0; 65542; none",
                "Mem=2T; ; 0; 0.125; none",
                "CPU=1K; ; 0; 0.015625; none",
                "GRES/gpu=1,GRES/gpu:a100=4; ; 32; 32; gres/gpu:a100=4",
                "GRES/gpu=1,GRES/gpu:a100=4; ; 0; 8; gres/gpu:a100=4",
            })
    void usage_is_the_weighted_sum_or_the_greatest_part(
            String weights, String flags, long logged, double usage, String unnamed) {
        SlurmConf conf = SlurmConf.parse(
                "slurm.conf",
                List.of(
                        "NodeName=a",
                        "PartitionName=p Nodes=a" + (weights == null ? "" : " TRESBillingWeights=" + weights),
                        flags == null ? "" : "PriorityFlags=" + flags));

        Billing billing = SlurmCluster.of(conf, null, null, null).partition("p").billing();

        assertThat(billing.of(2, 16, 64 * 1024, 8, logged)).isEqualTo(usage);
        assertThat(conf.notes()).isEqualTo(unnamed == null ? List.of() : List.of(UNNAMED.formatted(unnamed)));
    }
}
