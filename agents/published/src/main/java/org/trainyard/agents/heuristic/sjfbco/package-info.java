/** Planning a batch of gangs on the GPUs of a cluster by the time each GPU is booked for, as SJF-BCO does. */
@NullMarked
package org.trainyard.agents.heuristic.sjfbco;

import org.jspecify.annotations.NullMarked;
