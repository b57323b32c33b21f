/** Schedulers that freeze layers of running jobs: by the rules of training frameworks, and IceFrog. */
@NullMarked
package org.trainyard.agents.heuristic.freezing;

import org.jspecify.annotations.NullMarked;
