/** What a trace, topology, checkpoint or model contains. */
@NullMarked
package org.trainyard.experiments.inspection;

import org.jspecify.annotations.NullMarked;
