/** What papers claim beside what this project measures: one row for each claim, as a table and as JSON. */
@NullMarked
package org.trainyard.experiments.papers.claims;

import org.jspecify.annotations.NullMarked;
