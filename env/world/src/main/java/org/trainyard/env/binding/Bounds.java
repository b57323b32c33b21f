package org.trainyard.env.binding;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The values that a component may have: of a number its range, of a list its number of items, and of a text, which has
 * to be printable and not blank, its number of characters. On an annotation it holds for the components with that.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.ANNOTATION_TYPE})
public @interface Bounds {
    long least() default 0;

    long most() default Long.MAX_VALUE;
}
