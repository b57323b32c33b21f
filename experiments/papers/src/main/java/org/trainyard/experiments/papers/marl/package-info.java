/** Multi-agent scheduling with graph networks and an interference model (arXiv 2112.13354), repeated. */
@NullMarked
package org.trainyard.experiments.papers.marl;

import org.jspecify.annotations.NullMarked;
