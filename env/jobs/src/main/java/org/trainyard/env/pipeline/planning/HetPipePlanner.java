package org.trainyard.env.pipeline.planning;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.MicroBatchOrder;

/**
 * HetPipe: equal virtual workers, each a pipeline over GPUs of one server or over one GPU of each server, which
 * exchange gradients every second iteration.
 *
 * <p>Source: J. H. Park et al.: HetPipe: enabling large DNN training on (whimpy) heterogeneous GPU clusters through
 * integration of pipelined model parallelism and data parallelism, ATC 2020. Our approximation: (1) an all-reduce of
 * each stage in place of the parameter server, its time spread over {@value #SYNC_PERIOD} iterations; (2) of both kinds
 * of virtual workers the faster; (3) on servers with unequal numbers of GPUs, one virtual worker of all.
 */
public final class HetPipePlanner implements PipelinePlanner {
    private static final int SYNC_PERIOD = 2;

    @Override
    public PipelinePlan plan(LayerProfile profile, Devices devices, int microBatches) {
        List<List<Integer>> servers = new ArrayList<>();
        for (int gpu = 0; gpu < devices.count(); gpu++) {
            while (servers.size() <= devices.serverOf(gpu)) {
                servers.add(new ArrayList<>());
            }
            servers.get(devices.serverOf(gpu)).add(gpu);
        }
        int each = servers.get(0).size();
        if (!servers.stream().allMatch(server -> server.size() == each)) {
            List<Integer> all = new ArrayList<>();
            servers.forEach(all::addAll);
            return plan(profile, devices, microBatches, List.of(all));
        }
        PipelinePlan within = plan(profile, devices, microBatches, servers);
        List<List<Integer>> across = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            int at = i;
            across.add(servers.stream().map(server -> server.get(at)).toList());
        }
        PipelinePlan acrossServers = plan(profile, devices, microBatches, across);
        return acrossServers.isBetterThan(within) ? acrossServers : within;
    }

    private static PipelinePlan plan(
            LayerProfile profile, Devices devices, int microBatches, List<List<Integer>> workers) {
        int depth = Math.min(profile.size(), workers.get(0).size());
        int[] ends = GPipePlanner.balanced(profile, depth);
        List<PipelineStage> stages = new ArrayList<>();
        for (int s = 0; s < depth; s++) {
            int stage = s;
            int[] gpus = workers.stream().mapToInt(worker -> worker.get(stage)).toArray();
            stages.add(new PipelineStage(s == 0 ? 0 : ends[s - 1], ends[s], gpus));
        }
        StageLayout layout =
                new StageLayout(stages, workers.size(), MicroBatchOrder.ONE_FORWARD_ONE_BACKWARD, SYNC_PERIOD);
        return PipelinePlan.of(profile, devices, layout, microBatches);
    }
}
