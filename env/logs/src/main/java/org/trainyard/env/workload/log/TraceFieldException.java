package org.trainyard.env.workload.log;

/** A field of a trace row that cannot be used; carries no stack trace, for a bad file has many. */
public final class TraceFieldException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String field;
    private final String value;
    private final String expected;

    public TraceFieldException(String field, String value, String expected) {
        super(field + ": " + value, null, false, false);
        this.field = field;
        this.value = value;
        this.expected = expected;
    }

    public String field() {
        return field;
    }

    public String value() {
        return value;
    }

    public String expected() {
        return expected;
    }
}
