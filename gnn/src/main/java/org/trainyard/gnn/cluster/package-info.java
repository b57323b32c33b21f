/**
 * The encoder of whole data centres for agents that bid, with tensors for learning and with plain arrays for playing.
 */
@NullMarked
package org.trainyard.gnn.cluster;

import org.jspecify.annotations.NullMarked;
