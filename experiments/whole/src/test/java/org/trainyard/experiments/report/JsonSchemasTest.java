package org.trainyard.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.benchmark.ReferenceScores;
import org.trainyard.experiments.io.JsonText;

/**
 * The JSON that commands print is as the schemas of the documentation say: no field more, none less, none of another
 * type.
 */
class JsonSchemasTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final String LOG =
            ROOT.resolve("env/logs/src/test/resources/traces/sacct.csv").toString();

    @TempDir
    private Path folder;

    private static JsonNode schema(String name) throws IOException {
        return JsonText.read(
                Files.readString(ROOT.resolve("experiments/docs/reference/schemas/%s.schema.json".formatted(name))));
    }

    private static JsonNode answer(Shell shell) {
        assertThat(shell.code()).as(shell.err()).isZero();
        return JsonText.read(shell.out());
    }

    private static void check(String schema, JsonNode answer) throws IOException {
        assertThat(faults(schema(schema), answer)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--trace generated --scheduler fifo",
                "--trace generated --scheduler fifo,srtf",
                "stream --scheduler fifo"
            })
    void simulate(String words) throws IOException {
        check("summary", answer(Shell.run(("simulate %s --jobs 60 --cluster 2x8 --json".formatted(words)).split(" "))));
    }

    @Test
    void evaluate() throws IOException {
        check(
                "summary",
                answer(Shell.command(
                        "evaluate %s --schedulers fifo,sjf --set episodes.jobs=10 --set episodes.test=2"
                                + " --set episodes.validation=1 --json --out %s",
                        ROOT.resolve("experiments/configs/auction/small.yaml"), folder.resolve("run"))));
    }

    /** And a scheduler waits as it does in {@code simulate --as-logged}. */
    @Test
    void advise() throws IOException {
        JsonNode advice = answer(Shell.command("advise %s --cluster 8x8:A100 --json", LOG));
        JsonNode simulated = answer(Shell.command(
                "simulate --trace %s --cluster 8x8:A100 --as-logged --json --scheduler easy,srtf,tiresias", LOG));

        check("advise", advice);
        for (JsonNode one : simulated.get("schedulers")) {
            assertThat(advice.get("schedulers"))
                    .filteredOn(row -> row.get("name").equals(one.get("name")))
                    .singleElement()
                    .satisfies(row -> assertThat(row.at("/wait_s/mean").asDouble())
                            .isCloseTo(one.at("/wait_s/mean").asDouble(), within(1e-6)));
        }
    }

    @Test
    void shadow() throws IOException {
        check("shadow", answer(Shell.command("shadow %s --cluster 8x8:A100 --scheduler srtf --json", LOG)));
    }

    /** Sixty jobs of 100 s on one server, one after the other. */
    private Path dated() throws IOException {
        List<String> lines = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,start_s,end_s"));
        for (int job = 0; job < 60; job++) {
            lines.add("j%d,%d,4,100,%d,%d".formatted(job, 90 * job, 100 * job, 100 * job + 100));
        }
        return Files.write(folder.resolve("log.csv"), lines);
    }

    @ParameterizedTest
    @CsvSource({
        "when, when %s --cluster 1x4 --job 4gpus --futures 5 --learn 0 --json",
        "calibration, when backtest %s --cluster 1x4 --scheduler fifo --futures 3 --learn 20 --json",
        "what-if, advise %s --cluster 1x4 --what-if arrivals=2 --scheduler fifo --json",
        "search, advise %s --cluster 1x4 --search --search-evaluations 2 --json"
    })
    void answers_about_a_log(String schema, String command) throws IOException {
        check(schema, answer(Shell.run(command.replace("%s", dated().toString()).split(" "))));
    }

    @Test
    void bench() throws IOException {
        check("bench", JsonText.read(Files.readString(ReferenceScores.folder().resolve("calm-v1/sjf.json"))));
    }

    @Test
    void what_a_schema_does_not_have_is_found() throws IOException {
        ObjectNode result = (ObjectNode)
                JsonText.read(Files.readString(ReferenceScores.folder().resolve("calm-v1/sjf.json")));
        result.put("scheduler", 3).put("surplus", 1).remove("task");

        assertThat(faults(schema("bench"), result))
                .containsExactlyInAnyOrder(
                        "/scheduler: is no [\"string\"]", "/surplus: not in the schema", "/task: missing");
    }

    /** What a value has and a schema does not allow, of the words that our schemas use. */
    private static List<String> faults(JsonNode schema, JsonNode value) {
        List<String> faults = new ArrayList<>();
        check(schema, schema, value, "", faults);
        return faults;
    }

    private static void check(JsonNode root, JsonNode schema, JsonNode value, String place, List<String> faults) {
        if (schema.has("$ref")) {
            JsonNode target = root.at(schema.get("$ref").asText().substring(1));
            assertThat(target.isMissingNode()).as(schema.toString()).isFalse();
            check(root, target, value, place, faults);
            return;
        }
        if (schema.has("enum")) {
            if (!contains(schema.get("enum"), value)) {
                faults.add(place + ": is not in " + schema.get("enum"));
            }
            return;
        }
        JsonNode type = schema.get("type");
        List<String> types = new ArrayList<>();
        (type.isArray() ? type : List.of(type)).forEach(one -> types.add('"' + one.asText() + '"'));
        if (!types.contains('"' + type(value) + '"') && !(value.isIntegralNumber() && types.contains("\"number\""))) {
            faults.add(place + ": is no " + types);
            return;
        }
        if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                check(root, schema.get("items"), value.get(i), place + "/" + i, faults);
            }
        } else if (value.isObject() && schema.has("properties")) {
            JsonNode known = schema.get("properties");
            schema.path("required").forEach(name -> {
                if (!value.has(name.asText())) {
                    faults.add(place + "/" + name.asText() + ": missing");
                }
            });
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                String at = place + "/" + field.getKey();
                if (known.has(field.getKey())) {
                    check(root, known.get(field.getKey()), field.getValue(), at, faults);
                } else {
                    faults.add(at + ": not in the schema");
                }
            }
        }
    }

    private static boolean contains(JsonNode values, JsonNode value) {
        for (JsonNode one : values) {
            if (one.equals(value)) {
                return true;
            }
        }
        return false;
    }

    private static String type(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case STRING -> "string";
            case BOOLEAN -> "boolean";
            case NULL -> "null";
            default -> value.isIntegralNumber() ? "integer" : "number";
        };
    }
}
