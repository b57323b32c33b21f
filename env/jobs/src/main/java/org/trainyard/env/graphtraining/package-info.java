/**
 * Training of graph neural networks whose mini-batches are prepared in a pipeline of CPU, network, PCIe and GPU stages
 * (BGL).
 */
@NullMarked
package org.trainyard.env.graphtraining;

import org.jspecify.annotations.NullMarked;
