/** What A-SRPT reckons with: a job as a graph of replicas, the mapping of that graph to servers, and the virtual machine. */
@NullMarked
package org.trainyard.agents.heuristic.asrpt;

import org.jspecify.annotations.NullMarked;
