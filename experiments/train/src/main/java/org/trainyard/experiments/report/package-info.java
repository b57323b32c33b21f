/**
 * The results of a run for people and machines: {@code summary.json}, {@code jobs.csv}, console tables, the HTML
 * report, TensorBoard curves, model cards.
 */
@NullMarked
package org.trainyard.experiments.report;

import org.jspecify.annotations.NullMarked;
