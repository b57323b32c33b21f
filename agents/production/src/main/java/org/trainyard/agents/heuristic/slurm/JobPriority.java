package org.trainyard.agents.heuristic.slurm;

import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.trainyard.agents.heuristic.slurm.configuration.FairShare;
import org.trainyard.agents.heuristic.slurm.configuration.PrioritySettings;
import org.trainyard.agents.heuristic.slurm.configuration.Qos;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;

/**
 * The priorities of pending jobs. {@code priority/basic} counts down from the greatest by order of submission.
 * {@code priority/multifactor} sums weighted factors of age, fair share, size, partition and QOS at the submission and
 * then once a period, when usage decays.
 *
 * <p>Simplified: (1) the factor of sites is not there; (2) the weights of usage are those of
 * {@link org.trainyard.agents.heuristic.slurm.configuration.Billing}.
 */
public final class JobPriority {
    private static final long GREATEST_BASIC = 4_294_901_759L;
    private static final long GREATEST = 4_294_967_295L;

    private final SlurmState state;
    private final PrioritySettings settings;
    private final double decay;
    private final long allCpus;
    private final int greatestPartition;
    private final long greatestQos;
    private final long greatestAssociation;
    private long nextBasic = GREATEST_BASIC;
    private long lastSecond;

    /** @param second at which usage is none */
    public JobPriority(SlurmState state, long second) {
        this.state = state;
        settings = state.cluster().priority();
        decay = settings.decayPerSecond();
        lastSecond = second;
        allCpus = state.cluster().nodes().stream()
                .mapToLong(SlurmCluster.Node::cpus)
                .sum();
        int partition = 1;
        for (SlurmPartition each : state.cluster().partitions()) {
            partition = Math.max(partition, each.jobFactor());
        }
        greatestPartition = partition;
        long qos = 1;
        for (Qos each : state.cluster().allQos()) {
            qos = Math.max(qos, each.priority());
        }
        greatestQos = qos;
        greatestAssociation = Math.max(1, state.cluster().root().greatestPriority());
    }

    /** The priorities of a job that is submitted now, in each of its partitions. */
    public long[] initial(SlurmJob job, long second) {
        return settings.multifactor() ? inEach(job, second) : new long[] {nextBasic--};
    }

    /**
     * The multifactor priority of a pending job in its first partition, with the fair shares of the last calculation.
     */
    public long now(SlurmJob job, long second) {
        return now(job, job.request().partitions().get(0), second);
    }

    /** The multifactor priorities of a pending job, one for each of its partitions. */
    public long[] inEach(SlurmJob job, long second) {
        List<SlurmPartition> partitions = job.request().partitions();
        long[] each = new long[partitions.size()];
        for (int i = 0; i < each.length; i++) {
            each[i] = now(job, partitions.get(i), second);
        }
        return each;
    }

    private long now(SlurmJob job, SlurmPartition in, long second) {
        long aged = job.accrueSecond < 0 ? 0 : Math.max(0, second - job.accrueSecond);
        double age = Math.min(1, aged / (double) settings.maxAgeSeconds());
        double sum = settings.age() * age
                + settings.fairshare() * job.association.factor()
                + settings.jobSize() * size(job, in)
                + settings.partition() * (in.jobFactor() / (double) greatestPartition)
                + settings.qos() * (job.request().qos().priority() / (double) greatestQos)
                + settings.assoc() * (job.association.priority() / (double) greatestAssociation)
                + tres(job, in)
                - job.request().nice();
        return (long) Math.min(GREATEST, Math.max(1, sum));
    }

    private double tres(SlurmJob job, SlurmPartition in) {
        double sum = 0;
        for (Map.Entry<String, Double> weight : settings.tres().entrySet()) {
            sum += weight.getValue()
                    * switch (weight.getKey()) {
                        case "cpu" -> part(job.cpus(), in, SlurmCluster.Node::cpus);
                        case "gres/gpu" -> part(job.gpus(), in, SlurmCluster.Node::gpus);
                        default -> part(job.nodes(), in, node -> 1);
                    };
        }
        return sum;
    }

    private double part(int asked, SlurmPartition in, ToIntFunction<SlurmCluster.Node> of) {
        long all = in.nodes().stream()
                .mapToLong(node -> of.applyAsInt(state.cluster().nodes().get(node)))
                .sum();
        return all == 0 ? 0 : asked / (double) all;
    }

    private double size(SlurmJob job, SlurmPartition in) {
        double nodes = job.nodes() / (double) state.cluster().nodes().size();
        double cpus = allCpus == 0 ? 0 : job.cpus() / (double) allCpus;
        double size;
        if (settings.sizeRelative()) {
            size = Math.max(nodes, cpus) / Math.max(1, job.limitSeconds(in) / 60);
            size = settings.favorSmall() ? 1 - size : size;
        } else {
            size = job.cpus() == 0 ? nodes : (nodes + cpus) / 2;
            size = settings.favorSmall() ? 1 - size : size;
        }
        return Math.max(0, Math.min(1, size));
    }

    /** Decays usage, adds what running jobs used, and calculates fair shares. */
    public void decay(long second) {
        if (!settings.multifactor()) {
            return;
        }
        state.cluster().root().decay(Math.pow(decay, (double) (second - lastSecond)));
        lastSecond = second;
        for (SlurmJob job : state.running) {
            use(job, second);
        }
        FairShare.calculate(state.cluster().root(), settings.fairTree());
    }

    /** Sets the priorities of all pending jobs anew. */
    public void calculate(long second) {
        if (settings.multifactor()) {
            state.prioritiseAll(job -> inEach(job, second));
        }
    }

    /** Adds what a job has used since the last time; to be called before a running job ends. */
    public void use(SlurmJob job, long second) {
        long seconds = Math.max(0, second - job.countedSecond);
        job.countedSecond = Math.max(second, job.countedSecond);
        job.association.use(job.billing()
                * seconds
                * Math.pow(decay, (double) seconds)
                * job.request().qos().usageFactor());
    }
}
