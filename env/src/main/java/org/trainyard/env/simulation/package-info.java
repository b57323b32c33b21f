/** The discrete-event simulator: it is pulled, takes one decision at a time, and hashes what it did. */
@NullMarked
package org.trainyard.env.simulation;

import org.jspecify.annotations.NullMarked;
