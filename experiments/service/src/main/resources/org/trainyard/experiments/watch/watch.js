"use strict";
/* Replays a recorded run: asks the server for the state at a time and for the events that follow, and draws. Text enters the page as text nodes alone. */

const $ = id => document.getElementById(id);
const WINDOW = 500;
const SPEEDS = [[1, "real time"], [60, "1 min/s"], [600, "10 min/s"], [3600, "1 h/s"], [21600, "6 h/s"], [86400, "1 d/s"], [604800, "7 d/s"]];

let recording, cluster, run = 0, runEnd = 0;
let now = 0, playing = false, busy = false;
/** The state: who holds each GPU, who waits (known by number, then only counted), what is broken, names and sizes of jobs. */
let held, gpusOf, waiting, hidden, down, jobs;
/** Events and decisions to come, from the server's windows. */
let events, decisions, next, ended;
let past = [], shown = null;

function human(seconds) {
  const whole = Math.round(seconds);
  if (whole < 60) return whole + " s";
  const [size, unit, part, smaller] = whole < 3600 ? [60, "min", 1, "s"] : whole < 86400 ? [3600, "h", 60, "min"] : [86400, "d", 3600, "h"];
  const rest = Math.floor(whole % size / part);
  return Math.floor(whole / size) + " " + unit + (rest ? " " + rest + " " + smaller : "");
}

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** A colour for each job by its number, far from that of its neighbours. */
function colour(job) {
  return "hsl(" + (job * 137.508) % 360 + " " + (55 + job % 3 * 12) + "% " + (50 + job % 2 * 10) + "%)";
}

async function ask(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

async function start() {
  recording = await ask("/api/recording");
  $("title").textContent = recording.name + " on " + recording.cluster.name;
  const several = recording.runs.some(one => one.episode > 0);
  for (const one of recording.runs) $("run").append(element("option", null, one.scheduler + (several ? ", episode " + one.episode : "")));
  for (const [factor, name] of SPEEDS) {
    const option = element("option", null, name);
    option.value = factor;
    $("speed").append(option);
  }
  layOut();
  const wanted = new URLSearchParams(location.search);
  run = Math.min(recording.runs.length - 1, Number(wanted.get("run") || 0));
  $("run").selectedIndex = run;
  await choose(wanted.has("at") || wanted.has("play") ? Number(wanted.get("at") || 0) : null);
  if (wanted.has("speed")) $("speed").value = wanted.get("speed");
  if (wanted.has("play")) toggle(true);
  document.body.dataset.ready = "yes";
}

/** Shows the chosen run from a time on; from that of its longest queue when none is given. */
async function choose(at) {
  const overview = await ask("/api/overview?run=" + run);
  runEnd = overview.end;
  // The whole run takes about two minutes unless the user says otherwise.
  const fitting = SPEEDS.filter(([factor]) => runEnd / factor >= 60);
  $("speed").value = (fitting.length ? fitting[fitting.length - 1] : SPEEDS[0])[0];
  drawOverview(overview.queue);
  await seek(at === null ? overview.busiest : at);
}

async function seek(time) {
  const state = await ask("/api/state?run=" + run + "&at=" + time);
  now = time;
  held = new Map();
  gpusOf = new Map();
  jobs = new Map();
  learn(state.jobs);
  for (const [job, ...gpus] of state.running) hold(job, gpus);
  waiting = new Set(state.waiting);
  hidden = state.waiting_count - state.waiting.length;
  down = new Map(state.down.map(gpu => [gpu, 1]));
  events = [];
  decisions = [];
  next = state.next;
  ended = false;
  past = state.decisions.reverse();
  shown = past.shift() || null;
  await fill();
  draw();
}

function learn(names) {
  for (const [job, [name, gpus]] of Object.entries(names)) jobs.set(Number(job), {name, gpus});
}

/** Asks for the next window of events. */
async function fill() {
  if (ended) return;
  const window = await ask("/api/window?run=" + run + "&from=" + next + "&count=" + WINDOW);
  learn(window.jobs);
  events.push(...window.events);
  decisions.push(...window.decisions);
  next += window.events.length;
  ended = window.events.length === 0;
}

function hold(job, gpus) {
  gpusOf.set(job, gpus);
  for (const gpu of gpus) {
    if (!held.has(gpu)) held.set(gpu, []);
    held.get(gpu).push(job);
  }
}

function release(job) {
  for (const gpu of gpusOf.get(job) || []) held.set(gpu, held.get(gpu).filter(one => one !== job));
  gpusOf.delete(job);
}

function apply([, kind, job, ...gpus]) {
  switch (kind) {
    case "ARRIVE": waiting.add(job); break;
    case "START":
      if (!waiting.delete(job)) hidden = Math.max(0, hidden - 1);
      hold(job, gpus);
      break;
    case "RESIZE": release(job); hold(job, gpus); break;
    case "FINISH": case "TIMEOUT": release(job); break;
    case "REJECT":
      if (!waiting.delete(job)) hidden = Math.max(0, hidden - 1);
      break;
    case "PREEMPT": case "KILL": release(job); waiting.add(job); break;
    case "DOWN": for (const gpu of gpus) down.set(gpu, (down.get(gpu) || 0) + 1); break;
    case "UP": for (const gpu of gpus) down.set(gpu, (down.get(gpu) || 0) - 1); break;
  }
}

/** Lets events and decisions happen up to a time, as far as they are here. */
function advance(time) {
  while (events.length && events[0][0] <= time) apply(events.shift());
  while (decisions.length && decisions[0].time <= time) {
    if (shown) past.unshift(shown);
    shown = decisions.shift();
  }
  past.length = Math.min(past.length, 8);
  now = time;
}

const FRAME_MILLIS = 33;
let before = 0, timer = 0;

/** Plays one frame and plans the next; a timer, since a browser without a window draws no frames by itself. */
async function tick() {
  const at = performance.now();
  const elapsed = Math.min(0.25, (at - before) / 1000);
  before = at;
  if (!busy) {
    busy = true;
    try {
      await play(now + elapsed * Number($("speed").value));
    } catch (error) {
      fail(error);
    }
    busy = false;
  }
  if (playing) plan();
}

function plan() {
  clearTimeout(timer);
  timer = setTimeout(tick, FRAME_MILLIS);
}

async function play(to) {
  const until = Math.min(to, runEnd);
  while (!ended && (!events.length || events[events.length - 1][0] <= until)) await fill();
  advance(until);
  if (hidden > 0 && waiting.size < 50) await seek(now);
  if (now >= runEnd) toggle(false);
  draw();
}

/** Goes on to the next instant with a decision. */
async function step() {
  toggle(false);
  while (!decisions.length && !ended) {
    if (events.length) advance(events[events.length - 1][0]);
    await fill();
  }
  if (decisions.length) await play(decisions[0].time);
}

function toggle(on) {
  playing = on;
  $("play").textContent = on ? "⏸ pause" : "▶ play";
  if (on) {
    before = performance.now();
    plan();
  } else {
    clearTimeout(timer);
  }
}

/* Drawing. */

let spots, size, queueLengths = [];

/** A colour of the style sheet, which has its own for dark screens. */
function tone(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

/** The largest squares with which the whole cluster is in sight, or else the smallest. */
function layOut() {
  cluster = recording.cluster.servers;
  const racks = [...new Set(cluster.map(server => server.rack))].map(rack => cluster.filter(server => server.rack === rack));
  const room = {width: Math.max(240, $("left").clientWidth), height: Math.max(240, window.innerHeight - 260)};
  const sizes = [60, 48, 40, 34, 28, 23, 18, 14, 11, 9, 7, 5, 4];
  const fits = candidate => {
    const made = placed(racks, candidate, room.width);
    return made.width <= room.width && made.height <= room.height;
  };
  size = sizes.find(fits) || sizes[sizes.length - 1];
  spots = placed(racks, size, room.width);
  const canvas = $("cluster");
  const ratio = window.devicePixelRatio || 1;
  canvas.width = spots.width * ratio;
  canvas.height = spots.height * ratio;
  canvas.style.width = spots.width + "px";
  canvas.getContext("2d").scale(ratio, ratio);
}

/** Places racks, servers and GPUs in columns: a box for each rack, a row for each server, a square for each GPU. */
function placed(racks, side, room) {
  const widest = Math.max(...cluster.map(server => server.gpus));
  const named = side >= 11;
  const label = named ? 70 : 4;
  const width = label + widest * (side + 2) + 16;
  const columns = Math.max(1, Math.min(racks.length, Math.floor(room / width)));
  const made = {gpus: [], servers: [], racks: [], width: columns * width};
  const bottoms = new Array(columns).fill(0);
  let gpu = 0;
  racks.forEach((servers, rack) => {
    const column = bottoms.indexOf(Math.min(...bottoms));
    const x = column * width;
    let y = bottoms[column] + 18;
    made.racks.push({name: "rack " + (rack + 1), x, y: y - 5});
    for (const server of servers) {
      made.servers.push({name: named ? server.name.slice(-10) : "", x, y, width: width - 8});
      for (let i = 0; i < server.gpus; i++) made.gpus[gpu++] = {x: x + label + i * (side + 2), y, server: server.name};
      y += side + 3;
    }
    bottoms[column] = y + 4;
  });
  made.height = Math.max(...bottoms) + 4;
  return made;
}

function draw() {
  drawCluster();
  $("clock").textContent = human(now) + " of " + human(runEnd) + (now >= runEnd ? ", the end" : "");
  if (document.activeElement !== $("slider") || playing) $("slider").value = runEnd ? 1000 * now / runEnd : 0;
  $("queue-count").textContent = waiting.size + hidden === 0 ? "(nobody waits)" : "(" + (waiting.size + hidden) + " jobs)";
  $("queue").replaceChildren(...[...waiting].slice(0, 40).map(job => element("li", null, jobLabel(job), sizeOf(job))));
  drawDecision();
  $("log").replaceChildren(...past.map(one => element("li", null, human(one.time) + ": " + sentence(one))));
}

function sizeOf(job) {
  const known = jobs.get(job);
  return known && known.gpus !== undefined ? ", " + known.gpus + (known.gpus === 1 ? " GPU" : " GPUs") : "";
}

function jobLabel(job) {
  const chip = element("span", "chip");
  chip.style.background = colour(job);
  return element("span", null, chip, (jobs.get(job) || {name: "?"}).name);
}

function drawCluster() {
  const context = $("cluster").getContext("2d");
  context.clearRect(0, 0, $("cluster").width, $("cluster").height);
  context.font = "11px sans-serif";
  context.fillStyle = tone("quiet");
  const [free, broken] = [tone("free"), tone("broken")];
  for (const rack of spots.racks) context.fillText(rack.name, rack.x, rack.y);
  for (const server of spots.servers) if (server.name) context.fillText(server.name, server.x, server.y + size / 2 + 4);
  spots.gpus.forEach((spot, gpu) => {
    const holders = held.get(gpu) || [];
    context.fillStyle = down.get(gpu) > 0 ? broken : free;
    context.fillRect(spot.x, spot.y, size, size);
    holders.forEach((job, i) => {
      context.fillStyle = colour(job);
      context.fillRect(spot.x, spot.y + i * size / holders.length, size, size / holders.length);
    });
  });
}

const DONE = {START: "starts", PREEMPT: "gives way", FORWARD: "is forwarded", RESIZE: "is resized", REJECT: "is turned away", MIGRATE: "moves"};

function sentence(decision) {
  return decision.decision === "WAIT" ? (decision.job ? decision.job + " waits" : "everybody waits") : decision.job + " " + (DONE[decision.decision] || decision.decision.toLowerCase().replace("_", " "));
}

/** What jobs are ranked by, and its unit, or null: "first by time of submission, s". */
function rankOf(reason) {
  const found = /\bby ([^,;]+?)(?:, ([^;]+))?(?:;|$)/.exec(reason);
  return found && {name: found[1], unit: found[2] || ""};
}

/** The reason as a sentence. */
function reasonInWords(decision) {
  const rank = rankOf(decision.reason);
  const order = rank ? "in the order of " + rank.name : "in the queue";
  const bids = /^highest score of (\d+) bids(?:, (.*) above the next)?/.exec(decision.reason);
  if (bids) return "the highest price of " + bids[1] + " bids" + (bids[2] ? ", " + bids[2] + " above the next" : "");
  if (decision.reason.startsWith("first ")) return "it is the first " + order;
  const number = /^number (\d+)/.exec(decision.reason);
  if (number) return "it is number " + number[1] + " " + order + ", and the jobs before it do not start now";
  if (decision.reason.startsWith("makes way")) return "to make room for a job that waits (below, " + order + ")";
  return decision.reason;
}

function value(number, rank) {
  if (number === undefined) return "-";
  return rank && rank.unit === "s" ? human(Math.max(0, number)) : Number(number.toPrecision(4)).toLocaleString("en");
}

function drawDecision() {
  if (!shown) {
    $("decision").replaceChildren(element("p", "note", "No decision up to this moment, or none was recorded."));
    return;
  }
  const rank = rankOf(shown.reason);
  const isScored = shown.candidates.some(one => one.score !== undefined);
  const rows = shown.candidates.map((one, i) => element("tr", i === 0 ? "winner" : null,
      element("td", null, one.kind.toLowerCase().replace("_", " ")), element("td", null, one.job || "-"),
      element("td", null, one.servers.map(server => cluster[server].name).join(", ") || "-"),
      ...(isScored ? [element("td", "number", value(one.score, rank))] : [])));
  const last = rank ? rank.name + (rank.unit && rank.unit !== "s" ? ", " + rank.unit : "") : "price";
  const head = element("tr", null, ...["candidate", "job", "servers", ...(isScored ? [last] : [])].map(title => element("th", null, title)));
  const best = rows.length
      ? [element("div", "scroll", element("table", null, head, ...rows)), ...(rows.length < shown.of ? [element("p", "note", "The best " + rows.length + " of " + shown.of + ".")] : [])]
      : [];
  $("decision").replaceChildren(element("p", null, element("strong", null, sentence(shown)), " at " + human(shown.time) + ": " + reasonInWords(shown) + "."), ...best);
}

function drawOverview(queue) {
  queueLengths = queue;
  const canvas = $("overview");
  canvas.width = canvas.clientWidth;
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, canvas.width, canvas.height);
  const most = Math.max(1, ...queue);
  context.fillStyle = tone("bar");
  queue.forEach((jobs, i) => {
    const height = jobs / most * (canvas.height - 12);
    context.fillRect(i * canvas.width / queue.length, canvas.height - height, canvas.width / queue.length, height);
  });
  context.fillStyle = tone("quiet");
  context.font = "11px sans-serif";
  context.fillText("jobs that wait, at most " + Math.max(...queue), 4, 11);
}

function fail(error) {
  toggle(false);
  $("error").textContent = String(error);
}

$("play").addEventListener("click", () => toggle(!playing && now < runEnd));
$("step").addEventListener("click", () => step().catch(fail));
$("slider").addEventListener("change", () => seek($("slider").value / 1000 * runEnd).catch(fail));
$("run").addEventListener("change", () => {
  toggle(false);
  run = $("run").selectedIndex;
  choose(0).catch(fail);
});
$("cluster").addEventListener("mousemove", event => {
  const gpu = spots.gpus.findIndex(spot => event.offsetX >= spot.x && event.offsetX <= spot.x + size && event.offsetY >= spot.y && event.offsetY <= spot.y + size);
  const holders = gpu < 0 ? [] : held.get(gpu) || [];
  $("tip").textContent = gpu < 0 ? "Point at a GPU to see its job."
      : spots.gpus[gpu].server + ", GPU " + gpu + ": " + (holders.map(job => jobs.get(job).name + sizeOf(job)).join(" and ") || (down.get(gpu) > 0 ? "out of order" : "free"));
});
function redraw() {
  if (!document.body.dataset.ready) return;
  layOut();
  drawOverview(queueLengths);
  draw();
}

addEventListener("resize", redraw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
start().catch(fail);
