/** The commands of the service. */
@NullMarked
package org.trainyard.experiments.cli.service;

import org.jspecify.annotations.NullMarked;
