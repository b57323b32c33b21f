/**
 * PD-ORS: online primal-dual scheduling of jobs with parameter servers, by exponential prices of machines, resources
 * and slots.
 */
@NullMarked
package org.trainyard.agents.heuristic.pdors;

import org.jspecify.annotations.NullMarked;
