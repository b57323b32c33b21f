package org.trainyard.env.performance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;

/**
 * Why jobs do not fit on an empty data centre: their width, the type of GPU they ask for, or the memory of its servers.
 * Names of types compare without case, spaces, dashes and underscores.
 */
public final class FitReason {
    private final Topology topology;
    private final IdealPlacement ideal;
    /** The names of the types here, by what is compared of them. */
    private final Map<String, String> types = new HashMap<>();

    public FitReason(Topology topology) {
        this.topology = topology;
        ideal = new IdealPlacement(topology);
        for (int server = 0; server < topology.servers(); server++) {
            String type = topology.server(server).gpuType().name();
            types.put(plain(type), type);
        }
    }

    private static String plain(String type) {
        return type.toUpperCase(Locale.ROOT).replaceAll("[ _-]", "");
    }

    /** The demand with types of GPUs named as they are here. */
    public Demand named(Demand demand) {
        if (demand.gpuTypes().stream()
                .allMatch(type -> types.getOrDefault(plain(type), type).equals(type))) {
            return demand;
        }
        return demand.onTypes(demand.gpuTypes().stream()
                .map(type -> types.getOrDefault(plain(type), type))
                .toList());
    }

    /** Why the demand does not fit, as the end of a sentence that begins with "jobs"; null when it does. */
    public @Nullable String of(Demand asked) {
        Demand demand = named(asked);
        if (ideal.fits(demand)) {
            return null;
        }
        int most = 0;
        for (int server = 0; server < topology.servers(); server++) {
            ServerSpec here = topology.server(server);
            most += demand.allows(here.gpuType().name()) ? here.gpus() : 0;
        }
        String names = String.join(" or ", demand.gpuTypes());
        if (demand.gpus() > 0 && most == 0) {
            return "ask for GPUs of type %s, which %s lacks".formatted(names, topology.name());
        } else if (demand.minGpus() > most) {
            return names.isEmpty()
                    ? Counted.say("need more than %,d GPUs", most)
                    : Counted.say("need more than the %,d GPUs of type %s of %s", most, names, topology.name());
        } else if (demand.segment() > 0 && ideal.fits(demand.inSegments(0))) {
            return Counted.say(
                    "need more segments of %,d GPUs than the racks of %s have", demand.segment(), topology.name());
        } else if (demand.gpus() > 0 && !ideal.fits(demand.withHost(0, 0))) {
            return "need more GPUs on one server than those of %s have".formatted(topology.name());
        }
        return "need more memory or CPU than servers of %s have".formatted(topology.name());
    }

    /** The jobs that fit, with types of GPUs named as they are here. */
    public List<TraceJob> fitting(List<TraceJob> jobs) {
        return jobs.stream()
                .filter(job -> of(job.demand()) == null)
                .map(job -> job.demanding(named(job.demand())))
                .toList();
    }

    /** The jobs that do not fit, by reason. */
    public List<LeftOut> leftOut(List<TraceJob> jobs) {
        Tally tally = new Tally(this);
        jobs.forEach(tally);
        return tally.leftOut();
    }

    /** Counts the jobs that do not fit as they go past. */
    public static final class Tally implements Consumer<TraceJob> {
        private final FitReason fit;
        private final Map<String, LeftOut> found = new LinkedHashMap<>();

        public Tally(FitReason fit) {
            this.fit = fit;
        }

        @Override
        public void accept(TraceJob job) {
            String reason = fit.of(job.demand());
            if (reason != null) {
                found.merge(reason, new LeftOut(reason, 1, job.gpuHours()), LeftOut::and);
            }
        }

        /** The jobs that do not fit, by reason. */
        public List<LeftOut> leftOut() {
            return new ArrayList<>(found.values());
        }
    }
}
