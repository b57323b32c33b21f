/** The data centre: racks, servers, sockets, GPUs, the links between them and the routes over the links. */
@NullMarked
package org.trainyard.env.topology;

import org.jspecify.annotations.NullMarked;
