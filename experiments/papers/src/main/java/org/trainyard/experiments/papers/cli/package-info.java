/** The commands that repeat papers: their plans, their claims and the record book. */
@NullMarked
package org.trainyard.experiments.papers.cli;

import org.jspecify.annotations.NullMarked;
