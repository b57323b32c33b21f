/** Published measurements of co-located jobs, and a profiling campaign in the simulator. */
@NullMarked
package org.trainyard.interference.data;

import org.jspecify.annotations.NullMarked;
