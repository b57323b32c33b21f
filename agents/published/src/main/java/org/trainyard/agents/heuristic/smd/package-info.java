/** SMD: workers and parameter servers of each job, then the jobs of an interval as a knapsack. */
@NullMarked
package org.trainyard.agents.heuristic.smd;

import org.jspecify.annotations.NullMarked;
