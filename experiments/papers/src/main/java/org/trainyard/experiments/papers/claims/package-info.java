/** Claims of papers beside measurements of this project: one row for each claim, as a table and as JSON. */
@NullMarked
package org.trainyard.experiments.papers.claims;

import org.jspecify.annotations.NullMarked;
