/* The answer of a sweep: parallel coordinates of its runs, and a table, best first. */

function sweep(result) {
  const scores = result.runs.map(run => run.score);
  heading("Runs");
  note("A line is a run" + (new Set(result.runs.map(run => run.scheduler)).size > 1 ? " and a scheduler" : "")
      + ": where it crosses an axis is its value there, the last axis is the " + result.measure + ". Darker lines are better.");
  charts({id: "sweep", spec: parallelCoordinates(result.keys, result.measure, result.runs)});
  note(result.command
      ? "The best run again: " + result.command
      : "Seeds have different episodes, so a run of one is not better than a run of another: means.csv has the means over seeds.");
  table(["run", ...result.keys, "scheduler", result.measure, "against the best"],
      result.runs.slice(0, 200).map(run => [
        run.run, ...run.values, run.scheduler, run.score.toFixed(1), signed(100 * (run.score / scores[0] - 1), 1) + " %"
      ]));
}

/** Where values lie on an axis, 0 to 1: numbers by size, others in order of appearance. */
function axis(values) {
  const numbers = values.map(Number);
  if (numbers.every(Number.isFinite)) {
    const least = Math.min(...numbers);
    const width = Math.max(...numbers) - least;
    return numbers.map(number => width > 0 ? (number - least) / width : 0.5);
  }
  const names = [...new Set(values)];
  return values.map(value => names.length > 1 ? names.indexOf(value) / (names.length - 1) : 0.5);
}

/** The values beside an axis: all of them where there are few, otherwise the ends. */
function labels(points) {
  const byPlace = new Map(points.map(point => [point.at, point]));
  const places = [...byPlace.keys()].sort((a, b) => a - b);
  const shown = places.length <= 8 ? places : [places[0], places[places.length - 1]];
  return shown.map(at => {
    const number = Number(byPlace.get(at).value);
    const text = Number.isFinite(number) ? String(Number(number.toPrecision(5))) : byPlace.get(at).value;
    return {axis: byPlace.get(at).axis, at, text};
  });
}

function parallelCoordinates(keys, measure, runs) {
  const names = [...keys, measure];
  const columns = [...keys.map((key, k) => runs.map(run => run.values[k])), runs.map(run => run.score)];
  const points = columns.flatMap((values, c) => {
    const at = axis(values);
    return runs.map((run, i) => ({
      line: run.run + " " + run.scheduler, axis: names[c], at: at[i], value: String(values[i]), score: run.score
    }));
  });
  const ends = names.flatMap(name => labels(points.filter(point => point.axis === name)));
  const x = {field: "axis", type: "nominal", sort: names, title: null, axis: {labelAngle: 0, grid: true, domain: false}};
  const y = {field: "at", type: "quantitative", axis: null};
  return {
    data: {values: points},
    width: Math.max(400, 160 * names.length),
    height: 300,
    layer: [
      {
        mark: {type: "line", opacity: 0.7, tooltip: true},
        encoding: {
          x, y,
          detail: {field: "line"},
          color: {field: "score", type: "quantitative", title: measure, scale: {scheme: "viridis"}}
        }
      },
      {
        data: {values: ends},
        mark: {type: "text", align: "left", dx: 6, dy: -6, fontSize: 11},
        encoding: {x, y, text: {field: "text"}}
      },
      {
        mark: {type: "point", filled: true, size: 30},
        encoding: {
          x, y,
          color: {field: "score", type: "quantitative"},
          tooltip: [{field: "line", title: "run"}, {field: "axis", title: "axis"}, {field: "value", title: "value"}, {field: "score", title: measure}]
        }
      }
    ]
  };
}
