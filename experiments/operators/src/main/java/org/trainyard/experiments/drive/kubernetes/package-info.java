/** A live Kubernetes that is driven by the gates of its pods. */
@NullMarked
package org.trainyard.experiments.drive.kubernetes;

import org.jspecify.annotations.NullMarked;
