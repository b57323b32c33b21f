/** Objects of Kubernetes in YAML: documents, their fields, and amounts of resources. */
@NullMarked
package org.trainyard.agents.heuristic.kubernetes;

import org.jspecify.annotations.NullMarked;
