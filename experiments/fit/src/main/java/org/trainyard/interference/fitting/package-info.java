/** A whole fit of slowdowns, and its files. */
@NullMarked
package org.trainyard.interference.fitting;

import org.jspecify.annotations.NullMarked;
