package org.trainyard.experiments.cli.operator;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.advice.AnswerPage;
import org.trainyard.experiments.advice.NearestScheduler;
import org.trainyard.experiments.advice.WhatIf;
import org.trainyard.experiments.advice.WhatIfAnswer;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.TableOption;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.report.HtmlReport;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.simulation.LoggedMaintenance;
import org.trainyard.experiments.timeline.TimelineJson;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Changes to try on a log in place of other schedulers. */
public final class WhatIfOptions {
    private static final String SLURM = "slurm:";

    @Option(
            names = "--what-if",
            paramLabel = "CHANGES",
            description =
                    "Instead of ranking schedulers, replay the log after changes such as \"racks=+2\", \"servers=+4 of"
                            + " H100\", \"gpus=H100\", \"arrivals=1.3\", \"limit=24h\" or \"limit gpu=24h\". Slurm's are \"quota"
                            + " research=128\", \"share bio=60\", \"window=120h..128h\", \"bf_window=2880\" or \"priority"
                            + " age=2000\". Commas separate several at once. Repeatable.")
    private List<String> changes = List.of();

    @Mixin
    private CommonOption scheduler = CommonOption.scheduler(
            "Scheduler of --what-if, one of `trainyard list schedulers` or slurm:PATH/slurm.conf (default: that of the slurm.conf beside the log, else the nearest to the past without preemption).");

    public boolean isAny() {
        return !changes.isEmpty();
    }

    private static boolean isSame(String one, String other) {
        return InputFiles.path(one)
                .toAbsolutePath()
                .normalize()
                .equals(InputFiles.path(other).toAbsolutePath().normalize());
    }

    public void answer(
            LoggedCluster logged,
            LogAccount account,
            WhatIfAnswer.Sequel sequel,
            LoggedMaintenance windows,
            String cluster,
            @Nullable Double cycleStarts,
            double restart,
            long seed,
            @Nullable String out,
            boolean json,
            TableOption table,
            PrintWriter printed,
            String log) {
        List<WhatIf> parsed =
                changes.stream().map(one -> WhatIf.parse("--what-if", one)).toList();
        Topology topology = logged.topology();
        List<TraceJob> jobs = account.jobs();
        String slurm = scheduler.value();
        SlurmFiles files = slurm != null && slurm.startsWith(SLURM)
                ? SlurmFiles.read(slurm.substring(SLURM.length()))
                : slurm == null || !slurm.startsWith("slurm") ? logged.files() : SlurmFiles.DEFAULT;
        Function<String, Topology> resolve = one -> logged.extended(Clusters.resolve("--what-if", one));
        for (WhatIf change : parsed) {
            change.check("--what-if", cluster, topology, resolve, jobs, files, slurm, windows.zeroNanos());
        }
        String also = logged.files() == null ? null : SLURM + logged.files().source();
        NearestScheduler found = scheduler.value() == null
                ? NearestScheduler.of(topology, jobs, also, windows.windows(), seed)
                : NearestScheduler.named("--scheduler", scheduler.value(), topology, seed);
        String conf = found.name().startsWith(SLURM) ? found.name().substring(SLURM.length()) : null;
        boolean isOwn = conf != null
                && logged.files() != null
                && isSame(conf, logged.files().source());
        WhatIfAnswer answer = WhatIfAnswer.of(new WhatIfAnswer.Question(
                account,
                sequel,
                windows,
                cluster,
                resolve,
                found,
                conf,
                logged.files(),
                parsed,
                isOwn ? cycleStarts : null,
                restart,
                seed));
        answer.account().print(printed, json, answer::json, answer::answer);
        table.write(answer.answer());
        if (out != null) {
            Path folder = InputFiles.path(out);
            AtomicFiles.makeFolder(folder);
            AtomicFiles.write(folder.resolve("what-if.json"), answer.json());
            AnswerPage page = new AnswerPage(
                    "What if: %s on %s".formatted(log, cluster),
                    null,
                    answer.answer()
                            .say("Waits: time between submission and end without GPUs.")
                            .section("", List.of()),
                    TimelineJson.of(answer.timelines()));
            AtomicFiles.write(folder.resolve("what-if.html"), HtmlReport.page(page));
        }
    }
}
