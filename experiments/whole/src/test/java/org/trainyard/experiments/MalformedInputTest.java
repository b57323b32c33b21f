package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bad input, each kind once, through the command line: exit code 2 and one line that says where, what, and what was
 * expected.
 */
class MalformedInputTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root"), "experiments");
    private static final Path SHIPPED = ROOT.resolve("configs/base.yaml");

    @TempDir
    private Path directory;

    /**
     * @param name of the case
     * @param file that is written
     * @param content of that file
     * @param args of the command line, in which {@code @} stands for the file
     * @param fragments that the line on standard error must have
     */
    private record Case(String name, String file, String content, List<String> args, List<String> fragments) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Name, what is replaced by what (a pattern after a slash), and the fragments. */
    private static final String CONFIGS = """
            an alias | seed: 1 -> seed: *a | config.yaml:8 | *a | expected the value
            an anchor | workload: -> workload: &w | config.yaml: | &w | expected the value
            a tag | seed: 1 -> seed: !!int 1 | config.yaml:8 | int | is a tag
            unknown inner key | clip: -> clp: | learner | 'clp' | 'clip' | jobs
            missing key | \\nseed: 1\\n -> \\n | config.yaml: | 'seed' is missing | expected all of
            missing value of a few | /reward: .* -> reward: {type: Slowdown} | reward | 'knows' is missing | Belief or Truth
            missing inner key | nic_weight: 0.8,  -> | physics | 'nic_weight' | missing
            text for a number | clip: 0.2 -> clip: high | learner.clip | 'high' | a number
            fraction for a count | /jobs: \\d+ -> jobs: 6.5 | episodes.jobs | '6.5' | whole
            huge count | /jobs: \\d+ -> jobs: 9999999999 | episodes.jobs | '9999999999' | whole
            huge exponent | /jobs: \\d+ -> jobs: 1e999999999 | episodes.jobs | 1e999999999
            number for a switch | strict: false -> strict: 1 | workload.strict | '1' | true or
            null where none may be | cluster: small -> cluster: null | cluster | expected text
            text for a list | /(?s)\\nschedulers:.* -> \\nschedulers: fifo\\n | schedulers | a list
            value for keys | /runtime: .* -> runtime: History | runtime | keys and values
            no type | /runtime: .* -> runtime: {} | runtime | 'type' is missing | Oracle
            unknown type | type: Auction -> type: Auction2 | learner.type | 'Auction2' | Auction
            key of another type | /runtime: .* -> runtime: {type: Oracle, k: 1} | 'k'
            zero jobs | /jobs: \\d+ -> jobs: 0 | episodes.jobs | '0' | at least 1
            not a number | clip: 0.2 -> clip: .nan | learner.clip | nan | a number
            negative weight | nic_weight: 0.8 -> nic_weight: -1 | physics.interference.nic_weight | '-1'
            unknown contention | type: None -> type: Fair | physics.contention.type | 'Fair' | SjfBco
            overlap above one | type: None -> type: SjfBco, a: 0, xi: 2 | physics.contention.xi | '2' | 0..1
            negative loss | type: None -> type: SjfBco, a: -1, xi: 1 | physics.contention.a | '-1'
            shares above one | train_share: 0.6 -> train_share: 0.9 | validation_share | '0.15'
            average of one | ema: 0.8 -> ema: 1 | ema | '1' | 0..0.999
            a path for a name | name: base -> name: ../up | name | '../up' | letters
            unknown cluster | cluster: small -> cluster: smal | cluster | 'smal' | 'small'?
            empty cluster | cluster: small -> cluster: 0x8 | cluster | 0x8
            wide servers | cluster: small -> cluster: 4x99 | cluster | 4x99 | 0 to 64
            no such trace | trace: null -> trace: no.csv | workload.trace | 'no.csv' | null
            no such belief | belief: shipped -> belief: nowhere | belief | 'nowhere' | shipped
            domains | domains: racks -> domains: rack | environment.domains | 'rack' | racks
            scheduler | /(?s)\\nschedulers:.* -> \\nschedulers: [sjf, fif0]\\n | schedulers[1] | 'fif0' | did you mean 'fifo'
            format | format: null -> format: helio | workload.format | 'helio' | 'helios'?
            load | load: 0.9 -> load: -1 | workload.generator | offered load (-1.0) | must be
            demand | {gpus: 3, -> {gpus: 0, | workload.generator.demands[2] | (0) | must be
            """;

    private static final String TOPOLOGIES = """
            unknown GPU | gpu_type: V100   -> gpu_type: V10O   | racks[0].server.gpu_type | 'V10O' | 'V100'?
            no racks | /(?s)racks:\\n.*\\nracks_per -> racks: []\\nracks_per | racks
            uneven sockets | sockets: 2 -> sockets: 3 | racks[0].server.sockets | '3' | divisor
            no bandwidth | second: 12, -> second: 0, | fabric.pcie.gigabytes_per_second | '0'
            negative latency | micros: 8} -> micros: -8} | fabric.spine.latency_micros | '-8'
            missing racks | /(?s)racks:\\n.*\\nracks_per -> racks_per | 'racks' is missing
            too many servers | servers: 4  -> servers: 90000  | racks | at most 100000
            no uplink | uplinks: 3 -> uplinks: 0 | racks[0].uplinks | '0' | 1..1000000
            no kind | type: Tree -> type: Ring | type | 'Ring' | one of FatTree, Graph
            not finite | second: 12, -> second: .nan, | fabric.pcie | '.nan' | a number
            sharing | sharing: whole -> sharing: hole | sharing | 'hole' | 'whole'?
            no pods | pod: 2 -> pod: 0 | racks_per_pod | '0' | at least 1
            """;

    private static void spoiled(String table, String good, BiConsumer<List<String>, String> add) {
        for (String line : table.lines().toList()) {
            List<String> cells = List.of(line.split(" \\| "));
            String[] change = cells.get(1).split(" -> ?", 2);
            String to = change[1].translateEscapes();
            String bad = change[0].startsWith("/")
                    ? good.replaceFirst(change[0].substring(1), to)
                    : good.replace(change[0].translateEscapes(), to);
            assertThat(bad).as(line).isNotEqualTo(good);
            add.accept(cells, bad);
        }
    }

    private static String[] fragments(List<String> cells) {
        return cells.subList(2, cells.size()).toArray(String[]::new);
    }

    static List<Case> configs() throws IOException {
        String good = Files.readString(SHIPPED);
        List<Case> cases = new ArrayList<>();
        spoiled(CONFIGS, good, (cells, bad) -> config(cases, cells.get(0), bad, fragments(cells)));
        config(cases, "empty", "", "config.yaml", "empty", "expected keys and values");
        config(cases, "only a list", "[1, 2]", "config.yaml:1", "a list", "expected keys and values");
        config(cases, "not YAML", "name: [1, 2", "config.yaml:", "not valid YAML");
        config(cases, "a tab for indentation", "name: x\n\tseed: 1\n", "config.yaml:2", "not valid YAML");
        config(
                cases,
                "a second document",
                good + "---\nname: two\n",
                "config.yaml:",
                "second document",
                "expected one");
        config(cases, "unknown key", good + "sede: 2\n", "config.yaml:", "'sede'", "did you mean 'seed'", "name");
        config(cases, "repeated key", good + "seed: 2\n", "'seed' appears twice", "config.yaml:8", "expected it once");
        config(
                cases,
                "strange belief",
                good.replace("belief: shipped", "belief: '" + SHIPPED + "'"),
                "belief: '",
                "a folder that 'fit interference --data' wrote");
        config(cases, "binary", "\u0000\u0001", "config.yaml", "not valid YAML");
        return cases;
    }

    static List<Case> overrides() throws IOException {
        String good = Files.readString(SHIPPED);
        List<Case> cases = new ArrayList<>();
        override(cases, good, "learner.clp=1", "--set learner.clp=1", "'clp'", "did you mean 'clip'");
        override(cases, good, "lerner.clip=1", "--set", "'lerner'", "did you mean 'learner'");
        override(cases, good, "seed.x=1", "--set seed.x=1", "'seed' is a value");
        override(cases, good, "seed", "--set seed", "PATH=VALUE");
        override(cases, good, "seed=x", "--set seed=x, seed", "'x'", "a whole number");
        override(cases, good, "seed=[1", "--set seed=[1", "not valid YAML");
        override(cases, good, "seed=", "seed", "''", "a whole number");
        override(cases, good, "learner.updates=-1", "--set learner.updates=-1", "'-1'", "at least 0");
        return cases;
    }

    static List<Case> topologies() throws IOException {
        String good = Files.readString(ROOT.resolve("clusters/small.yaml"));
        List<Case> cases = new ArrayList<>();
        spoiled(TOPOLOGIES, good, (cells, bad) -> topology(cases, cells.get(0), bad, fragments(cells)));
        cases.add(new Case("no such topology", "x", "", List.of("inspect", "nowhere.yaml"), List.of("nowhere.yaml")));
        return cases;
    }

    static List<Case> traces() {
        String header = "job,submit_s,gpus,duration_s,model,user,group,virtual_cluster\n";
        List<Case> cases = new ArrayList<>();
        trace(cases, "empty", "", "trace.csv", "empty", "a header");
        trace(cases, "unknown header", "a,b,c\n1,2,3\n", "trace.csv:1, header", "a,b,c", "a known format", "tiresias");
        trace(cases, "no job", header, "trace.csv", "at least one readable job");
        trace(
                cases,
                "repeated column",
                "job,job,submit_s,gpus,duration_s\n",
                "trace.csv:1",
                "'job'",
                "every column once");
        trace(cases, "text for GPUs", header + "a,0,two,5,,,,\n", "trace.csv:2, gpus", "'two'", "whole number of GPUs");
        trace(cases, "no GPUs", header + "a,0,0,5,,,,\n", "trace.csv:2, gpus", "'0'", "from 1");
        trace(cases, "negative time", header + "a,-1,1,5,,,,\n", "trace.csv:2, submit_s", "'-1'", "zero or more");
        trace(cases, "no duration", header + "a,0,1,0,,,,\n", "trace.csv:2, duration_s", "'0'", "longer than zero");
        trace(cases, "few fields", header + "a,0\n", "trace.csv:2, line", "2 fields", "8");
        trace(
                cases,
                "same id twice",
                header + "a,0,1,5,,,,\na,1,1,5,,,,\n",
                "trace.csv:3, job",
                "'a'",
                "no line above");
        trace(cases, "open quote", header + "\"a,0,1,5,,,,\nb,1,1,5,,,,\n", "trace.csv:2");
        String tenants = header + "a,0,1,5,,,,blue\n";
        cases.add(new Case(
                "unknown tenant",
                "trace.csv",
                tenants,
                List.of("inspect", "@", "--virtual-cluster", "red"),
                List.of("trace.csv", "virtual cluster", "'red'", "one of blue")));
        cases.add(new Case(
                "unknown format",
                "trace.csv",
                tenants,
                List.of("inspect", "@", "--format", "trainyrd"),
                List.of("--format", "'trainyrd'", "did you mean 'trainyard'")));
        cases.add(new Case(
                "another format",
                "trace.csv",
                tenants,
                List.of("inspect", "@", "--format", "muri"),
                List.of("trace.csv:1, header", "num_gpu", "muri")));
        simulate(cases, tenants, "medum", "fifo", "--cluster", "'medum'", "did you mean 'medium'");
        simulate(cases, tenants, "2x2", "fifo,sfj", "--scheduler", "'sfj'", "did you mean 'sjf'");
        simulate(cases, tenants, "2x2", "fifo,fifo", "--scheduler", "'fifo'", "each scheduler once");
        simulate(cases, tenants, "2x2", "fifo,helios-sjf", "--scheduler", "'fifo'", "helios-sjf");
        simulate(cases, header + "a,0,64,5,,,,\n", "2x2", "fifo", "trace", "1 job", "fits the 4 GPUs");
        cases.add(new Case(
                "no such trace", "x", "", List.of("inspect", "nowhere.csv"), List.of("nowhere.csv", "no such file")));
        cases.add(new Case(
                "a directory", "x", "", List.of("inspect", "."), List.of("'.'", "expected a folder with policy.bin")));
        return cases;
    }

    private static void simulate(
            List<Case> cases, String content, String cluster, String schedulers, String... fragments) {
        List<String> args = List.of("simulate", "--trace", "@", "--cluster", cluster, "--scheduler", schedulers);
        cases.add(new Case("simulate " + fragments[1], "trace.csv", content, args, List.of(fragments)));
    }

    private static void config(List<Case> cases, String name, String content, String... fragments) {
        cases.add(new Case(name, "config.yaml", content, List.of("train", "@"), List.of(fragments)));
    }

    private static void override(List<Case> cases, String content, String override, String... fragments) {
        List<String> args = List.of("evaluate", "@", "--set", override);
        cases.add(new Case("--set " + override, "config.yaml", content, args, List.of(fragments)));
    }

    private static void topology(List<Case> cases, String name, String content, String... fragments) {
        List<String> where = new ArrayList<>(Arrays.asList(fragments));
        where.add("topology.yaml:");
        cases.add(new Case(name, "topology.yaml", content, List.of("inspect", "@"), where));
    }

    private static void trace(List<Case> cases, String name, String content, String... fragments) {
        cases.add(new Case(name, "trace.csv", content, List.of("inspect", "@", "--strict"), List.of(fragments)));
    }

    @ParameterizedTest
    @MethodSource({"configs", "overrides", "topologies", "traces"})
    void one_line_says_where_and_what_and_what_was_expected(Case bad) throws IOException {
        Path file = Files.writeString(directory.resolve(bad.file()), bad.content());
        List<String> args = bad.args().stream()
                .map(arg -> arg.equals("@") ? file.toString() : arg)
                .toList();

        Shell shell = Shell.run(args);

        assertThat(shell.code()).as(shell.err()).isEqualTo(2);
        assertThat(shell.err().lines()).hasSize(1);
        assertThat(shell.err()).contains(bad.fragments());
        assertThat(shell.out()).isEmpty();
    }
}
