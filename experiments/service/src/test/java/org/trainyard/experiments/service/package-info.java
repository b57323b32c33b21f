@NullMarked
package org.trainyard.experiments.service;

import org.jspecify.annotations.NullMarked;
