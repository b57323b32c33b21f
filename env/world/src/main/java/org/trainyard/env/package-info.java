/** Foundations of all parts of the world: seeded randomness, and one way to report bad input. */
@NullMarked
package org.trainyard.env;

import org.jspecify.annotations.NullMarked;
