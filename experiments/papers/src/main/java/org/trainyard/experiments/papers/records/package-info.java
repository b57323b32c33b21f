/** The record book: published figures of schedulers beside ours under the same rules, with hashes. */
@NullMarked
package org.trainyard.experiments.papers.records;

import org.jspecify.annotations.NullMarked;
