/** The hierarchical graph network that reads observations. */
@NullMarked
package org.trainyard.gnn;

import org.jspecify.annotations.NullMarked;
