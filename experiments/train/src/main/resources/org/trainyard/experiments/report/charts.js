/* The Vega-Lite specifications of all charts. Schedulers stand in the order of their rows. */

const STYLE = {
  background: null,
  font: '"Segoe UI", "Helvetica Neue", Arial, sans-serif',
  view: {stroke: null},
  axis: {labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", titleColor: "#59636e", labelColor: "#1f2328", titlePadding: 8, gridColor: "#d9dee3", domainColor: "#8b949e", tickColor: "#8b949e"},
  legend: {labelFontSize: 12, symbolSize: 120, rowPadding: 4}
};

/** Colours of at most six lines, which people with any colour vision tell apart (Okabe, Ito); the other lines are grey. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
/** The width of a chart that has a row of its own. */
const WIDE = Math.max(200, Math.min(720, document.documentElement.clientWidth - 130));

const GREY = "#8b949e";

/** The end of an axis of values at least 0, of which a few may lie far outside: three times the middle, where that is less than the greatest. */
function endOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const most = sorted[sorted.length - 1];
  const end = 3 * sorted[Math.floor(sorted.length / 2)];
  return end > 0 && end < 0.7 * most ? end : most;
}

/** Round times on the logarithmic axis, seconds. */
const TICKS = [1e-3, 0.01, 0.1, 1, 10, 60, 300, 600, 1800, 3600, 10800, 21600, 43200, 86400, 259200, 604800, 2592000, 31536000];

const TICK_LABEL = "datum.value < 1 ? format(datum.value * 1000, '~g') + ' ms' : datum.value < 60 ? datum.value + ' s'"
    + " : datum.value < 3600 ? datum.value / 60 + ' min' : datum.value < 86400 ? datum.value / 3600 + ' h'"
    + " : datum.value / 86400 + ' d'";

const SCHEDULER_AXIS = {field: "scheduler", type: "nominal", sort: null};
const SCHEDULER_LABELS = {title: null, labelLimit: 220, ticks: false, labelPadding: 8, domain: false};

const LEGEND = {title: null, orient: "bottom", columns: 3, symbolStrokeWidth: 3, labelLimit: 220};

/** The past of a log, among schedulers: a broad line behind theirs. */
const PAST = "as it was";

/** Cumulative distributions; each row has a scheduler, its seconds and the share of its jobs done by then. */
function jctCdf(values, names = [...new Set(values.map(value => value.scheduler))].slice(0, COLOURS.length)) {
  values = values.map(value => ({...value, isNamed: names.includes(value.scheduler)}));
  const seconds = values.map(value => value.seconds);
  const least = seconds.reduce((a, b) => Math.min(a, b), Infinity);
  const most = seconds.reduce((a, b) => Math.max(a, b), 0);
  const ticks = TICKS.filter(tick => tick >= least && tick <= most);
  // With fewer than two round times in reach, Vega's own ticks in seconds say more.
  const axis = ticks.length > 1
      ? {title: "job completion time", values: ticks, labelExpr: TICK_LABEL}
      : {title: "job completion time, seconds"};
  return {
    width: WIDE,
    height: 300,
    data: {values},
    encoding: {
      x: {field: "seconds", type: "quantitative", scale: {type: "log", nice: false}, axis: {...axis, labelOverlap: "greedy", gridOpacity: 0.6}},
      y: {field: "share", type: "quantitative", scale: {domain: [0, 1]}, axis: {title: "share of jobs done", format: "%"}},
      detail: {field: "scheduler"},
      tooltip: [{field: "scheduler"}, {field: "label", title: "JCT"}, {field: "share", format: ".1%", title: "jobs done"}]
    },
    layer: [
      {
        mark: {type: "line", interpolate: "step-after", strokeWidth: 1, opacity: 0.6, clip: true, color: GREY},
        transform: [{filter: "!datum.isNamed"}]
      },
      {
        mark: {type: "line", interpolate: "step-after", strokeWidth: 2.5, clip: true},
        transform: [{filter: "datum.isNamed"}],
        encoding: {color: {field: "scheduler", type: "nominal", scale: {domain: names, range: COLOURS.slice(0, names.length)}, legend: LEGEND}}
      }
    ]
  };
}

/** Paired differences; each row is the mean, the interval or one episode of a scheduler. */
function differences(values) {
  const verdicts = [...new Set(values.map(value => value.verdict))];
  const means = values.filter(value => value.kind === "mean");
  const end = Math.max(20, endOf(means.map(mean => Math.abs(mean.percent))));
  const isOutside = new Set(means.filter(mean => mean.percent > end).map(mean => mean.scheduler));
  const inside = values.filter(value => !isOutside.has(value.scheduler));
  const low = Math.min(-5, ...inside.flatMap(value => value.kind === "interval" ? [value.low] : value.kind === "mean" ? [value.percent] : []));
  const high = isOutside.size ? 1.12 * end : Math.max(5, ...inside.flatMap(value => value.kind === "interval" ? [value.high] : [value.percent || 0]));
  const scale = {domain: [1.1 * low, high], nice: false};
  values = [
    ...inside.filter(value => value.kind !== "episode" || value.percent <= high && value.percent >= 1.1 * low)
        .map(value => value.kind === "interval" ? {...value, high: Math.min(high, value.high)} : value),
    ...means.filter(mean => isOutside.has(mean.scheduler))
        .map(mean => ({...mean, kind: "outside", at: high, label: signed(mean.percent, 0) + " % \u2192"}))
  ];
  return {
    width: 0.85 * WIDE,
    height: {step: 26},
    data: {values},
    encoding: {y: {...SCHEDULER_AXIS, axis: {...SCHEDULER_LABELS, grid: true, gridOpacity: 0.5}}},
    layer: [
      {
        mark: {type: "point", filled: true, size: 40, opacity: 0.45, color: GREY},
        transform: [{filter: "datum.kind == 'episode'"}],
        encoding: {
          x: {field: "percent", type: "quantitative", scale, axis: {title: "mean JCT against the reference, %", labelExpr: "datum.value == 0 ? '0' : format(datum.value, '+.6~f')", gridOpacity: 0.6}},
          tooltip: [{field: "scheduler"}, {field: "episode"}, {field: "percent", format: "+.2f", title: "difference, %"}]
        }
      },
      {mark: {type: "rule", color: GREY, strokeDash: [4, 3]}, encoding: {x: {datum: 0}, y: null}},
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
          color: {field: "verdict", type: "nominal", scale: {domain: ["better", "no difference", "worse", "too few episodes", "windows overlap", "not shown"], range: ["#009e73", "#8b949e", "#d55e00", "#9a6700", "#9a6700", "#56b4e9"]}, legend: {title: null, symbolType: "diamond", values: verdicts, orient: "bottom"}},
          tooltip: [{field: "scheduler"}, {field: "percent", format: "+.2f", title: "mean difference, %"}, {field: "verdict"}]
        }
      },
      {
        mark: {type: "text", align: "right", fontSize: 12},
        transform: [{filter: "datum.kind == 'outside'"}],
        encoding: {x: {field: "at", type: "quantitative"}, text: {field: "label"}}
      }
    ]
  };
}

/** A bar with its label for each scheduler; the axis leaves room for the label of the longest. */
function bars(title, values) {
  const most = endOf(values.map(value => value.value));
  values = values.map(value => value.value > most ? {...value, value: most, label: value.label + " \u2192"} : value);
  return {
    width: 300,
    height: {step: 22},
    data: {values},
    encoding: {
      y: {...SCHEDULER_AXIS, axis: SCHEDULER_LABELS},
      x: {field: "value", type: "quantitative", scale: {domain: [0, most > 0 ? 1.18 * most : 1]}, axis: {title, tickCount: 5, gridOpacity: 0.6}}
    },
    layer: [
      {mark: {type: "bar", color: COLOURS[0], height: {band: 0.7}, tooltip: true}},
      {mark: {type: "text", align: "left", dx: 4, fontSize: 11}, encoding: {text: {field: "label"}}}
    ]
  };
}

/** Bars of parts that add up; each row is {scheduler, part, order, hours}. */
function stacked(title, values) {
  const totals = new Map();
  for (const value of values) totals.set(value.scheduler, (totals.get(value.scheduler) || 0) + value.hours);
  const end = endOf([...totals.values()]);
  return {
    width: 0.75 * WIDE,
    height: {step: 20},
    data: {values},
    encoding: {y: {...SCHEDULER_AXIS, axis: SCHEDULER_LABELS}},
    layer: [
      {
        mark: {type: "bar", height: {band: 0.75}, tooltip: true, clip: true},
        encoding: {
          x: {field: "hours", type: "quantitative", scale: {domain: [0, 1.1 * end], nice: false}, axis: {title, tickCount: 5, gridOpacity: 0.6}},
          color: {field: "part", type: "nominal", sort: null, scale: {range: COLOURS}, legend: {title: null, orient: "bottom", columns: 5}},
          order: {field: "order"}
        }
      },
      {
        data: {values: [...totals].filter(([, hours]) => hours > end).map(([scheduler, hours]) => ({scheduler, at: 1.1 * end, label: hours.toFixed(0) + " h \u2192"}))},
        mark: {type: "text", align: "left", dx: 4, fontSize: 12},
        encoding: {x: {field: "at", type: "quantitative"}, text: {field: "label"}}
      }
    ]
  };
}

/** The curve that chose a policy: the update that is kept has a dot, and updates far above the others an arrow. */
function learningCurve(title, points) {
  const end = endOf(points.map(point => point.value));
  const best = points.reduce((a, b) => b.value < a.value ? b : a, points[0]);
  const inside = points.filter(point => point.value <= end);
  const most = Math.max(...inside.map(point => point.value));
  const room = most - best.value || most || 1;
  return {
    width: WIDE,
    height: 220,
    encoding: {
      x: {field: "update", type: "quantitative", axis: {title: "update", tickCount: 8, gridOpacity: 0.5}, scale: {domain: [0, Math.max(1, points[points.length - 1].update)]}},
      y: {field: "value", type: "quantitative", scale: {domain: [best.value - 0.2 * room, most + 0.15 * room], nice: false}, axis: {title, tickCount: 5, gridOpacity: 0.5}}
    },
    layer: [
      {data: {values: inside}, mark: {type: "line", strokeWidth: 2, color: COLOURS[0], point: inside.length < 40 ? {color: COLOURS[0]} : false, tooltip: true}},
      {data: {values: [best]}, mark: {type: "point", filled: true, size: 130, color: COLOURS[1], opacity: 1}},
      {
        data: {values: [{...best, text: "kept: update " + best.update + ", " + best.label}]},
        mark: {type: "text", align: best.update > 0.7 * points[points.length - 1].update ? "right" : "left", dy: 16, fontSize: 13, fontWeight: 600},
        encoding: {text: {field: "text"}}
      },
      {
        data: {values: points.filter(point => point.value > end).map(point => ({...point, value: most + 0.15 * room, text: "\u2191 update " + point.update + ": " + point.label}))},
        mark: {type: "text", align: "left", dx: 6, dy: 8, fontSize: 12},
        encoding: {text: {field: "text"}}
      }
    ]
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
    spec.encoding.color = {field: "seed", type: "nominal", scale: {range: COLOURS}, legend: {title: null, orient: "bottom", columns: 3}};
  } else {
    spec.mark.color = COLOURS[0];
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
  const names = schedulers.filter(name => name !== PAST && values.some(value => value.scheduler === name)).slice(0, COLOURS.length);
  values = values.map(value => ({...value, isPast: value.scheduler === PAST, isNamed: names.includes(value.scheduler)}));
  const line = (strokeWidth, opacity, filter, more) => ({mark: {type: "line", strokeWidth, opacity, color: GREY}, transform: [{filter}], ...more});
  return {
    width: WIDE,
    height: 180,
    data: {values},
    encoding: {
      x: {field: "time", type: "quantitative", axis: {title: word, gridOpacity: 0.5}},
      y: {field: "value", type: "quantitative", axis: {title: null, format, tickCount: 5, gridOpacity: 0.5}},
      detail: {field: "scheduler"},
      tooltip: {field: "scheduler"}
    },
    layer: [
      line(6, 0.4, "datum.isPast"),
      line(1, 0.6, "!datum.isPast && !datum.isNamed"),
      line(1.8, 1, "datum.isNamed", {
        encoding: {color: {field: "scheduler", type: "nominal", scale: {domain: names, range: COLOURS.slice(0, names.length)}, legend: LEGEND}}
      })
    ]
  };
}

/** Stacked areas over time, in units of this word, one for each group of GPUs, in their order. */
function areas(values, word) {
  return {
    width: WIDE,
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
