/**
 * The registry of schedulers, placement policies and rules beside schedulers, and the door through which all of them
 * come.
 */
@NullMarked
package org.trainyard.env.gym.registry;

import org.jspecify.annotations.NullMarked;
