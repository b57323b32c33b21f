/** A small network of pairs, trained on DJL. */
@NullMarked
package org.trainyard.interference.network;

import org.jspecify.annotations.NullMarked;
