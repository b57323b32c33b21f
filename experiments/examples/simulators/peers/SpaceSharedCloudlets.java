import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cloudsimplus.brokers.DatacenterBrokerSimple;
import org.cloudsimplus.cloudlets.Cloudlet;
import org.cloudsimplus.cloudlets.CloudletSimple;
import org.cloudsimplus.core.CloudSimPlus;
import org.cloudsimplus.datacenters.DatacenterSimple;
import org.cloudsimplus.hosts.HostSimple;
import org.cloudsimplus.resources.Pe;
import org.cloudsimplus.resources.PeSimple;
import org.cloudsimplus.schedulers.cloudlet.CloudletSchedulerSpaceShared;
import org.cloudsimplus.utilizationmodels.UtilizationModel;
import org.cloudsimplus.utilizationmodels.UtilizationModelFull;
import org.cloudsimplus.vms.Vm;
import org.cloudsimplus.vms.VmSimple;

/**
 * Jobs of {@code job,submit_s,gpus,duration_s} as cloudlets of CloudSim Plus on one space-shared machine: a
 * processing element is a GPU of 1,000 million instructions a second.
 */
final class SpaceSharedCloudlets {
    private static final double MIPS = 1000;

    private SpaceSharedCloudlets() {}

    /** Arguments: the jobs, the GPUs, and the file of completion times that is written. */
    public static void main(String[] args) throws IOException {
        ((ch.qos.logback.classic.Logger) org.slf4j.LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME))
                .setLevel(ch.qos.logback.classic.Level.OFF);
        int gpus = Integer.parseInt(args[1]);
        CloudSimPlus simulation = new CloudSimPlus();
        List<Pe> elements = new ArrayList<>();
        for (int i = 0; i < gpus; i++) {
            elements.add(new PeSimple(MIPS));
        }
        new DatacenterSimple(simulation, List.of(new HostSimple(1_000_000, 1_000_000, 1_000_000, elements)));
        DatacenterBrokerSimple broker = new DatacenterBrokerSimple(simulation);
        Vm machine = new VmSimple(MIPS, gpus);
        // By the setter: the constructor with a scheduler shares time in 8.5.5.
        machine.setCloudletScheduler(new CloudletSchedulerSpaceShared());
        machine.setRam(1_000).setBw(1_000).setSize(1_000);
        List<Cloudlet> cloudlets = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<String> lines = Files.readAllLines(Path.of(args[0]));
        for (String line : lines.subList(1, lines.size())) {
            String[] job = line.split(",");
            long seconds = Long.parseLong(job[3]);
            CloudletSimple cloudlet = new CloudletSimple((long) (seconds * MIPS), Integer.parseInt(job[2]));
            cloudlet.setUtilizationModelCpu(new UtilizationModelFull())
                    .setUtilizationModelRam(UtilizationModel.NULL)
                    .setUtilizationModelBw(UtilizationModel.NULL)
                    .setSizes(1);
            // What is submitted at 0 would arrive before its machine.
            cloudlet.setSubmissionDelay(Long.parseLong(job[1]) + 1);
            cloudlets.add(cloudlet);
            names.add(job[0]);
        }
        broker.submitVm(machine);
        broker.submitCloudletList(cloudlets);
        simulation.start();
        StringBuilder out = new StringBuilder("job,jct_s\n");
        for (int i = 0; i < names.size(); i++) {
            Cloudlet done = cloudlets.get(i);
            out.append(names.get(i))
                    .append(',')
                    .append(done.getFinishTime() - done.getSubmissionDelay())
                    .append('\n');
        }
        Files.writeString(Path.of(args[2]), out);
    }
}
