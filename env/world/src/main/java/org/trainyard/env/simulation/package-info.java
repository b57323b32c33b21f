/** The discrete-event simulator: pulled by its caller, one decision at a time, with a hash over all events. */
@NullMarked
package org.trainyard.env.simulation;

import org.jspecify.annotations.NullMarked;
