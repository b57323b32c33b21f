/**
 * The scheduler of Volcano as rules: queues with weights or deserved shares, gangs, priorities, and jobs that give way
 * within a queue or between queues.
 */
@NullMarked
package org.trainyard.agents.heuristic.volcano;

import org.jspecify.annotations.NullMarked;
