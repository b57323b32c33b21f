/**
 * A-SRPT and its baselines: the virtual machine, the communication graph of a job, its mapping to servers, and a queue
 * with delay scheduling.
 */
@NullMarked
package org.trainyard.agents.heuristic.asrpt;

import org.jspecify.annotations.NullMarked;
