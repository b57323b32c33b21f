/** The launcher's build of what changed, without Maven. */
@NullMarked
package org.trainyard.experiments.build;

import org.jspecify.annotations.NullMarked;
