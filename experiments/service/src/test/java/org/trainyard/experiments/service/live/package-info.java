/** Parts of a served cluster by themselves. */
@NullMarked
package org.trainyard.experiments.service.live;

import org.jspecify.annotations.NullMarked;
