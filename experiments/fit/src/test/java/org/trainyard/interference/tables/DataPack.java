package org.trainyard.interference.tables;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.trainyard.interference.measured.MeasurementTable;

/** The published measurements beside the checkout; tests that need them are skipped where they are not. */
public final class DataPack {
    public static final String DEEPSHARE = "deepshare/shared_thp_ratio.csv";
    public static final String DEEPSHARE_ALONE = "deepshare/isolated_thp.csv";
    public static final String GAVEL = "gavel/simulation_throughputs.json.gz";
    public static final String GAVEL_PHYSICAL = "gavel/physical_cluster_throughputs.json.gz";
    public static final String GAVEL_OLD = "gavel/oracle_throughputs_new_format_OLD.json.gz";
    public static final String MINSKY = "topo_aware_minsky/prof_from_experiments_full.json.gz";

    private DataPack() {}

    public static List<Path> files(String... names) {
        Path data = Path.of(System.getProperty("trainyard.root", ".")).resolve("../shared/data");
        assumeThat(data)
                .as("the data pack with the measurements is not beside this checkout")
                .isDirectory();
        Path folder = data;
        return Arrays.stream(names).map(folder::resolve).toList();
    }

    public static MeasurementTable table(String... names) {
        return Datasets.read(files(names));
    }
}
