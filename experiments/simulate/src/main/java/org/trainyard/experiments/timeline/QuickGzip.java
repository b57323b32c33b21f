package org.trainyard.experiments.timeline;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Gzips logs while simulations wait for it, at the fastest level. */
final class QuickGzip extends GZIPOutputStream {
    QuickGzip(OutputStream out) throws IOException {
        super(out, 1 << 16);
        def.setLevel(Deflater.BEST_SPEED);
    }
}
