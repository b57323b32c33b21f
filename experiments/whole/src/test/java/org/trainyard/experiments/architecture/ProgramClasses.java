package org.trainyard.experiments.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

/** The classes of all modules without their tests, which are read once for all tests that look at them. */
final class ProgramClasses {
    static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/")
                    && !location.contains("-tests.jar")
                    && !location.contains("-testing.jar"))
            .importPackages("org.trainyard");

    private ProgramClasses() {}
}
