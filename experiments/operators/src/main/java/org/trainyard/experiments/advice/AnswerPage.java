package org.trainyard.experiments.advice;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.report.HtmlReport;
import org.trainyard.experiments.timeline.TimelineJson;

/**
 * The page of an answer, for {@link HtmlReport}: the answer above charts of runs over time.
 *
 * @param notes what a reader has to know, or null
 * @param timelines as {@link TimelineJson} has them
 */
public record AnswerPage(
        String title,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> notes,
        Answer.Section advice,
        Object timelines) {}
