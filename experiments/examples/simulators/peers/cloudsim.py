"""CloudSim Plus (M. C. Silva Filho et al., 2017; org.cloudsimplus:cloudsimplus on Maven Central), a simulator of clouds in Java."""
import glob
import os

from .command import fail, least, program, run
from .jobs import read, rows, write_ours
from .peer import Peer

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "SpaceSharedCloudlets.java")


class CloudSim(Peer):
    """Runs every job as a cloudlet of as many processing elements on one space-shared machine, where it starts as soon as it fits.

    CHECKOUT is a folder with the jar of CloudSim Plus and those that it needs. Its time is the less of the quick compiler alone and of both.
    """

    PRESETS = {"fjf": "tiresias-fjf"}
    # Where jobs end at one instant another may start there, so single jobs end at other times.
    WITHIN = 0.005
    DIFFERS = " (its clock moves by a tenth of a second at least, so ties at an instant fall otherwise)"

    def __init__(self, options, folder):
        super().__init__(options, folder)
        self.gpus = 8 * options.nodes
        write_ours(self.trace, read(options.trace, self.gpus))
        self.cluster = "%dx8" % options.nodes
        self.classes = os.path.join(folder, "classes")
        self.path = os.pathsep.join([self.classes] + sorted(glob.glob(os.path.join(options.checkout, "*.jar"))))
        run([program("JDK", "javac"), "-d", self.classes, "-cp", self.path, SOURCE])

    @staticmethod
    def require(options):
        program("JDK", "java", ": CloudSim Plus needs Java 17 or later")
        program("JDK", "javac", ": CloudSim Plus needs a JDK, not only Java")
        if not glob.glob(os.path.join(options.checkout, "cloudsimplus-*.jar")):
            fail("CHECKOUT (%s): expected a folder with cloudsimplus-*.jar and the jars that it needs" % options.checkout)

    def theirs(self, policy):
        out = os.path.join(self.folder, "cloudlets.csv")
        java = [program("JDK", "java"), "-XX:+UseSerialGC", "-XX:-UsePerfData"]
        main = ["-cp", self.path, "SpaceSharedCloudlets", self.trace, str(self.gpus), out]
        _, seconds = least([java + ["-XX:TieredStopAtLevel=1"] + main, java + main], self.options.runs)
        return {row["job"]: [round(float(row["jct_s"]), 2)] for row in rows(out)}, seconds

    def answer(self, row):
        return [float(row["end"]) - float(row["submit"])]
