/**
 * Jobs that arrive one after another and stay, until a cluster is full: the protocol of FGD (Q. Weng et al., ATC 2023).
 */
@NullMarked
package org.trainyard.experiments.arrivals;

import org.jspecify.annotations.NullMarked;
