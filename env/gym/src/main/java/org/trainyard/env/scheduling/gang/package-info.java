/** The sets of servers on which a whole gang could start, by their cost. */
@NullMarked
package org.trainyard.env.scheduling.gang;

import org.jspecify.annotations.NullMarked;
