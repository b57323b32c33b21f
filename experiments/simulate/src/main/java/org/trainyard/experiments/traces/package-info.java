/** Episodes of logged jobs: windows of a trace, workloads of an adversary, and how long jobs of a log run again. */
@NullMarked
package org.trainyard.experiments.traces;

import org.jspecify.annotations.NullMarked;
