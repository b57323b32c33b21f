"""Two schedulers: one function, and one class that preempts and chooses its GPUs."""

import trainyard


@trainyard.scheduler
def shortest(cluster):
    """Shortest predicted job first; who fits may pass."""
    for job in sorted(cluster.waiting, key=lambda job: job.predicted_seconds):
        if cluster.free == 0:
            break
        cluster.start(job)


@trainyard.scheduler(preempts=True)
class Urgent:
    """Least remaining time first, one server a job; a job that has waited an hour takes the place of the longest."""

    PATIENCE_SECONDS = 3600

    def __init__(self, cluster):
        self.widest = max(server.gpus for server in cluster.servers)

    def decide(self, cluster):
        for job in sorted(cluster.waiting, key=lambda job: (job.remaining_seconds, job.id)):
            if job.gpus > self.widest:
                cluster.start(job)
            elif not self.start_on_one_server(cluster, job) and self.is_urgent(cluster, job):
                self.make_room(cluster, job)

    def start_on_one_server(self, cluster, job):
        for server in cluster.servers:
            free = cluster.free_gpus(server)
            if len(free) >= job.gpus:
                return cluster.start(job, free[: job.gpus])
        return False

    def is_urgent(self, cluster, job):
        return cluster.now - job.queued_since_seconds >= self.PATIENCE_SECONDS

    def make_room(self, cluster, job):
        longer = [
            other
            for other in cluster.running
            if other.gpus >= job.gpus and other.may_be_preempted and other.remaining_seconds > 2 * job.remaining_seconds
        ]
        if longer:
            cluster.preempt(max(longer, key=lambda other: (other.remaining_seconds, other.id)))
            self.start_on_one_server(cluster, job)
