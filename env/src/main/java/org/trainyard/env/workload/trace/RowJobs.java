package org.trainyard.env.workload.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LoggedFacts;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.trace.batch.BatsimJson;
import org.trainyard.env.workload.trace.batch.CondorAds;
import org.trainyard.env.workload.trace.batch.LsfText;
import org.trainyard.env.workload.trace.batch.PaiJobTable;
import org.trainyard.env.workload.trace.batch.PbsText;
import org.trainyard.env.workload.trace.batch.PhillyJson;
import org.trainyard.env.workload.trace.batch.SwfRows;
import org.trainyard.env.workload.trace.kubernetes.PodRows;
import org.trainyard.env.workload.trace.log.LeftOut;
import org.trainyard.env.workload.trace.log.LogEntry;
import org.trainyard.env.workload.trace.log.LogJob;
import org.trainyard.env.workload.trace.log.LogJobs;
import org.trainyard.env.workload.trace.log.Table;
import org.trainyard.env.workload.trace.log.TableRows;
import org.trainyard.env.workload.trace.log.TraceColumns;
import org.trainyard.env.workload.trace.log.TraceRow;
import org.trainyard.env.workload.trace.slurm.SacctJson;
import org.trainyard.env.workload.trace.slurm.SlurmRows;

/** Reads the rows of one file by its format. */
final class RowJobs {
    private static final int WHOLE = 1000;

    private static final Set<String> KNOWN =
            GpuType.known().stream().map(GpuType::name).collect(Collectors.toUnmodifiableSet());

    private final TraceFormat format;
    private final LogJobs log;
    private final boolean single;
    private @Nullable Table table;
    private @Nullable TableRows tables;
    private @Nullable SlurmRows slurm;
    private @Nullable PodRows pods;
    private @Nullable PbsText pbs;
    private @Nullable LsfText lsf;
    private @Nullable SwfRows swf;
    private @Nullable CondorAds condor;
    private @Nullable BatsimJson batsim;
    private @Nullable PhillyJson philly;
    private final @Nullable PaiJobTable paiJobs;
    private final TraceColumns columns;

    /** @param file that the rows are of */
    RowJobs(String file, TraceFormat format, TraceColumns columns, TraceReader.Options options, LogJobs log) {
        this.format = format;
        this.columns = columns;
        this.log = log;
        table = format == TraceFormat.NAMED ? options.columns() : format.table();
        single = table == null ? format.isOfSingleRows() : !table.hasPast() && format != TraceFormat.PAI_TASKS;
        paiJobs = format == TraceFormat.PAI_TASKS ? PaiJobTable.beside(Path.of(file), options.mostBytes(), log) : null;
        switch (format) {
            case SACCT, SLURM_TABLE, SQUEUE, SCONTROL -> slurm = new SlurmRows(columns, log, options.shards());
            case KUBERNETES -> pods = new PodRows(log, options.gpuReplicas());
            case PBS -> pbs = new PbsText(log);
            case SWF -> swf = new SwfRows(log);
            case CONDOR -> condor = new CondorAds(log);
            case BATSIM -> batsim = new BatsimJson(log);
            case PHILLY_LOG -> philly = new PhillyJson(log);
            default -> {
                if (format == TraceFormat.LSF && columns.has("record")) {
                    lsf = new LsfText(log);
                    table = null;
                } else if (table != null) {
                    tables = new TableRows(table, columns, log, paiJobs != null);
                }
            }
        }
    }

    /** Reads a row; the job that it is, in formats of which every row is one, else null. */
    @Nullable TraceJob add(TraceRow row) {
        if (slurm != null) {
            slurm.add(row);
        } else if (pods != null) {
            pods.add(row);
        } else if (pbs != null) {
            pbs.add(row);
        } else if (lsf != null) {
            lsf.add(row);
        } else if (swf != null) {
            swf.add(row);
        } else if (condor != null) {
            condor.add(ad(row));
        } else if (tables != null) {
            LogEntry entry = tables.entry(row);
            if (entry != null && single) {
                return traceJob(entry.alone());
            } else if (entry != null) {
                log.take(format == TraceFormat.PAI_TASKS ? task(entry, row) : entry);
            }
        } else {
            return format.parse(row);
        }
        return null;
    }

    private LogEntry task(LogEntry entry, TraceRow row) {
        LogEntry task = entry.partOf(row.textOr("task_name", ""));
        return paiJobs == null ? task : paiJobs.completed(task);
    }

    private Map<String, String> ad(TraceRow row) {
        Map<String, String> ad = new LinkedHashMap<>();
        row.text("ad").lines().forEach(line -> CondorAds.put(line, ad));
        return ad;
    }

    /** Reads an object of JSON. */
    void add(JsonNode object, JsonNode beside, int line) {
        if (slurm != null) {
            slurm.add(new TraceRow(columns, SacctJson.row(object), line));
        } else if (pods != null) {
            pods.add(object, line);
        } else if (condor != null) {
            Map<String, String> ad = new LinkedHashMap<>();
            object.properties()
                    .forEach(field -> ad.put(field.getKey(), field.getValue().asText()));
            condor.add(ad);
        } else if (batsim != null) {
            batsim.add(object, beside.path("profiles"));
        } else if (philly != null) {
            philly.add(object);
        } else {
            throw new IllegalStateException("objects of %s are rows".formatted(format));
        }
    }

    void finish() {
        if (pbs != null) {
            pbs.finish();
        }
    }

    /** Whether times of this file are counted from 1970. */
    boolean isDated() {
        return tables != null && tables.isDated();
    }

    /** Whether a column of the file is read, or known and not needed. */
    boolean reads(String column) {
        if (format == TraceFormat.NAMED && table != null) {
            return table.required().contains(column) || table.optional().contains(column);
        }
        return format.knows(column)
                || (slurm != null && format == TraceFormat.SCONTROL)
                || !format.hasHeader()
                || lsf != null;
    }

    static TraceJob traceJob(LogJob job) {
        Demand demand = Demand.ofGpus(job.gpus());
        if (job.gpuMilli() < WHOLE) {
            demand = demand.withGpuMilli(job.gpuMilli());
        }
        if (!job.gpuTypes().isEmpty()) {
            demand = demand.onTypes(named(job.gpuTypes()));
        }
        boolean started = job.startNanos() >= 0;
        LoggedRun past = !started
                ? null
                : new LoggedRun(
                        job.startNanos(),
                        Math.max(job.endNanos(), job.startNanos() + job.ranNanos()),
                        new LoggedFacts(
                                job.nodeList(),
                                job.state(),
                                job.exitCode(),
                                job.reason(),
                                job.runs() - 1,
                                job.heldNanos()));
        return new TraceJob(
                        job.id(),
                        started ? Math.min(job.submitNanos(), job.startNanos()) : job.submitNanos(),
                        demand,
                        job.ranNanos(),
                        job.model(),
                        job.user(),
                        job.group(),
                        job.virtualCluster())
                .ran(past)
                .on(job.terms());
    }

    private static List<String> named(List<String> types) {
        return KNOWN.containsAll(types)
                ? types
                : types.stream()
                        .map(type -> KNOWN.contains(type) ? type : GpuType.nameIn(type))
                        .toList();
    }

    static String sentence(LeftOut left) {
        String hours = left.gpuHours() > 0 ? String.format(Locale.ROOT, " (%,.1f GPU-hours)", left.gpuHours()) : "";
        return "Left out: %,d jobs %s%s.".formatted(left.jobs(), left.reason(), hours);
    }
}
