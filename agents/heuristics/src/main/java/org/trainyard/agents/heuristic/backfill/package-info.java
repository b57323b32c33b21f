/** Backfill: reservations of servers for jobs that cannot start yet, and who may start before them. */
@NullMarked
package org.trainyard.agents.heuristic.backfill;

import org.jspecify.annotations.NullMarked;
