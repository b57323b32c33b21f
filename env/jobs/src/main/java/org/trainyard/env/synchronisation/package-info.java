/**
 * Synchronisation of workers of different speeds with their parameter servers: steps, commits, statistical efficiency,
 * time to a loss.
 */
@NullMarked
package org.trainyard.env.synchronisation;

import org.jspecify.annotations.NullMarked;
