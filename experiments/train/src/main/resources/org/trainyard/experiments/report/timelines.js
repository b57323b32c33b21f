/* The runs of the first episode over time: charts of figures, the Gantt chart by server, and the history of a job. */

const RACK = "gpus_held_rack";
const TENANT = "gpus_held_vc_";

/** The address may name a scheduler and a job: report.html#scheduler=srtf&job=j000031. */
const wanted = new URLSearchParams(location.hash.slice(1));

function timelines(all) {
  heading("The cluster over time");
  const episodes = all.episodes > 1 ? " of the first of " + all.episodes + " episodes; series.csv beside this page has all" : "; series.csv beside this page has the numbers";
  const past = all.runs.some(run => run.scheduler === PAST) ? "; the wide grey line is the past" : "";
  note("Means over equal intervals of time" + past + episodes + ".");
  const shown = all.runs.filter(run => run.to.length);
  if (!shown.length) {
    note("No simulated time passed, so there is nothing to draw.");
    return;
  }
  const [word, unit] = timeUnit(Math.max(...shown.map(run => run.to[run.to.length - 1])));
  overTime("queue-length", "jobs that wait", shown, "queue_length", word, unit);
  overTime("gpus-held", "GPUs held", shown, "gpus_held", word, unit);
  overTime("fragmentation", "share of free GPUs on partly used servers", shown, "fragmentation", word, unit);
  const placed = all.runs.filter(run => run.jobs);
  if (!placed.length) return;
  const choice = element("select");
  for (const run of placed) choice.append(element("option", null, run.scheduler));
  const chosen = element("div");
  const select = () => {
    chosen.replaceChildren();
    within(chosen, () => oneRun(all, placed[choice.selectedIndex], word, unit));
  };
  choice.value = wanted.get("scheduler") || choice.value;
  choice.addEventListener("change", select);
  heading("One scheduler");
  show(element("p", null, element("label", null, "scheduler ", choice)), chosen);
  select();
}

/** What is shown in the meantime goes into this element. */
function within(place, fill) {
  const outer = target;
  target = place;
  try {
    fill();
  } finally {
    target = outer;
  }
}

/** The middles of a run's intervals with a figure; intervals are thinned to at most 400 by means, for the eye. */
function points(run, figure, unit) {
  const values = run.figures[figure] || [];
  const step = Math.ceil(values.length / 400);
  const made = [];
  for (let i = 0; i < values.length; i += step) {
    const part = values.slice(i, i + step);
    const from = i ? run.to[i - 1] : run.from;
    const to = run.to[Math.min(values.length, i + step) - 1];
    made.push({time: (from + to) / 2 / unit, value: part.reduce((a, b) => a + b, 0) / part.length});
  }
  return made;
}

/** A figure of all runs. */
function overTime(id, title, runs, figure, word, unit) {
  const values = runs.flatMap(run => points(run, figure, unit).map(point => ({...point, scheduler: run.scheduler})));
  if (values.every(one => one.value === 0)) {
    note("Always 0: " + title + ".");
    return;
  }
  charts({id, title, spec: lines(values, runs.map(run => run.scheduler), word, figure === "fragmentation" ? "%" : "~s")});
}

function oneRun(all, run, word, unit) {
  const racks = Object.keys(run.figures).filter(name => name.startsWith(RACK));
  const tenants = Object.keys(run.figures).filter(name => name.startsWith(TENANT));
  heldBy("held-by-rack", "GPUs held by rack", run, racks, name => "rack " + name.replace(/^gpus_held_racks?_/, ""), word, unit);
  if (tenants.length) heldBy("held-by-vc", "GPUs held by virtual cluster", run, tenants, name => name.slice(TENANT.length), word, unit);
  gantt(all.cluster, run);
}

function heldBy(id, title, run, names, label, word, unit) {
  const values = names.flatMap((name, order) => points(run, name, unit).map(point => ({...point, group: label(name), order})));
  if (!values.length || values.every(one => one.value === 0)) {
    note("No GPU was held, so there is no chart of GPUs.");
    return;
  }
  charts({id, title, spec: areas(values, word)});
}

/** The runs of jobs on servers: [{job, server, gpus, from, to, how it ended}], in order of time. */
function barsOf(run) {
  const made = [];
  for (const job of run.jobs) {
    let open = [];
    for (const [time, event, ...servers] of job.steps) {
      for (const bar of open) {
        bar.to = time;
        bar.end = event;
      }
      open = [];
      for (let i = 0; i < servers.length; i += 2) {
        open.push({job, server: servers[i], gpus: servers[i + 1], from: time, to: null, end: null});
      }
      made.push(...open);
    }
  }
  const last = run.to.length ? run.to[run.to.length - 1] : 0;
  for (const bar of made) if (bar.to === null) bar.to = last;
  return made.sort((a, b) => a.from - b.from);
}

/** Gives each bar slots of its server that are free; a bar that finds none overlaps others, as jobs that share GPUs do. */
function pack(bars, cluster) {
  const until = cluster.gpus.map(gpus => new Array(gpus).fill(-Infinity));
  for (const bar of bars) {
    const slots = until[bar.server];
    bar.slots = [];
    for (let slot = 0; slot < slots.length && bar.slots.length < bar.gpus; slot++) {
      if (slots[slot] <= bar.from) bar.slots.push(slot);
    }
    if (!bar.slots.length) bar.slots = [0];
    for (const slot of bar.slots) slots[slot] = bar.to;
  }
}

/** A colour for each job, far from that of its neighbours. */
function colour(index, light) {
  return "hsl(" + (index * 137.508) % 360 + " " + (55 + index % 3 * 12) + "% " + (light || 58) + "%)";
}

const MOST_BARS = 5000;

function gantt(cluster, run) {
  show(element("h3", null, "Who ran where"));
  const all = barsOf(run);
  if (!all.length) {
    note("No job of this run started, so there is no Gantt chart.");
    return;
  }
  const bars = all.slice(0, MOST_BARS);
  const cut = run.cut || bars.length < all.length;
  note("A row for each server, a line of it for each GPU, a colour for each job. Turn the wheel to zoom, drag to move, double-click to see all, click on a job for its history."
      + (cut ? " Cut: only the first " + run.jobs.length + " jobs and " + bars.length + " bars are shown; ./trainyard watch shows every job of a recorded run." : ""));
  pack(bars, cluster);
  run.jobs.forEach((job, index) => { job.colour = colour(index); });
  const canvas = element("canvas", "gantt");
  canvas.id = "gantt";
  const tip = element("p", "note", "\u00a0");
  show(canvas, tip);
  const history = jobHistory(cluster, run);
  new Gantt(canvas, cluster, bars, job => history(job.job), text => { tip.textContent = text || "\u00a0"; }).draw();
}

/** Draws bars on a canvas, a row for each server, between two times. */
class Gantt {
  constructor(canvas, cluster, bars, onJob, onHover) {
    Object.assign(this, {canvas, cluster, bars, onHover});
    this.left = 90;
    this.bottom = 24;
    this.gpuHeight = Math.max(1, Math.min(7, Math.floor(640 / cluster.gpus.reduce((a, b) => a + b, 0))));
    this.tops = [];
    let top = 4;
    for (const gpus of cluster.gpus) {
      this.tops.push(top);
      top += Math.max(3, gpus * this.gpuHeight) + 2;
    }
    this.width = 960;
    this.height = top + this.bottom;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = this.width * ratio;
    canvas.height = this.height * ratio;
    this.context = canvas.getContext("2d");
    this.context.scale(ratio, ratio);
    this.first = bars.reduce((least, bar) => Math.min(least, bar.from), Infinity);
    this.last = bars.reduce((most, bar) => Math.max(most, bar.to), 0);
    this.all();
    canvas.addEventListener("wheel", event => this.zoom(event), {passive: false});
    canvas.addEventListener("dblclick", () => { this.all(); this.draw(); });
    canvas.addEventListener("mousedown", event => { this.grabbed = {x: event.offsetX, from: this.from, to: this.to, moved: false}; });
    window.addEventListener("mouseup", () => { setTimeout(() => { this.grabbed = null; }); });
    canvas.addEventListener("mousemove", event => this.move(event));
    canvas.addEventListener("click", event => {
      const bar = this.at(event);
      if (bar && !(this.grabbed && this.grabbed.moved)) onJob(bar.job);
    });
  }

  all() {
    this.from = this.first;
    this.to = this.last > this.first ? this.last : this.first + 1;
  }

  /** Pixels of the page per pixel of the drawing: the canvas may be shown smaller. */
  scale() {
    return this.width / this.canvas.clientWidth;
  }

  x(time) {
    return this.left + (time - this.from) / (this.to - this.from) * (this.width - this.left - 8);
  }

  time(x) {
    return this.from + (x - this.left) / (this.width - this.left - 8) * (this.to - this.from);
  }

  zoom(event) {
    event.preventDefault();
    const centre = this.time(event.offsetX * this.scale());
    const factor = event.deltaY > 0 ? 1.25 : 0.8;
    if ((this.to - this.from) * factor > this.last - this.first) return this.all(), this.draw();
    this.from = centre - (centre - this.from) * factor;
    this.to = centre + (this.to - centre) * factor;
    this.draw();
  }

  move(event) {
    if (this.grabbed) {
      const by = (event.offsetX - this.grabbed.x) * this.scale() / (this.width - this.left - 8) * (this.grabbed.to - this.grabbed.from);
      this.grabbed.moved = this.grabbed.moved || Math.abs(event.offsetX - this.grabbed.x) > 3;
      this.from = this.grabbed.from - by;
      this.to = this.grabbed.to - by;
      this.draw();
      return;
    }
    const bar = this.at(event);
    this.onHover(bar ? bar.job.job + ": " + bar.gpus + " GPUs on " + this.cluster.servers[bar.server] + " from " + human(bar.from) + " for " + human(bar.to - bar.from) : null);
  }

  at(event) {
    const time = this.time(event.offsetX * this.scale());
    const y = event.offsetY * this.scale();
    return this.bars.find(bar => bar.from <= time && time <= bar.to
        && bar.slots.some(slot => { const top = this.tops[bar.server] + slot * this.gpuHeight; return y >= top && y < top + Math.max(2, this.gpuHeight); }));
  }

  draw() {
    const {context, width, height, left} = this;
    context.clearRect(0, 0, width, height);
    context.font = "10px sans-serif";
    this.tops.forEach((top, server) => {
      const rows = Math.max(3, this.cluster.gpus[server] * this.gpuHeight);
      context.fillStyle = this.cluster.racks[server] % 2 ? "#f3f6f9" : "#e9eef3";
      context.fillRect(left, top, width - left - 8, rows);
    });
    for (const bar of this.bars) {
      const from = Math.max(left, this.x(bar.from));
      const to = Math.min(width - 8, this.x(bar.to));
      if (to < left || from > width - 8) continue;
      context.fillStyle = bar.job.colour;
      for (const slot of bar.slots) {
        context.fillRect(from, this.tops[bar.server] + slot * this.gpuHeight, Math.max(0.6, to - from), this.gpuHeight > 2 ? this.gpuHeight - 0.6 : this.gpuHeight);
      }
    }
    this.labels();
  }

  labels() {
    const {context, width, height, left} = this;
    context.fillStyle = "#1f2328";
    context.textAlign = "right";
    let lowest = -10;
    this.tops.forEach((top, server) => {
      if (top - lowest >= 11) {
        context.fillText(this.cluster.servers[server].slice(-14), left - 5, top + 9);
        lowest = top;
      }
    });
    context.textAlign = "center";
    for (let i = 0; i <= 6; i++) {
      const time = this.from + (this.to - this.from) * i / 6;
      context.fillText(human(Math.max(0, time)), Math.min(width - 30, Math.max(left + 20, this.x(time))), height - 8);
    }
  }
}

const WORDS = {ARRIVE: "submitted", START: "started", PREEMPT: "preempted", KILL: "stopped by an outage", FINISH: "finished", TIMEOUT: "killed at its time limit", HOLD: "submitted, held", REJECT: "rejected"};

/** The box that asks for a job and shows what happened to it; the answer shows a job of that name. */
function jobHistory(cluster, run) {
  show(element("h3", null, "What happened to this job?"));
  const byName = new Map(run.jobs.map(job => [job.job, job]));
  const names = element("datalist");
  names.id = "jobs";
  run.jobs.slice(0, 500).forEach(job => { const option = element("option"); option.value = job.job; names.append(option); });
  const box = element("input");
  box.placeholder = "job, such as " + run.jobs[0].job;
  box.setAttribute("list", "jobs");
  box.value = wanted.get("job") || "";
  const answer = element("div");
  answer.id = "job-history";
  show(element("p", null, element("label", null, "job ", box)), names, answer);
  const tell = () => {
    answer.replaceChildren();
    const job = byName.get(box.value.trim());
    within(answer, () => job ? steps(cluster, job) : note(box.value.trim()
        ? "This page has no job of that name" + (run.cut ? "; it has the first " + run.jobs.length + " jobs." : ".") : "Name a job, or click on one."));
  };
  box.addEventListener("input", tell);
  tell();
  return name => {
    box.value = name;
    tell();
    box.scrollIntoView({block: "nearest"});
  };
}

function steps(cluster, job) {
  const submitted = job.steps[0][0];
  let before = null;
  let started = false;
  table(["job " + job.job + ", " + job.gpus + " GPUs", "time", "after submission", "servers"], job.steps.map(([time, event, ...servers]) => {
    const where = [];
    for (let i = 0; i < servers.length; i += 2) where.push(cluster.servers[servers[i]] + " (" + servers[i + 1] + ")");
    const place = where.join(", ");
    let word = WORDS[event] || event.toLowerCase();
    if (event === "START" && started) word = place === before ? "resumed" : "resumed and moved";
    if (event === "RESIZE") word = "moved or resized";
    if (event === "START") started = true;
    if (place) before = place;
    return [word, duration(time), duration(time - submitted), wrapped(place)];
  }));
}
