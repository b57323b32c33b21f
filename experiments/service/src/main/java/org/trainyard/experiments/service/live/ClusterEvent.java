package org.trainyard.experiments.service.live;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.Bounds;
import org.trainyard.env.binding.OptionalKey;
import org.trainyard.env.binding.SnakeCase;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.experiments.service.live.EventReader.Change.Effect;
import org.trainyard.experiments.service.live.Requests.Name;

/** An event of a cluster, as reported by clients; the name of the record is the type of the event. */
@SnakeCase
public sealed interface ClusterEvent {
    /** A server of a placement, with the numbers of its GPUs. */
    record Placed(@Name String server, List<Integer> gpus) {}

    /** Effect of the event on the state of the cluster; an impossible one is refused. */
    Effect effect(EventReader reader);

    /** A job comes. */
    record Arrival(
            @Name String job,
            @Bounds(most = TraceLimits.GPUS) int gpus,
            @OptionalKey @Nullable @Name String model,
            @OptionalKey @Nullable @Name String user,
            @OptionalKey @Nullable @Name String group,
            @OptionalKey @Nullable @Name String virtualCluster,
            @OptionalKey @Nullable Double predictedRunSeconds,
            @OptionalKey @Nullable Integer minGpus,
            @OptionalKey @Nullable Integer maxGpus,

            @OptionalKey(orElse = "1000") @Bounds(least = 1, most = Demand.WHOLE)
            int gpuMilli,

            @OptionalKey(orElse = "0") @Bounds(most = MOST_OF_HOST)
            long cpuMilli,

            @OptionalKey(orElse = "0") @Bounds(most = MOST_OF_HOST)
            long memoryMib,

            @OptionalKey(orElse = "false") boolean oneServer,
            @OptionalKey @Nullable @Bounds(most = 16) List<String> gpuTypes)
            implements ClusterEvent {
        @SuppressWarnings("UnusedVariable") // read by the bounds above
        private static final long MOST_OF_HOST = 1_000_000_000_000L;

        public Arrival {
            if (predictedRunSeconds != null) {
                InvalidFieldException.atLeast(1e-6, "predictedRunSeconds", predictedRunSeconds);
            }
            if (gpus == 0 && cpuMilli + memoryMib == 0) {
                throw new InvalidFieldException("gpus", gpus, "at least 1, or CPUs or memory");
            }
            if (minGpus != null) {
                InvalidFieldException.within(Math.min(1, gpus), gpus, "minGpus", minGpus);
            }
            if (maxGpus != null) {
                InvalidFieldException.within(gpus, TraceLimits.GPUS, "maxGpus", maxGpus);
            }
            for (String type : gpuTypes == null ? List.<String>of() : gpuTypes) {
                if (type.isBlank() || type.length() > 200) {
                    throw new InvalidFieldException("gpuTypes", type, "texts of 1 to 200 characters");
                }
            }
        }

        Demand demand() {
            return new Demand(
                    gpus,
                    minGpus == null ? gpus : minGpus,
                    maxGpus == null ? gpus : maxGpus,
                    gpuMilli,
                    cpuMilli,
                    memoryMib,
                    oneServer,
                    gpuTypes == null ? List.of() : gpuTypes);
        }

        @Override
        public Effect effect(EventReader reader) {
            return reader.arrival(this);
        }
    }

    /** A waiting job starts. */
    record Started(@Name String job, List<Placed> placement) implements ClusterEvent {
        @Override
        public Effect effect(EventReader reader) {
            int number = reader.job(job, JobState.WAITING);
            Placement where = reader.placement(placement);
            return live -> live.start(number, where);
        }
    }

    /** A running job gets other GPUs. */
    record Resized(@Name String job, List<Placed> placement) implements ClusterEvent {
        @Override
        public Effect effect(EventReader reader) {
            int number = reader.job(job, JobState.RUNNING);
            Placement where = reader.placement(placement);
            return live -> live.resize(number, where);
        }
    }

    /** A waiting job goes to another domain. */
    record Forwarded(
            @Name String job,
            @Bounds(most = Integer.MAX_VALUE) int domain) implements ClusterEvent {
        @Override
        public Effect effect(EventReader reader) {
            int number = reader.job(job, JobState.WAITING);
            reader.requireDomain(domain);
            return live -> live.forward(number, domain);
        }
    }

    /** A running job is preempted. */
    record Preempted(@Name String job) implements ClusterEvent {
        @Override
        public Effect effect(EventReader reader) {
            int number = reader.job(job, JobState.RUNNING);
            return live -> live.preempt(number);
        }
    }

    /** A running job waits again. */
    record Requeued(@Name String job) implements ClusterEvent {
        @Override
        public Effect effect(EventReader reader) {
            int number = reader.job(job, JobState.RUNNING);
            return live -> live.requeue(number);
        }
    }

    /** A running job has made so many iterations. */
    record Progress(@Name String job, @Bounds double iterations) implements ClusterEvent {
        @Override
        public Effect effect(EventReader reader) {
            int number = reader.job(job, JobState.RUNNING);
            return live -> live.report(number, iterations);
        }
    }

    /** A running job ends. */
    record Ended(
            @Name String job, @OptionalKey @Nullable @Bounds Double iterations) implements ClusterEvent {
        @Override
        public Effect effect(EventReader reader) {
            int number = reader.job(job, JobState.RUNNING);
            return iterations == null ? live -> live.finish(number) : live -> live.finish(number, iterations);
        }
    }

    /** A waiting job goes. */
    record Cancelled(@Name String job) implements ClusterEvent {
        @Override
        public Effect effect(EventReader reader) {
            int number = reader.job(job, JobState.WAITING);
            return live -> live.cancel(number);
        }
    }

    /** A server or one of its GPUs fails. */
    record NodeDown(
            @Name String server,

            @OptionalKey @Nullable @Bounds(most = Integer.MAX_VALUE)
            Integer gpu) implements ClusterEvent {
        @Override
        public Effect effect(EventReader reader) {
            int unit = reader.unit(server, gpu, true);
            return live -> live.breakDown(unit);
        }
    }

    /** A server or one of its GPUs is repaired. */
    record NodeUp(
            @Name String server,

            @OptionalKey @Nullable @Bounds(most = Integer.MAX_VALUE)
            Integer gpu) implements ClusterEvent {
        @Override
        public Effect effect(EventReader reader) {
            int unit = reader.unit(server, gpu, false);
            return live -> live.repair(unit);
        }
    }
}
