/** GADGET: greedy embedding of ring all-reduce jobs, slot by slot. */
@NullMarked
package org.trainyard.agents.heuristic.gadget;

import org.jspecify.annotations.NullMarked;
