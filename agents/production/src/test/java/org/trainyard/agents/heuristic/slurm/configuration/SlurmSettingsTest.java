package org.trainyard.agents.heuristic.slurm.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.ServerSpec;

/** Each setting that is read, with the defaults and units of slurm.conf(5) and sacctmgr(1). */
class SlurmSettingsTest {
    private static final String NODES = "NodeName=n[1-4] CPUs=8 Gres=gpu:a100:4";

    private static SlurmConf conf(String... lines) {
        return SlurmConf.parse("slurm.conf", List.of(lines));
    }

    private static SlurmCluster cluster(String... more) {
        List<String> lines = new ArrayList<>(List.of(NODES));
        lines.addAll(List.of(more));
        return SlurmCluster.of(SlurmConf.parse("slurm.conf", lines), null, null, null);
    }

    private static BitSet set(int... members) {
        BitSet set = new BitSet();
        for (int member : members) {
            set.set(member);
        }
        return set;
    }

    @Test
    void each_parameter_of_the_scheduler_is_read_or_has_its_default() {
        assertThat(SchedulerParameters.of(conf("SchedulerParameters=bf_continue")))
                .isEqualTo(new SchedulerParameters(
                        30, 86_400, 60, 500, 0, 0, 0, 20, 0, 0, 0, 0, 100, 60, 3, 0, 0, false, false, 1, false, false));
        assertThat(SchedulerParameters.of(
                        conf("SchedulerParameters=bf_interval=31,bf_window=32,bf_resolution=33,bf_max_job_test=34,"
                                + "bf_max_job_start=35,bf_max_job_user=36,bf_max_job_part=37,bf_max_job_array_resv=38,"
                                + "BF_JOB_PART_COUNT_RESERVE=39,bf_min_prio_reserve=40,bf_min_age_reserve=41,"
                                + "bf_window_linear=42,default_queue_depth=43,sched_interval=44,batch_sched_delay=45,"
                                + "sched_max_job_start=46,partition_job_depth=47,preempt_reorder_count=48")))
                .isEqualTo(new SchedulerParameters(
                        31, 32 * 60, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, false, false, 48,
                        false, false));
        assertThat(SchedulerParameters.of(conf("SchedulerParameters=bf_resolution=0"))
                        .resolution())
                .isEqualTo(1);
        assertThatThrownBy(() -> SchedulerParameters.of(conf("SchedulerParameters=bf_window=-1")))
                .isInstanceOf(InputException.class)
                .hasMessage("slurm.conf, SchedulerParameters bf_window: '-1' is not valid: expected 0 or more");
    }

    @ParameterizedTest
    @CsvSource({
        "assoc_limit_stop, true, false, false, false",
        "bf_busy_nodes, false, true, false, false",
        "preempt_strict_order, false, false, true, false",
        "preempt_youngest_first, false, false, false, true"
    })
    void each_flag_of_the_scheduler_is_its_own(
            String flag, boolean stops, boolean busy, boolean strict, boolean youngest) {
        SchedulerParameters parameters = SchedulerParameters.of(conf("SchedulerParameters=defer," + flag));

        assertThat(List.of(
                        parameters.limitStop(),
                        parameters.busyNodes(),
                        parameters.preemptStrictOrder(),
                        parameters.preemptYoungestFirst()))
                .containsExactly(stops, busy, strict, youngest);
    }

    @Test
    void each_setting_of_priorities_is_read_or_has_its_default() {
        assertThat(PrioritySettings.of(conf("ClusterName=c")))
                .isEqualTo(new PrioritySettings(
                        false, 604_800, 300, 604_800, false, false, true, 0, 0, 0, 0, 0, 0, Map.of()));
        SlurmConf all = conf(
                "PriorityType=priority/multifactor",
                "PriorityDecayHalfLife=1-00:00:00",
                "PriorityCalcPeriod=00:02:00",
                "PriorityMaxAge=30",
                "PriorityFavorSmall=YES",
                "PriorityFlags=small_relative_to_time,NO_FAIR_TREE,DEPTH_OBLIVIOUS",
                "PriorityWeightAge=1",
                "PriorityWeightFairshare=2",
                "PriorityWeightJobSize=3",
                "PriorityWeightPartition=4",
                "PriorityWeightQOS=5",
                "PriorityWeightAssoc=6",
                "PriorityWeightTRES=CPU=7,Node=8.5,GRES/gpu=9,Mem=10");
        assertThat(PrioritySettings.of(all))
                .isEqualTo(new PrioritySettings(
                        true,
                        86_400,
                        120,
                        1_800,
                        true,
                        true,
                        false,
                        1,
                        2,
                        3,
                        4,
                        5,
                        6,
                        Map.of("cpu", 7.0, "node", 8.5, "gres/gpu", 9.0)));
        assertThat(all.notes())
                .containsExactly(
                        "PriorityFlags DEPTH_OBLIVIOUS: has no effect here",
                        "PriorityWeightTRES Mem=10: has no effect here");
        assertThatThrownBy(() -> PrioritySettings.of(conf("PriorityWeightTRES=cpu=many")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("slurm.conf, PriorityWeightTRES: 'cpu=many'");
    }

    /** As in priority_multifactor.c: 0.693 over the half-life, each second. */
    @ParameterizedTest
    @CsvSource({"PriorityDecayHalfLife=0, 1", "PriorityDecayHalfLife=00:11:33, 0.999"})
    void usage_decays_by_the_half_life(String setting, double perSecond) {
        assertThat(PrioritySettings.of(conf(setting)).decayPerSecond()).isEqualTo(perSecond);
    }

    @Test
    void each_column_of_a_qos_is_read_or_has_its_default() {
        List<String> table = List.of(
                "Name|Priority|GraceTime|Preempt|PreemptExemptTime|PreemptMode|Flags|UsageFactor|GrpTRES|GrpJobs|MaxTRES|MaxWall|MaxTRESPU|MaxJobsPU|MaxTRESPA|MaxJobsPA",
                "normal|||||cluster||||||||||",
                "high|7||normal,low|00:10:00|cancel|DenyOnLimit,NoReserve|2.5|cpu=10,node=11,gres/gpu=12|13|cpu=20,node=21,gres/gpu=22|1-00:00:00|cpu=30,node=31,gres/gpu=32|33|cpu=40,node=41,gres/gpu=42|43");
        Map<String, Qos> all = Qos.parse("qos.txt", table);

        assertThat(all.get("normal")).isEqualTo(Qos.NORMAL);
        assertThat(all.get("high"))
                .isEqualTo(new Qos(
                        "high",
                        1,
                        7,
                        Set.of("normal", "low"),
                        "cancel",
                        Set.of("denyonlimit", "noreserve"),
                        2.5,
                        new TresLimits(12, 10, 11, 13),
                        new TresLimits(32, 30, 31, 33),
                        new TresLimits(42, 40, 41, 43),
                        new TresLimits(22, 20, 21, -1),
                        86_400,
                        600));
    }

    @ParameterizedTest
    @CsvSource({
        "OFF, '', false, false",
        "REQUEUE, '', true, false",
        "CANCEL, '', true, true",
        "REQUEUE, cancel, true, true",
        "CANCEL, requeue, true, false"
    })
    void the_mode_of_a_qos_comes_before_that_of_the_cluster(
            String mode, String own, boolean preempts, boolean cancels) {
        SlurmCluster cluster = SlurmCluster.of(
                conf(NODES, "PreemptType=preempt/qos", "PreemptMode=" + mode),
                null,
                List.of("Name|Preempt|PreemptMode", "normal||" + own),
                null);

        assertThat(cluster.preempts()).isEqualTo(preempts);
        assertThat(cluster.cancels(cluster.qos("normal"))).isEqualTo(cancels);
    }

    @Test
    void a_qos_preempts_those_that_it_names_and_never_itself() {
        Map<String, Qos> all = Qos.parse("qos.txt", List.of("Name|Preempt", "a|a,b", "b|"));
        Qos a = all.values().iterator().next();

        assertThat(all.values().stream().map(a::mayPreempt)).containsExactly(false, true);
        assertThat(all.values().stream().map(all.getOrDefault("b", a)::mayPreempt))
                .containsExactly(false, false);
    }

    @ParameterizedTest
    @CsvSource({"-1, '', 0", "5, '', 300", "00:02:00, '', 120", "5, 00:00:30, 30", "'', 10, 600"})
    void the_exempt_time_of_a_qos_comes_before_that_of_the_cluster(String cluster, String own, long seconds) {
        SlurmCluster read = SlurmCluster.of(
                conf(NODES, "PreemptExemptTime=" + cluster),
                null,
                List.of("Name|PreemptExemptTime", "normal|" + own),
                null);

        assertThat(read.exemptSeconds(read.qos("normal"))).isEqualTo(seconds);
    }

    @Test
    void each_setting_of_a_node_is_read_or_has_its_default() {
        SlurmCluster cluster = SlurmCluster.of(
                conf(
                        "NodeName=a Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=5000 Weight=3 Feature=x,y Gres=gpu:h100:2 State=DRAIN",
                        "NodeName=b Boards=2 SocketsPerBoard=3 CoresPerSocket=5",
                        "NodeName=c Procs=7 Sockets=9",
                        "NodeName=d CPUs=6 Procs=7 State=IDLE",
                        "NodeName=e State=FUTURE",
                        "NodeName=f",
                        "NodeName=DEFAULT Weight=8",
                        "NodeName=g",
                        "DownNodes=d State=DOWN",
                        "DownNodes=c State=UNKNOWN"),
                List.of("NodeName=b Name=gpu File=/dev/nvidia[0-1]", "NodeName=b Name=gpu Count=3"),
                null,
                null);
        int many = SlurmCluster.MANY;
        long endless = ServerSpec.UNLIMITED;

        assertThat(cluster.nodes())
                .containsExactly(
                        new SlurmCluster.Node(
                                "a", 2, 64, 5000, 3, Set.of("x", "y"), Set.of("H100"), Set.of("h100"), false),
                        new SlurmCluster.Node("b", 5, 30, endless, 1, Set.of(), Set.of(), Set.of(), true),
                        new SlurmCluster.Node("c", 0, 7, endless, 1, Set.of(), Set.of(), Set.of(), true),
                        new SlurmCluster.Node("d", 0, 6, endless, 1, Set.of(), Set.of(), Set.of(), false),
                        new SlurmCluster.Node("f", 0, many, endless, 1, Set.of(), Set.of(), Set.of(), true),
                        new SlurmCluster.Node("g", 0, many, endless, 8, Set.of(), Set.of(), Set.of(), true));
        assertThat(cluster.node("d")).isEqualTo(3);
        assertThat(cluster.node("e")).isEqualTo(-1);
    }

    /** Memory counts where it is consumable, which it is by default. */
    @ParameterizedTest
    @CsvSource({"CR_Core, false", "CR_CPU_Memory, true", "CR_Core_Memory, true", "CR_Memory, true"})
    void memory_is_a_resource_where_the_parameters_say_so(String parameters, boolean counts) {
        SlurmCluster cluster = SlurmCluster.of(
                conf("NodeName=a RealMemory=5000", "SelectTypeParameters=" + parameters), null, null, null);

        assertThat(cluster.nodes().get(0).memoryMib()).isEqualTo(counts ? 5000 : ServerSpec.UNLIMITED);
    }

    @ParameterizedTest
    @CsvSource({"x, true", "z, false", "x&y, true", "'x,y', true", "x&z, false", "z|x, true", "z|w, false"})
    void a_node_has_all_features_or_one_of_several(String asked, boolean has) {
        SlurmCluster.Node node = SlurmCluster.of(conf("NodeName=a Features=x,y"), null, null, null)
                .nodes()
                .get(0);

        assertThat(node.has(asked)).isEqualTo(has);
    }

    @Test
    void each_setting_of_a_partition_is_read_or_has_its_default() {
        SlurmCluster cluster = cluster(
                "NodeSet=tail Nodes=n[3-4]",
                "PartitionName=p Nodes=n2,tail MaxTime=2:00:00 DefaultTime=30 MinNodes=2 MaxNodes=3 MaxCPUsPerNode=6 "
                        + "ExclusiveUser=YES AllowAccounts=Lab,dept DenyAccounts=x AllowQos=q DenyQos=r "
                        + "PriorityTier=7 PriorityJobFactor=8 State=DOWN QOS=limits TRESBillingWeights=GRES/gpu=2",
                "PartitionName=q Nodes=ALL Default=YES MaxTime=UNLIMITED MaxNodes=UNLIMITED AllowAccounts=ALL");

        assertThat(cluster.partitions())
                .containsExactly(
                        new SlurmPartition(
                                "p",
                                0,
                                set(1, 2, 3),
                                new PartitionBounds(
                                        7200,
                                        2,
                                        3,
                                        6,
                                        true,
                                        Set.of("lab", "dept"),
                                        Set.of("x"),
                                        Set.of("q"),
                                        Set.of("r")),
                                1800,
                                7,
                                8,
                                false,
                                "limits",
                                new Billing(0, 0, 0, 2, true, false)),
                        new SlurmPartition(
                                "q",
                                1,
                                set(0, 1, 2, 3),
                                PartitionBounds.NONE,
                                -1,
                                1,
                                1,
                                true,
                                "",
                                new Billing(0, 1, 0, 0, true, false)));
        assertThat(List.of(cluster.partition(null), cluster.partition("p"), cluster.partition("none")))
                .extracting(SlurmPartition::name)
                .containsExactly("q", "p", "q");
        assertThat(cluster().partitions())
                .containsExactly(new SlurmPartition(
                        "all", 0, set(0, 1, 2, 3), PartitionBounds.NONE, -1, 1, 1, true, "", Billing.GPUS));
    }

    @Test
    void a_set_of_nodes_goes_by_features_and_by_names() {
        SlurmCluster cluster = SlurmCluster.of(
                conf(
                        "NodeName=a Feature=fast",
                        "NodeName=b",
                        "NodeName=c",
                        "NodeSet=s Feature=fast",
                        "NodeSet=s Nodes=c",
                        "PartitionName=p Nodes=s"),
                null,
                null,
                null);

        assertThat(cluster.partition("p").nodes()).isEqualTo(set(0, 2));
    }

    /** A partition with MaxTime=10 (minutes), MinNodes=2, MaxNodes=3, MaxCPUsPerNode=4, and lists of names. */
    @ParameterizedTest
    @CsvSource({
        "659, 2, 4, lab, q, ",
        "-1, 3, 1, LAB, Q, ",
        "660, 2, 4, lab, q, PartitionTimeLimit",
        "600, 1, 4, lab, q, PartitionNodeLimit",
        "600, 4, 4, lab, q, PartitionNodeLimit",
        "600, 2, 5, lab, q, Resources: MaxCPUsPerNode of the partition",
        "600, 2, 4, other, q, AccountNotAllowed",
        "600, 2, 4, lab, bad, QOSNotAllowed"
    })
    void a_partition_says_why_it_starts_no_such_job(
            long limit, int nodes, int cpus, String account, String qos, @Nullable String reason) {
        PartitionBounds bounds = cluster(
                        "PartitionName=p MaxTime=10 MinNodes=2 MaxNodes=3 MaxCPUsPerNode=4 AllowAccounts=lab DenyQos=bad")
                .partition("p")
                .bounds();

        Qos of = Qos.parse("qos.txt", List.of("Name", qos)).getOrDefault(qos, Qos.NORMAL);

        assertThat(bounds.refusal(limit, nodes, cpus, account, of)).isEqualTo(reason);
        assertThat(PartitionBounds.NONE.refusal(limit, nodes, cpus, account, of))
                .isNull();
    }

    @Test
    void each_setting_of_the_controller_is_read_or_has_its_default() {
        SlurmCluster plain = cluster();
        assertThat(List.of(plain.killWait(), plain.completeWait())).containsExactly(30L, 0L);
        assertThat(List.of(plain.backfills(), plain.preempts(), plain.limited()))
                .containsExactly(true, false, false);
        assertThat(plain.licenses()).isEmpty();
        SlurmCluster set = cluster(
                "KillWait=7",
                "CompleteWait=8",
                "SchedulerType=sched/builtin",
                "AccountingStorageEnforce=safe",
                "Licenses=a:3,b");
        assertThat(List.of(set.killWait(), set.completeWait())).containsExactly(7L, 8L);
        assertThat(List.of(set.backfills(), set.preempts(), set.limited())).containsExactly(false, false, true);
        assertThat(set.licenses()).isEqualTo(Map.of("a", 3, "b", 1));
    }

    @ParameterizedTest
    @CsvSource({
        "associations, false",
        "limits, true",
        "'associations,limits,qos', true",
        "safe, true",
        "all, true",
        "qos, false"
    })
    void limits_hold_where_they_are_enforced(String enforced, boolean limited) {
        assertThat(cluster("AccountingStorageEnforce=" + enforced).limited()).isEqualTo(limited);
    }

    private static SlurmCluster accounts() {
        return SlurmCluster.of(
                conf(NODES),
                null,
                null,
                List.of(
                        "Account|ParentName|User|Partition|Share|Priority|GrpTRES|GrpJobs|MaxTRES|MaxJobs|MaxWall",
                        "root||||1|||||||",
                        "dept|root|||4|9|cpu=30,node=31,gres/gpu=32|6|||02:00:00",
                        "lab|dept|||parent|||||||",
                        "lab||ann||5|3|||cpu=10,node=11,gres/gpu=12|2|00:30:00",
                        "lab||ann|p|77|77|||||",
                        "lab||bob||1||||||"));
    }

    @Test
    void each_column_of_an_association_is_read_or_comes_from_above() {
        SlurmCluster cluster = accounts();
        Association ann = cluster.association("lab", "ann");
        Association bob = cluster.association("lab", "bob");
        Association unnamed = cluster.association("lab", "eve");
        Association elsewhere = cluster.association("none", null);

        assertThat(List.of(ann.shares(), bob.shares(), unnamed.shares(), elsewhere.shares()))
                .containsExactly(5L, 1L, 1L, 1L);
        assertThat(List.of(ann.priority(), bob.priority(), unnamed.priority(), elsewhere.priority()))
                .containsExactly(3L, 9L, 9L, 0L);
        assertThat(List.of(ann.maxSeconds(), bob.maxSeconds(), unnamed.maxSeconds(), elsewhere.maxSeconds()))
                .containsExactly(1800L, 7200L, 7200L, -1L);
        assertThat(cluster.root().greatestPriority()).isEqualTo(9);
        assertThat(cluster.association("lab", "eve")).isSameAs(unnamed);
        assertThat(elsewhere.account()).isEqualTo("root");
        assertThat(elsewhere.user()).isEqualTo("nobody");
        assertThat(ann.parent()).isSameAs(bob.parent());
    }

    /**
     * Ann's job may have 12 GPUs, 10 CPUs and 11 nodes, and she may run 2; the department may have 32, 30 and 31, and 6
     * jobs. Others hold so many jobs of 1 GPU, 1 CPU and 1 node.
     */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 12, 10, 11, true",
        "0, 0, 13, 10, 11, false",
        "0, 0, 12, 11, 11, false",
        "0, 0, 12, 10, 12, false",
        "1, 0, 12, 10, 11, true",
        "2, 0, 1, 1, 1, false",
        "1, 4, 1, 1, 1, true",
        "1, 5, 1, 1, 1, false",
        "0, 6, 1, 1, 1, false"
    })
    void a_user_and_the_accounts_above_bound_what_starts(
            int own, int ofBob, int gpus, int cpus, int nodes, boolean allowed) {
        SlurmCluster cluster = accounts();
        Association ann = cluster.association("lab", "ann");
        for (int job = 0; job < own; job++) {
            ann.hold(1, 1, 1, 1);
        }
        for (int job = 0; job < ofBob; job++) {
            cluster.association("lab", "bob").hold(1, 1, 1, 1);
        }

        assertThat(ann.allows(gpus, cpus, nodes, false)).isEqualTo(allowed);
    }

    /** The most of a job, not of all of them: MaxTRES is per job, GrpTRES is for all. */
    @Test
    void the_most_of_a_job_is_not_that_of_all_jobs() {
        Association ann = SlurmCluster.of(
                        conf(NODES), null, null, List.of("Account|User|MaxTRES", "root||", "root|ann|gres/gpu=2"))
                .association(null, "ann");
        for (int job = 0; job < 3; job++) {
            ann.hold(1, 2, 1, 1);
        }

        assertThat(ann.allows(2, 1, 1, false)).isTrue();
        assertThat(ann.allows(3, 1, 1, false)).isFalse();
    }

    /** Each resource of the department is held by Bob up to what Ann asks for, or by one more. */
    @ParameterizedTest
    @CsvSource({
        "31, 1, 1, true",
        "32, 1, 1, false",
        "1, 29, 1, true",
        "1, 30, 1, false",
        "1, 1, 30, true",
        "1, 1, 31, false"
    })
    void all_resources_of_an_account_count(int gpus, int cpus, int nodes, boolean allowed) {
        SlurmCluster cluster = accounts();
        Association bob = cluster.association("lab", "bob");
        Association ann = cluster.association("lab", "ann");
        bob.hold(1, gpus, cpus, nodes);

        assertThat(ann.allows(1, 1, 1, false)).isEqualTo(allowed);
        assertThat(ann.allows(1, 1, 1, true)).isTrue();
        bob.hold(-1, gpus, cpus, nodes);
        assertThat(ann.allows(1, 1, 1, false)).isTrue();
    }

    /** The limits of an account are those of each of its users that has none, by sacctmgr(1). */
    @Test
    void a_user_that_no_table_names_has_the_limits_of_the_account() {
        Association eve = SlurmCluster.of(
                        conf(NODES),
                        null,
                        null,
                        List.of("Account|User|MaxTRES|MaxJobs", "root|||", "lab||gres/gpu=2|1"))
                .association("lab", "eve");

        assertThat(eve.allows(2, 1, 1, false)).isTrue();
        assertThat(eve.allows(3, 1, 1, false)).isFalse();
        eve.hold(1, 1, 1, 1);
        assertThat(eve.allows(1, 1, 1, false)).isFalse();
    }

    @Test
    void usage_counts_here_and_above_and_decays_here_and_below() {
        SlurmCluster cluster = accounts();
        Association ann = cluster.association("lab", "ann");
        Association bob = cluster.association("lab", "bob");
        ann.use(6);
        bob.use(4);

        assertThat(List.of(ann.usage(), bob.usage(), cluster.root().usage())).containsExactly(6.0, 4.0, 10.0);
        cluster.root().decay(0.5);
        assertThat(List.of(ann.usage(), bob.usage(), cluster.root().usage())).containsExactly(3.0, 2.0, 5.0);
    }

    private static SlurmCluster shared(String... rows) {
        List<String> lines = new ArrayList<>(List.of("Account|ParentName|User|Share", "root|||1"));
        lines.addAll(List.of(rows));
        return SlurmCluster.of(conf(NODES), null, null, lines);
    }

    /**
     * By the classic rule 2^(-use / shares): the account a has half of all shares and b the other. Of 100 in all Ann
     * used 20 and Bob 60 of a's 80; in a they have a quarter and three quarters of its shares. Ann's effective usage is
     * 0.2 + (0.8 - 0.2) / 4 = 0.35 by her 0.125 shares, Bob's 0.6 + (0.8 - 0.6) * 3 / 4 = 0.75 by 0.375. Eve's is her
     * account's 0.2 by its 0.5, for her shares are the parent's. Root's user has no shares.
     */
    @Test
    void classic_factors_mix_own_usage_with_that_of_the_account() {
        SlurmCluster cluster = shared("a|root||2", "a||ann|1", "a||bob|3", "b|root||2", "b||eve|parent", "root||zed|0");
        cluster.association("a", "ann").use(20);
        cluster.association("a", "bob").use(60);
        cluster.association("b", "eve").use(20);

        FairShare.calculate(cluster.root(), false);

        assertThat(cluster.association("a", "ann").factor()).isCloseTo(Math.pow(2, -2.8), within(1e-12));
        assertThat(cluster.association("a", "bob").factor()).isCloseTo(Math.pow(2, -2), within(1e-12));
        assertThat(cluster.association("b", "eve").factor()).isCloseTo(Math.pow(2, -0.4), within(1e-12));
        assertThat(cluster.association("root", "zed").factor()).isZero();
    }

    /**
     * By the fair tree: b used 20 of 100 by half of the shares (level fair share 2.5), a 80 by half (0.625). In a, Ann
     * used a quarter by a quarter of its shares (1), Bob three quarters by three quarters (1): they tie. Of five users
     * Eve is first, Ida of b used nothing, and comes before her; Zed without shares is last.
     */
    @Test
    void users_of_the_fair_tree_tie_at_equal_level_fair_shares() {
        SlurmCluster cluster =
                shared("a|root||2", "a||ann|1", "a||bob|3", "b|root||2", "b||eve|1", "b||ida|1", "root||zed|0");
        cluster.association("a", "ann").use(20);
        cluster.association("a", "bob").use(60);
        cluster.association("b", "eve").use(20);

        FairShare.calculate(cluster.root(), true);

        assertThat(List.of(
                        cluster.association("b", "ida").factor(),
                        cluster.association("b", "eve").factor(),
                        cluster.association("a", "ann").factor(),
                        cluster.association("a", "bob").factor(),
                        cluster.association("root", "zed").factor()))
                .containsExactly(1.0, 0.8, 0.6, 0.6, 0.2);
    }

    /** Slurm counts an infinite level fair share for those that used nothing, or whose shares are the parent's. */
    @Test
    void those_who_used_nothing_tie_at_the_top() {
        SlurmCluster cluster = shared("a|root||1", "a||ann|1", "a||bob|parent", "a||eve|9");
        cluster.association("a", "bob").use(50);
        cluster.association("a", "eve").use(50);

        FairShare.calculate(cluster.root(), true);

        assertThat(List.of(
                        cluster.association("a", "ann").factor(),
                        cluster.association("a", "bob").factor(),
                        cluster.association("a", "eve").factor()))
                .containsExactly(1.0, 1.0, 1 / 3.0);
    }

    @ParameterizedTest
    @CsvSource({"0, 100, false", "50, 101, true", "199, 300, true", "200, 300, false", "150, 160, true"})
    void a_reservation_overlaps_a_span_that_has_a_second_of_it(long from, long to, boolean overlaps) {
        assertThat(new SlurmReservation("r", set(0), 100, 200, Set.of(), false).overlaps(from, to))
                .isEqualTo(overlaps);
    }

    /** Of each resource the limit of the first counts, where it has one. */
    @Test
    void limits_that_another_sets_are_left_to_it() {
        TresLimits limits = new TresLimits(1, 2, 3, 4);

        assertThat(limits.unless(TresLimits.NONE)).isEqualTo(limits);
        assertThat(limits.unless(new TresLimits(9, -1, -1, -1))).isEqualTo(new TresLimits(-1, 2, 3, 4));
        assertThat(limits.unless(new TresLimits(-1, 9, -1, -1))).isEqualTo(new TresLimits(1, -1, 3, 4));
        assertThat(limits.unless(new TresLimits(-1, -1, 0, -1))).isEqualTo(new TresLimits(1, 2, -1, 4));
        assertThat(limits.unless(new TresLimits(-1, -1, -1, 0))).isEqualTo(new TresLimits(1, 2, 3, -1));
    }
}
