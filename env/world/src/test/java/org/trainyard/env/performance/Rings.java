package org.trainyard.env.performance;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.performance.contention.LinkSharing;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.TrainingPlan;

/** Jobs that only sit where they are put: 0.1 s of compute and 1 GB of gradients each. */
public final class Rings implements Occupancy {
    private static final Pressure CALM = new Pressure(0, 0, 0);
    private static final ModelProfile MODEL = new ModelProfile("model", 0.1, 1e9, 1, CALM, CALM);

    private final Topology topology;
    private final List<Placement> placements = new ArrayList<>();

    public Rings(Topology topology) {
        this.topology = topology;
    }

    /** Puts the next job on one GPU of each of these servers; a server named twice gives two. */
    public Rings on(int... servers) {
        int[] taken = new int[topology.servers()];
        int[] gpus = new int[servers.length];
        for (int i = 0; i < servers.length; i++) {
            gpus[i] = topology.firstGpu(servers[i]) + taken[servers[i]]++;
        }
        placements.add(Placement.of(topology, gpus));
        return this;
    }

    public int count() {
        return placements.size();
    }

    private List<Integer> jobsOnServer(int server) {
        List<Integer> jobs = new ArrayList<>();
        for (int job = 0; job < placements.size(); job++) {
            if (placements.get(job).indexOf(server) >= 0) {
                jobs.add(job);
            }
        }
        return jobs;
    }

    @Override
    public int jobsOn(int server) {
        return jobsOnServer(server).size();
    }

    @Override
    public int jobOn(int server, int i) {
        return jobsOnServer(server).get(i);
    }

    @Override
    public JobSpec job(int job) {
        return job(job, placements.get(job).gpuCount());
    }

    public static JobSpec job(int job, int gpus) {
        TrainingPlan plan = TrainingPlan.RingAllReduce.INSTANCE;
        return new JobSpec(job, "job" + job, 0, Demand.ofGpus(gpus), MODEL, plan, 1);
    }

    @Override
    public Placement placement(int job) {
        return placements.get(job);
    }

    @Override
    public long version() {
        return placements.size();
    }

    public double bytesPerSecond(LinkSharing sharing, int job) {
        return sharing.bytesPerSecond(job(job), placement(job), this);
    }

    public double rate(PerformanceModel model, int job) {
        return model.aloneRate(job(job), placement(job)) / model.slowdown(job(job), placement(job), this);
    }
}
