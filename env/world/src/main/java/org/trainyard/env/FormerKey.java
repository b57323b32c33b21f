package org.trainyard.env;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The former key of a component of a configuration, or the former {@code type} of a record, which files may still have
 * in this version.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.TYPE})
public @interface FormerKey {
    /** The key as files have it, in snake case; of a record its former simple name. */
    String value();
}
