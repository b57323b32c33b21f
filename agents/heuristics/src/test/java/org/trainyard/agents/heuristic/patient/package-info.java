@NullMarked
package org.trainyard.agents.heuristic.patient;

import org.jspecify.annotations.NullMarked;
