/** The hierarchical graph network that encodes observations, its weights and their file. */
@NullMarked
package org.trainyard.gnn;

import org.jspecify.annotations.NullMarked;
