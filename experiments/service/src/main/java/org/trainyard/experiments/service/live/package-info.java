/** Live clusters that are fed by events and asked for placements: their state, their log, and who decides for them. */
@NullMarked
package org.trainyard.experiments.service.live;

import org.jspecify.annotations.NullMarked;
