package org.trainyard.env.workload.trace;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.goodput.GoodputProfile;
import org.trainyard.env.workload.goodput.PolluxApplications;
import org.trainyard.env.workload.goodput.PolluxJobs;
import org.trainyard.env.workload.log.LogFile;
import org.trainyard.env.workload.log.LogFormat;
import org.trainyard.env.workload.log.LogPlugin;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.RowFormat;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.batch.BatsimFormat;
import org.trainyard.env.workload.trace.batch.CondorFormat;
import org.trainyard.env.workload.trace.batch.GavelFormat;
import org.trainyard.env.workload.trace.batch.GridEngineFormat;
import org.trainyard.env.workload.trace.batch.LsfFormat;
import org.trainyard.env.workload.trace.batch.PaiTasksFormat;
import org.trainyard.env.workload.trace.batch.PbsFormat;
import org.trainyard.env.workload.trace.batch.PhillyFormat;
import org.trainyard.env.workload.trace.batch.SwfFormat;
import org.trainyard.env.workload.trace.kubernetes.PodFormat;
import org.trainyard.env.workload.trace.log.GpuText;
import org.trainyard.env.workload.trace.log.NamedFormat;
import org.trainyard.env.workload.trace.log.Table;
import org.trainyard.env.workload.trace.log.TableFormat;
import org.trainyard.env.workload.trace.slurm.ScontrolFormat;
import org.trainyard.env.workload.trace.slurm.SlurmColumns;
import org.trainyard.env.workload.trace.slurm.SlurmFormat;
import org.trainyard.env.workload.trace.slurm.SlurmGpus;

/**
 * The logs of resource managers and the published traces.
 *
 * <p>A table's format is the first one that its header is of: so Muri's (milliseconds) comes before Tiresias'
 * (seconds), whose columns it contains.
 */
public final class ClusterLogs implements LogPlugin {
    /** Slurm's accounting, as {@code sacct -P} and {@code sacct --json} print it. */
    static final SlurmFormat SACCT =
            new SlurmFormat("sacct", SlurmColumns.ACCOUNTED, SlurmColumns.optional(), SlurmFormat.Writer.SACCT);

    /**
     * The job table of Slurm's database, as a dump; MIT SuperCloud (S. Samsi et al., HPEC 2021) publishes its log as
     * one.
     */
    static final SlurmFormat SLURM_TABLE =
            new SlurmFormat("slurm-table", SlurmColumns.STORED, SlurmColumns.optional(), SlurmFormat.Writer.OTHER);

    /**
     * Slurm's queue, as {@code squeue} prints it by a format with bars, and {@code squeue --json} or {@code scontrol
     * show job --json}.
     */
    static final SlurmFormat SQUEUE =
            new SlurmFormat("squeue", SlurmColumns.QUEUED, SlurmColumns.optional(), SlurmFormat.Writer.SQUEUE);

    /** The table of jobs that Batsim writes of a run. */
    static final TableFormat BATSIM_JOBS = new TableFormat(
            "batsim-jobs",
            "job=job_id,submit=submission_time,gpus=requested_number_of_resources,start=starting_time,end=finish_time,state=final_state?,limit=requested_time?,node_list=allocated_resources?,ignore=workload_name"
                    + " success execution_time waiting_time turnaround_time stretch consumed_energy metadata"
                    + " profile");

    /**
     * The pods of Alibaba's GPU clusters, 2023 (Q. Weng et al.: Beware of fragmentation: scheduling GPU-sharing
     * workloads with fragmentation gradient descent, ATC 2023). Seconds. A pod is on one server. It holds what it
     * demands from {@code scheduled_time}, or from {@code creation_time} when it never was scheduled, to
     * {@code deletion_time}; at least a second, for times are in whole ones. Phase and quality of service are not read.
     */
    static final RowJobFormat OPENB = new RowJobFormat(
            "openb",
            List.of("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "creation_time", "deletion_time"),
            List.of("gpu_spec", "qos", "pod_phase", "scheduled_time"),
            PodRow::job);

    /**
     * Alibaba's inference instances, 2025 (cluster-trace-gpu-v2025). Seconds; instances that began before the trace
     * have no time of creation.
     */
    static final TableFormat GPU_V2025 = new TableFormat(
            "gpu-v2025",
            "job=instance_sn,gpus=gpu_request,submit=creation_time,start=scheduled_time,end=deletion_time,group=app_name?,qos=role?,most_per_node=max_instance_per_node?,ignore=cpu_request"
                    + " cpu_limit gpu_limit rdma_request rdma_limit memory_request memory_limit disk_request"
                    + " disk_limit");

    /** Alibaba's jobs on spot and reserved GPUs, 2026 (cluster-trace-v2026-spot-gpu). Seconds. */
    static final TableFormat SPOT_V2026 = new TableFormat(
            "spot-v2026",
            "job=job_name,gpu_type=gpu_model,gpus_each=gpu_request,instances=worker_num,submit=submit_time,duration=duration,account=organization?,qos=job_type?,ignore=cpu_request");

    /** Microsoft's ITP clusters, 2021 (D. Gu et al.: ElasticFlow, ASPLOS 2023). Seconds. */
    static final TableFormat ITP =
            new TableFormat("itp", "job=job_id,submit=submission_time,duration=duration,gpus=num_gpu");

    /**
     * Microsoft's Philly, 2017 (M. Jeon et al., ATC 2019), as derived for ElasticFlow: wall clocks without a zone, and
     * no ids: a job is called by its line.
     */
    static final TableFormat PHILLY =
            new TableFormat("philly", "submit=timestamp,duration=duration,gpus=num_gpus,virtual_cluster=cluster");

    /**
     * SenseTime's Helios, 2020 (Q. Hu et al., SC 2021), as sliced with {@code tenant} for the virtual cluster.
     * Submission in MICROSECONDS, duration in seconds.
     */
    static final TableFormat HELIOS = new TableFormat(
            "helios",
            "job=job_id,submit=submit_time/1000000,gpus=num_chips,duration=duration_s,user=user?,virtual_cluster=tenant?,nodes=num_nodes?,gpu_type=chip_type?,ignore=class"
                    + " walltime_limit_s final_status");

    /** The log of a cluster of Helios as published. */
    static final TableFormat HELIOS_LOG = new TableFormat(
            "helios-log",
            "job=job_id,user=user,virtual_cluster=vc,gpus=gpu_num,nodes=node_num?,state=state,submit=submit_time,start=start_time,end=end_time,ignore=cpu_num"
                    + " duration queue");

    /**
     * Shanghai AI Lab's Acme, 2023 (Q. Hu et al., NSDI 2024): the logs of Seren and Kalos. {@code gpu_num} counts all
     * servers.
     */
    static final TableFormat ACME = new TableFormat(
            "acme",
            "job=job_id,user=user,gpus=gpu_num,nodes=node_num,qos=type,state=state,submit=submit_time,start=start_time,end=end_time,ignore=cpu_num"
                    + " mem_per_pod_gb shared_mem_per_pod fail_time stop_time duration queue gpu_time");

    /**
     * Alibaba's PAI, 2020 (Q. Weng et al., NSDI 2022), as its authors' simulator reads it. Seconds; {@code num_gpu} is
     * what each instance gets.
     */
    static final TableFormat PAI_SIMULATOR = new TableFormat(
            "pai-simulator",
            "job=job_id,gpus_each=num_gpu,instances=num_inst|inst_num,submit=submit_time,duration=duration,wait=wait_time?,user=user?,group=group?,gpu_type=gpu_type?,ignore=num_cpu"
                    + " size jobid status");

    /**
     * PAI's task table joined with its group tags, a line for each job. Seconds. PAI logs when a task started, not when
     * it was submitted. {@code plan_gpu} is what each of {@code inst_num} instances gets, in hundredths of a GPU: parts
     * below one stay parts, more is rounded up to whole GPUs. {@code gpu_type} is empty or MISC for any.
     */
    static final TableFormat PAI = new TableFormat(
            "pai",
            "job=job,instances=inst_num,gpus_each=plan_gpu/100,start=start,end=end,group=group?,user=user?,gpu_type=gpu_type?");

    /**
     * The traces of Muri (Y. Zhao et al., SIGCOMM 2022). Milliseconds. The duration column is a reference and is not
     * read: a job's duration is iterations x iteration time. Muri's simulator adds 1.5 % to that (factor 1.015); we do
     * not.
     */
    static final TableFormat MURI = new TableFormat(
            "muri",
            "job=job_id,gpus=num_gpu,submit=submit_time/1000,duration=iterations*iteration_time/1000,model=model_name?,ignore=batch_size"
                    + " duration interval resource_time_0 resource_time_1 resource_time_2 priority");

    /**
     * The traces of Tiresias (J. Gu et al.: Tiresias, NSDI 2019). Seconds; iterations, model and interval may be
     * missing.
     */
    static final TableFormat TIRESIAS = new TableFormat(
            "tiresias",
            "job=job_id,gpus=num_gpu,submit=submit_time,duration=duration,model=model_name?,ignore=iterations"
                    + " interval");

    /**
     * The workloads of Pollux (A. Qiao et al.: Pollux, OSDI 2021). Seconds. A job trains one of
     * {@link org.trainyard.env.workload.goodput.PolluxApplications}, on 1 GPU to as many as its largest batch feeds, 64
     * at most; {@code ncf} on those it was submitted for. Its duration is that on the GPUs it was submitted for, four
     * to a server, with its batch adapted; the submitted batch is not read.
     */
    static final RowJobFormat POLLUX = new RowJobFormat(
            "pollux", List.of("name", "time", "application", "num_replicas", "batch_size"), List.of(), PolluxRow::job);

    private static final List<LogFormat> ALL = List.of(
            SACCT,
            SLURM_TABLE,
            SQUEUE,
            new ScontrolFormat(),
            new PodFormat(),
            new PbsFormat(),
            new LsfFormat(),
            new GridEngineFormat(),
            new CondorFormat(),
            new SwfFormat(),
            new BatsimFormat(),
            BATSIM_JOBS,
            OPENB,
            GPU_V2025,
            SPOT_V2026,
            ITP,
            PHILLY,
            new PhillyFormat(),
            HELIOS,
            HELIOS_LOG,
            ACME,
            PAI_SIMULATOR,
            PAI,
            new PaiTasksFormat(),
            MURI,
            TIRESIAS,
            POLLUX,
            new ShockwaveFormat(),
            new GavelFormat(),
            new NamedFormat(null, GpuText.NONE));

    @Override
    public List<LogFormat> formats() {
        return ALL;
    }

    @Override
    public LogFormat named(String columns) {
        return new NamedFormat(Table.parse(columns, "--columns"), SlurmGpus::found);
    }

    @Override
    public Trace other(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs)
            throws IOException {
        if (file.isParquet()) {
            return new ParquetLog(file.name(), options, jobs).read();
        } else if (file.isTable()) {
            throw new HeaderAdvice(file.header()).refused();
        }
        return new JsonLog(file.name(), options, jobs).read(file.text());
    }

    /** A table of which each row is a job. */
    private static final class RowJobFormat extends RowFormat {
        private final LogRows rows;

        RowJobFormat(String label, List<String> required, List<String> optional, LogRows rows) {
            super(label, required, optional);
            this.rows = rows;
        }

        @Override
        protected LogRows rows(LogRows.Source source) {
            return rows;
        }
    }

    /** A row of a workload of Pollux: an application that adapts its batch to the GPUs it gets. */
    private static final class PolluxRow {
        private PolluxRow() {}

        static TraceJob job(TraceRow row) {
            String application = row.text("application");
            GoodputProfile goodput = PolluxApplications.find(application);
            if (goodput == null) {
                throw new TraceFieldException(
                        "application", application, "one of " + String.join(", ", PolluxApplications.names()));
            }
            return PolluxJobs.job(row.text("name"), row.nanos("time", TraceRow.SECOND), application, goodput, (int)
                    row.whole("num_replicas", 1, PolluxJobs.MOST_GPUS));
        }
    }
}
