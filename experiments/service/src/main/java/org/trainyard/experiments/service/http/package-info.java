/** The placement service over HTTP. */
@NullMarked
package org.trainyard.experiments.service.http;

import org.jspecify.annotations.NullMarked;
