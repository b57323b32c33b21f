/** The protocol of Kubernetes scheduler extenders. */
@NullMarked
package org.trainyard.experiments.service.kubernetes;

import org.jspecify.annotations.NullMarked;
