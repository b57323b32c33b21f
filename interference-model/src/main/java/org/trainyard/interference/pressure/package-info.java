/** Pressures and sensitivities without negative parts, fitted to measurements. */
@NullMarked
package org.trainyard.interference.pressure;

import org.jspecify.annotations.NullMarked;
