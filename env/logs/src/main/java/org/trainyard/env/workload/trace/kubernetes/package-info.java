/** Pods of Kubernetes as jobs: which pods are a gang, what they hold of GPUs, and when they ran. */
@NullMarked
package org.trainyard.env.workload.trace.kubernetes;

import org.jspecify.annotations.NullMarked;
