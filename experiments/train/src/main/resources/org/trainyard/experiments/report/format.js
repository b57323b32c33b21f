/* Numbers, durations and elements. Text from the data enters the page as text nodes alone, never as markup. */

/** A duration in its two largest units, such as "3 h 12 min", "5 min", "45 s" or "0.250 s"; the console prints the same. */
function human(seconds) {
  if (!Number.isFinite(seconds)) return "-";
  if (seconds < 0) return "-" + human(-seconds);
  if (seconds === 0) return "0 s";
  if (seconds < 9.95) return seconds.toFixed(seconds < 0.9995 ? 3 : 1) + " s";
  const whole = Math.round(seconds);
  if (whole < 60) return whole + " s";
  if (whole < 3600) return units(whole, 60, "min", "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return units(minutes, 60, "h", "min");
  return units(Math.round(seconds / 3600), 24, "d", "h");
}

function units(whole, size, unit, smaller) {
  return Math.floor(whole / size) + " " + unit + (whole % size ? " " + whole % size + " " + smaller : "");
}

function signed(value, digits) {
  return (value < 0 ? "" : "+") + value.toFixed(digits);
}

/** An element with its class (or null) and its children; children that are text become text nodes. */
function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** Where elements are shown. */
let target = document.body;

function show(...elements) {
  target.append(...elements);
}

function heading(text) {
  show(element("h2", null, text));
}

function note(text) {
  show(element("p", "note", text));
}

/** A table cell; a plain value may stand for one. */
function cell(text, className, title) {
  return {text: String(text), className, title};
}

/** A cell with a duration, whose seconds are shown on hovering. */
function duration(seconds) {
  return cell(human(seconds), null, seconds.toFixed(3) + " s");
}

/** A table; each row is a list of cells, or {className, cells}. */
function table(titles, rows) {
  const body = element("tbody");
  for (const row of rows) {
    const line = element("tr", row.className);
    for (const value of row.cells || row) {
      const shown = typeof value === "object" ? value : cell(value);
      const made = element("td", shown.className, shown.text);
      if (shown.title) made.title = shown.title;
      line.append(made);
    }
    body.append(line);
  }
  const first = rows.length ? rows[0].cells || rows[0] : [];
  const head = element("tr", null, ...titles.map((title, i) => element("th", isProse(first[i]) ? "prose" : null, title)));
  show(element("div", "scroll", element("table", null, element("thead", null, head), body)));
}

/** Whether a cell has prose, which is aligned to the left. */
function isProse(value) {
  return typeof value === "object" && value.className === "prose";
}

/** A row of charts, each {id, title (or null), spec}. */
function charts(...list) {
  const figures = list.map(({id, title, spec}) => {
    const place = element("div");
    place.id = id;
    const figure = element("figure", null, place);
    draw(place, spec);
    return title ? element("div", null, element("h3", null, title), figure) : figure;
  });
  show(figures.length > 1 ? element("div", "pair", ...figures) : figures[0]);
}

/** Draws a Vega-Lite specification, with a link that saves it as SVG. */
function draw(place, spec) {
  const fail = error => { place.textContent = "This chart failed: " + error; };
  try {
    const view = new vega.View(vega.parse(vegaLite.compile(spec, {config: STYLE}).spec), {renderer: "svg", container: place, hover: true});
    view.runAsync().then(() => view.toSVG()).then(svg => {
      const link = element("a", "save", "save as SVG");
      link.download = place.id + ".svg";
      link.href = URL.createObjectURL(new Blob([svg], {type: "image/svg+xml"}));
      place.after(link);
    }).catch(fail);
  } catch (error) {
    fail(error);
  }
}
