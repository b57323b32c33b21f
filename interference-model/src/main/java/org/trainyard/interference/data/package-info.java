/** Published measurements of co-location, read into one table. */
@NullMarked
package org.trainyard.interference.data;

import org.jspecify.annotations.NullMarked;
