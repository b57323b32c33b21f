/** Published and own measurements of co-located jobs, and the law of a world that is read from them. */
@NullMarked
package org.trainyard.interference.measured;

import org.jspecify.annotations.NullMarked;
