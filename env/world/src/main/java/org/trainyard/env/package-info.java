/** What every part of the world needs: seeded randomness and one way to say that input is bad. */
@NullMarked
package org.trainyard.env;

import org.jspecify.annotations.NullMarked;
