package org.trainyard.experiments.inspection;

import java.io.PrintWriter;
import java.util.Map;

/** What {@code inspect} says of a file or folder. */
public interface Report {
    void print(PrintWriter out);

    /** Maps, lists and plain values. */
    Map<String, Object> json();
}
