package org.trainyard.env.binding;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** How a value of this type is written in YAML, for messages. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Example {
    /** The text, such as {@code {type: Slowdown, knows: Belief}}. */
    String value();
}
