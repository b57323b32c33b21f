package org.trainyard.env.binding;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A component whose key may be missing. A nullable one is null then: so older configurations stay valid, and it is
 * written only where it is not null.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface OptionalKey {
    /** The value, as in YAML, of a component that is not nullable where the key is missing or null. */
    String orElse() default "";
}
