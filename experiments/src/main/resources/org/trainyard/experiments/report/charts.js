/* The Vega-Lite specifications of all charts. Schedulers stand in the order of their rows. */

const STYLE = {
  font: '"Segoe UI", "Helvetica Neue", Arial, sans-serif',
  view: {stroke: null},
  axis: {labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", titleColor: "#59636e", labelColor: "#1f2328", titlePadding: 8, gridColor: "#d9dee3", domainColor: "#8b949e", tickColor: "#8b949e"},
  legend: {labelFontSize: 12, symbolSize: 120, rowPadding: 4}
};

/** Round times on the logarithmic axis, seconds. */
const TICKS = [1e-3, 0.01, 0.1, 1, 10, 60, 300, 600, 1800, 3600, 10800, 21600, 43200, 86400, 259200, 604800, 2592000, 31536000];

const TICK_LABEL = "datum.value < 1 ? format(datum.value * 1000, '~g') + ' ms' : datum.value < 60 ? datum.value + ' s'"
    + " : datum.value < 3600 ? datum.value / 60 + ' min' : datum.value < 86400 ? datum.value / 3600 + ' h'"
    + " : datum.value / 86400 + ' d'";

const SCHEDULER_AXIS = {field: "scheduler", type: "nominal", sort: null};
const SCHEDULER_LABELS = {title: null, labelLimit: 220, ticks: false, labelPadding: 8, domain: false};

/** The past of a log, among schedulers: a broad line behind theirs. */
const PAST = "as it was";

/** Cumulative distributions; each row has a scheduler, its seconds and the share of its jobs done by then. */
function jctCdf(values) {
  const seconds = values.map(value => value.seconds);
  const least = seconds.reduce((a, b) => Math.min(a, b), Infinity);
  const most = seconds.reduce((a, b) => Math.max(a, b), 0);
  const ticks = TICKS.filter(tick => tick >= least && tick <= most);
  // With fewer than two round times in reach, Vega's own ticks in seconds say more.
  const axis = ticks.length > 1
      ? {title: "job completion time", values: ticks, labelExpr: TICK_LABEL}
      : {title: "job completion time, seconds"};
  const colours = new Set(values.map(value => value.scheduler)).size > 10 ? {scale: {scheme: "tableau20"}} : {};
  return {
    width: 640,
    height: 300,
    data: {values},
    mark: {type: "line", interpolate: "step-after", strokeWidth: 2, clip: true},
    encoding: {
      x: {field: "seconds", type: "quantitative", scale: {type: "log", nice: false}, axis: {...axis, labelOverlap: "greedy", gridOpacity: 0.6}},
      y: {field: "share", type: "quantitative", scale: {domain: [0, 1]}, axis: {title: "share of jobs done", format: "%"}},
      color: {...SCHEDULER_AXIS, ...colours, legend: {title: null, symbolStrokeWidth: 3, labelLimit: 220}},
      tooltip: [{field: "scheduler"}, {field: "label", title: "JCT"}, {field: "share", format: ".1%", title: "jobs done"}]
    }
  };
}

/** Paired differences; each row is the mean, the interval or one episode of a scheduler. */
function differences(values) {
  const verdicts = [...new Set(values.map(value => value.verdict))];
  return {
    width: 640,
    height: {step: 30},
    data: {values},
    encoding: {y: {...SCHEDULER_AXIS, axis: {...SCHEDULER_LABELS, grid: true, gridOpacity: 0.5}}},
    layer: [
      {
        mark: {type: "point", filled: true, size: 40, opacity: 0.35, color: "#555"},
        transform: [{filter: "datum.kind == 'episode'"}],
        encoding: {
          x: {field: "percent", type: "quantitative", scale: {zero: true}, axis: {title: "mean JCT against the reference, %", labelExpr: "datum.value == 0 ? '0' : format(datum.value, '+.6~f')", gridOpacity: 0.6}},
          tooltip: [{field: "scheduler"}, {field: "episode"}, {field: "percent", format: "+.2f", title: "difference, %"}]
        }
      },
      {mark: {type: "rule", color: "#222", strokeDash: [4, 3]}, encoding: {x: {datum: 0}, y: null}},
      {
        mark: {type: "rule", strokeWidth: 3},
        transform: [{filter: "datum.kind == 'interval'"}],
        encoding: {x: {field: "low", type: "quantitative"}, x2: {field: "high"}, color: {field: "verdict", type: "nominal"}}
      },
      {
        mark: {type: "point", filled: true, size: 110, opacity: 1, shape: "diamond"},
        transform: [{filter: "datum.kind == 'mean'"}],
        encoding: {
          x: {field: "percent", type: "quantitative"},
          color: {field: "verdict", type: "nominal", scale: {domain: ["better", "no difference", "worse", "too few episodes", "windows overlap"], range: ["#1a7f37", "#6e7781", "#cf222e", "#9a6700", "#9a6700"]}, legend: {title: null, symbolType: "diamond", values: verdicts}},
          tooltip: [{field: "scheduler"}, {field: "percent", format: "+.2f", title: "mean difference, %"}, {field: "verdict"}]
        }
      }
    ]
  };
}

/** A bar with its label for each scheduler; the axis leaves room for the label of the longest. */
function bars(title, values) {
  const most = Math.max(...values.map(value => value.value));
  return {
    width: 300,
    height: {step: 24},
    data: {values},
    encoding: {
      y: {...SCHEDULER_AXIS, axis: SCHEDULER_LABELS},
      x: {field: "value", type: "quantitative", scale: {domain: [0, most > 0 ? 1.18 * most : 1]}, axis: {title, tickCount: 5, gridOpacity: 0.6}}
    },
    layer: [
      {mark: {type: "bar", color: "#5b8db8", height: {band: 0.7}, tooltip: true}},
      {mark: {type: "text", align: "left", dx: 4, fontSize: 11}, encoding: {text: {field: "label"}}}
    ]
  };
}

/** Bars of parts that add up; each row is {scheduler, part, order, hours}. */
function stacked(title, values) {
  return {
    width: 420,
    height: {step: 20},
    data: {values},
    mark: {type: "bar", height: {band: 0.75}, tooltip: true},
    encoding: {
      y: {...SCHEDULER_AXIS, axis: SCHEDULER_LABELS},
      x: {field: "hours", type: "quantitative", axis: {title, tickCount: 5, gridOpacity: 0.6}},
      color: {field: "part", type: "nominal", sort: [...new Set(values.map(value => value.part))], legend: {title: null, orient: "bottom", columns: 5}},
      order: {field: "order"}
    }
  };
}

/** A figure over updates: one line, or one line for each seed. Points without a value leave a gap. */
function updates(values, bySeed) {
  const spec = {
    width: 320,
    height: 180,
    data: {values},
    mark: {type: "line", strokeWidth: bySeed ? 1.5 : 1.8, interpolate: "linear", point: values.length === 1, tooltip: true},
    encoding: {
      x: {field: "update", type: "quantitative", axis: {title: "update", tickCount: 5, gridOpacity: 0.5}},
      y: {field: "value", type: "quantitative", scale: {zero: false}, axis: {title: null, tickCount: 5, gridOpacity: 0.5}}
    }
  };
  if (bySeed) {
    spec.encoding.color = {field: "seed", type: "nominal", legend: {title: null, orient: "bottom", columns: 3}};
  } else {
    spec.mark.color = "#2f6f9f";
  }
  return spec;
}

/** Measured over predicted ratios, with the line on which both are equal. */
function scatter(points) {
  const axis = title => ({type: "quantitative", scale: {domain: [0, 1], clamp: false}, axis: {title, tickCount: 5, gridOpacity: 0.4}});
  return {
    width: 260,
    height: 260,
    data: {values: points.map(([predicted, measured]) => ({predicted, measured}))},
    layer: [
      {
        data: {values: [{predicted: 0, measured: 0}, {predicted: 1, measured: 1}]},
        mark: {type: "line", color: "#bbb", strokeWidth: 1},
        encoding: {x: {field: "predicted", ...axis("predicted")}, y: {field: "measured", ...axis("measured")}}
      },
      {
        mark: {type: "circle", size: 12, color: "#06c", opacity: 0.35},
        encoding: {x: {field: "predicted", ...axis("predicted")}, y: {field: "measured", ...axis("measured")}}
      }
    ]
  };
}

/** Lines over time, in units of this word, one for each of these schedulers that has values. */
function lines(values, schedulers, word, format) {
  const shown = schedulers.filter(name => values.some(value => value.scheduler === name));
  const scale = {domain: schedulers, scheme: schedulers.length > 10 ? "tableau20" : "tableau10"};
  return {
    width: 640,
    height: 180,
    data: {values},
    mark: {type: "line", interpolate: "linear"},
    encoding: {
      x: {field: "time", type: "quantitative", axis: {title: word, gridOpacity: 0.5}},
      y: {field: "value", type: "quantitative", axis: {title: null, format, tickCount: 5, gridOpacity: 0.5}},
      color: {...SCHEDULER_AXIS, scale, legend: {title: null, values: shown, symbolStrokeWidth: 3, labelLimit: 220}},
      strokeWidth: {condition: {test: {field: "scheduler", equal: PAST}, value: 6}, value: 1.5},
      opacity: {condition: {test: {field: "scheduler", equal: PAST}, value: 0.4}, value: 1}
    }
  };
}

/** Stacked areas over time, in units of this word, one for each group of GPUs, in their order. */
function areas(values, word) {
  return {
    width: 640,
    height: 180,
    data: {values},
    mark: {type: "area", interpolate: "step"},
    encoding: {
      x: {field: "time", type: "quantitative", axis: {title: word, gridOpacity: 0.5}},
      y: {field: "value", type: "quantitative", stack: "zero", axis: {title: null, tickCount: 5, gridOpacity: 0.5}},
      color: {field: "group", type: "nominal", sort: null, scale: {scheme: "tableau20"}, legend: {title: null}},
      order: {field: "order", type: "quantitative"},
      tooltip: [{field: "group"}, {field: "value", format: ".1f", title: "GPUs held"}]
    }
  };
}
