@NullMarked
package org.trainyard.agents.heuristic.asrpt;

import org.jspecify.annotations.NullMarked;
