"""First in, first out: the same decisions as the scheduler ``fifo``."""

import trainyard


@trainyard.scheduler
def fifo(cluster):
    """First in, first out; the head blocks."""
    for job in sorted(cluster.waiting, key=lambda job: job.id):
        if not cluster.start(job):
            break
