package org.trainyard.interference.data;

import java.util.Comparator;

/** A scope on one kind of hardware; slowdowns of one domain are comparable. */
public record Domain(Scope scope, String hardware) implements Comparable<Domain> {
    private static final Comparator<Domain> ORDER =
            Comparator.comparing(Domain::scope).thenComparing(Domain::hardware);

    @Override
    public int compareTo(Domain other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return scope.label() + " " + hardware;
    }
}
