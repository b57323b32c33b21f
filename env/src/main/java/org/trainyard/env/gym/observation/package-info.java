/** What agents observe: layout and content of observation rows. */
@NullMarked
package org.trainyard.env.gym.observation;

import org.jspecify.annotations.NullMarked;
