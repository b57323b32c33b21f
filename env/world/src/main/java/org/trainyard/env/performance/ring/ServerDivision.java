package org.trainyard.env.performance.ring;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/** A division of servers among jobs of a kind, which no interference model then counts between them. */
public interface ServerDivision {
    /** Divisions of a kind of jobs, found by {@link ServiceLoader}. */
    interface Source {
        List<ServerDivision> divisions();
    }

    /** No job divides a server with another. */
    ServerDivision NONE = new ServerDivision() {
        @Override
        public String label() {
            return "none";
        }

        @Override
        public boolean counts() {
            return false;
        }

        @Override
        public boolean divides(JobSpec job, JobSpec other) {
            return false;
        }

        @Override
        public double slowdownOn(int i, JobSpec job, Placement placement, Occupancy occupancy, RingPerformance rings) {
            return 1;
        }
    };

    /** All divisions, {@link #NONE} first. */
    static List<ServerDivision> all() {
        List<ServerDivision> all = new ArrayList<>(List.of(NONE));
        ServiceLoader.load(Source.class, Source.class.getClassLoader())
                .forEach(source -> all.addAll(source.divisions()));
        return all;
    }

    /** The name in configs. */
    String label();

    /** Whether servers are divided at all. */
    boolean counts();

    /** Whether both jobs divide a server on which they are. */
    boolean divides(JobSpec job, JobSpec other);

    /** How much longer an iteration takes because of the division of the i-th server, at least 1. */
    double slowdownOn(int i, JobSpec job, Placement placement, Occupancy occupancy, RingPerformance rings);
}
