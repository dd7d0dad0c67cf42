"use strict";
// Draws the graph on a canvas from nodes [kind, x, y, label, text, doc] and edges [from, to, kind, label].
// The chosen node, or the path of the chosen question, is highlighted; all else is dimmed.
const data = JSON.parse(document.getElementById("data").textContent);
const {nodes, edges, questions, kinds} = data;
const KIND = 0, X = 1, Y = 2, LABEL = 3, TEXT = 4, DOC = 5;
const canvas = document.getElementById("canvas"), pen = canvas.getContext("2d");
const at = id => document.getElementById(id);
const around = nodes.map(() => []);
edges.forEach(([a, b], i) => { around[a].push(i); if (a !== b) around[b].push(i); });
// Size by kind, in the order of kinds.nodes; drawLabels has the zoom from which the labels of each kind are shown.
const size = nodes.map((node, i) => [7, 3.5, 3.5, 2.6, 1.8, 2.2][node[KIND]] + Math.min(6, Math.sqrt(around[i].length) / 2));
const order = nodes.map((_, i) => i).sort((a, b) => nodes[a][KIND] - nodes[b][KIND] || around[b].length - around[a].length);
const drawn = {nodes: kinds.nodes.map(() => true), edges: kinds.edges.map((_, i) => [0, 2, 3, 4].includes(i))};
const scene = {x: 0, y: 0, zoom: 1, chosen: null, bright: null, path: [], over: -1};
// The page opens with an overview: the documents, and the entities that most documents share; a click shows the rest.
const CENTRAL = 40;
const docs = new Map(nodes.map((node, i) => [node[KIND] === 0 ? node[DOC] : null, i]));
const naming = i => [...new Set(around[i].flatMap(e => edges[e].slice(0, 2)).map(n => nodes[n][DOC]))].filter(doc => docs.has(doc) && doc);
const reach = i => naming(i).length;
const central = new Set(nodes.map((_, i) => i).filter(i => kinds.nodes[nodes[i][KIND]] === "entities").map(i => [i, reach(i)])
  .sort((a, b) => b[1] - a[1] || around[b[0]].length - around[a[0]].length || a[0] - b[0]).slice(0, CENTRAL).map(([i]) => i));
const links = [...central].flatMap(i => naming(i).map(doc => [docs.get(doc), i]));
let overview = true, colours, waiting = false;

// ---- drawing ---------------------------------------------------------------------------------------

function readColours() {
  const style = getComputedStyle(document.documentElement), read = name => style.getPropertyValue(name).trim();
  colours = {ink: read("--ink"), soft: read("--soft"), accent: read("--accent"), paper: read("--paper"), kinds: kinds.nodes.map((_, i) => read("--k" + i))};
}
const left = new Float32Array(nodes.length), top_ = new Float32Array(nodes.length); // where each node is on the screen
function project() {
  const x = canvas.clientWidth / 2 - scene.x * scene.zoom, y = canvas.clientHeight / 2 - scene.y * scene.zoom;
  for (let i = 0; i < nodes.length; i++) {
    left[i] = nodes[i][X] * scene.zoom + x;
    top_[i] = nodes[i][Y] * scene.zoom + y;
  }
}
const radius = i => Math.max(0.8, size[i] * Math.min(2.2, Math.pow(scene.zoom, 0.6)));
const seen = i => (overview ? nodes[i][KIND] === 0 || central.has(i) : drawn.nodes[nodes[i][KIND]]) || (scene.bright && scene.bright.has(i));

function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; draw(); });
}
function draw() {
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  project();
  drawEdges(width, height);
  drawNodes(width, height);
  drawPath();
  drawLabels(width, height);
}
function line(a, b) {
  pen.moveTo(left[a], top_[a]);
  pen.lineTo(left[b], top_[b]);
}
function drawEdges(width, height) {
  const outside = (a, b) => (left[a] < 0 && left[b] < 0) || (top_[a] < 0 && top_[b] < 0) || (left[a] > width && left[b] > width) || (top_[a] > height && top_[b] > height);
  const bright = [];
  pen.beginPath();
  for (const edge of edges) {
    const [a, b, kind] = edge;
    if (scene.chosen !== null && (a === scene.chosen || b === scene.chosen)) { if (drawn.edges[kind]) bright.push(edge); continue; }
    if (drawn.edges[kind] && !outside(a, b) && seen(a) && seen(b)) line(a, b);
  }
  if (overview) for (const [a, b] of links) if (!outside(a, b)) line(a, b);
  pen.strokeStyle = colours.soft;
  pen.globalAlpha = scene.bright ? 0.05 : Math.min(0.4, 0.1 + 0.12 * scene.zoom);
  pen.lineWidth = 0.7;
  pen.stroke();
  pen.globalAlpha = 0.8;
  pen.strokeStyle = colours.accent;
  pen.lineWidth = 1.3;
  pen.beginPath();
  for (const [a, b] of bright) if (seen(a) && seen(b)) line(a, b);
  pen.stroke();
  pen.globalAlpha = 1;
}
function drawNodes(width, height) {
  for (const dim of scene.bright ? [true, false] : [false]) {
    pen.globalAlpha = dim ? 0.16 : 1;
    for (let kind = kinds.nodes.length - 1; kind >= 0; kind--) {
      pen.fillStyle = colours.kinds[kind];
      pen.beginPath();
      for (let i = 0; i < nodes.length; i++) {
        if (nodes[i][KIND] !== kind || !seen(i) || (scene.bright && scene.bright.has(i) === dim)) continue;
        const x = left[i], y = top_[i], r = radius(i);
        if (x < -r || y < -r || x > width + r || y > height + r) continue;
        pen.moveTo(x + r, y);
        pen.arc(x, y, r, 0, 2 * Math.PI);
      }
      pen.fill();
    }
  }
  pen.globalAlpha = 1;
}
function drawPath() {
  pen.strokeStyle = colours.accent;
  pen.lineWidth = 3;
  pen.beginPath();
  for (let i = 1; i < scene.path.length; i++) line(scene.path[i - 1], scene.path[i]);
  pen.stroke();
  for (const i of [...scene.path, ...(scene.chosen === null ? [] : [scene.chosen])]) {
    pen.lineWidth = 2.5;
    pen.beginPath();
    pen.arc(left[i], top_[i], radius(i) + 3, 0, 2 * Math.PI);
    pen.stroke();
  }
}
function drawLabels(width, height) {
  const taken = [];
  const write = (i, must, before) => {
    const x = left[i], y = top_[i];
    if (x < 0 || y < 0 || x > width || y > height) return;
    const words = before + (nodes[i][LABEL].length > 40 ? nodes[i][LABEL].slice(0, 39) + "…" : nodes[i][LABEL]);
    const wide = pen.measureText(words).width, right = x + radius(i) + 5;
    const from = right + wide < width ? right : Math.max(4, x - radius(i) - 5 - wide);
    const box = [from - 2, y - 9, from + wide + 2, y + 9];
    if (!must && taken.some(t => box[0] < t[2] && t[0] < box[2] && box[1] < t[3] && t[1] < box[3])) return;
    taken.push(box);
    pen.lineWidth = 3;
    pen.strokeStyle = colours.paper;
    pen.strokeText(words, from, y);
    pen.fillStyle = colours.ink;
    pen.fillText(words, from, y);
  };
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  scene.path.forEach((i, step) => write(i, true, `${step + 1}  `));
  if (scene.chosen !== null) write(scene.chosen, true, "");
  if (scene.over >= 0) write(scene.over, true, "");
  const depth = [0, 0.75, 1.3, 0.55, 1.7, 1.7];
  for (const i of order) {
    if (taken.length > 160) break;
    if (scene.bright ? scene.bright.has(i) : seen(i) && (overview || scene.zoom >= depth[nodes[i][KIND]] / (1 + around[i].length / 30))) write(i, false, "");
  }
}

// ---- moving ----------------------------------------------------------------------------------------

function fit(list) {
  const shown = list.length ? list : [0];
  const xs = shown.map(i => nodes[i]?.[X] ?? 0), ys = shown.map(i => nodes[i]?.[Y] ?? 0);
  const lowest = (a) => a.reduce((x, y) => Math.min(x, y)), highest = (a) => a.reduce((x, y) => Math.max(x, y));
  scene.x = (lowest(xs) + highest(xs)) / 2;
  scene.y = (lowest(ys) + highest(ys)) / 2;
  const room = Math.min((canvas.clientWidth - 90) / (highest(xs) - lowest(xs) + 40), (canvas.clientHeight - 90) / (highest(ys) - lowest(ys) + 40));
  scene.zoom = Math.min(2, Math.max(0.02, room));
  redraw();
}
const fitAll = () => fit(nodes.map((_, i) => i).filter(i => drawn.nodes[nodes[i][KIND]]));
function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const next = Math.min(12, Math.max(0.02, scene.zoom * factor));
  const dx = x - canvas.clientWidth / 2, dy = y - canvas.clientHeight / 2;
  scene.x += dx / scene.zoom - dx / next;
  scene.y += dy / scene.zoom - dy / next;
  scene.zoom = next;
  redraw();
}
function under(x, y) {
  let best = -1, nearest = Infinity;
  for (let i = 0; i < nodes.length; i++) {
    if (!seen(i)) continue;
    const far = Math.hypot(left[i] - x, top_[i] - y) - radius(i);
    if (far < 7 && far < nearest) { best = i; nearest = far; }
  }
  return best;
}
const fingers = new Map();
let moved = 0;
canvas.addEventListener("pointerdown", event => {
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
  if (fingers.size === 1) moved = 0;
});
canvas.addEventListener("pointermove", event => {
  const was = fingers.get(event.pointerId), now = [event.offsetX, event.offsetY];
  if (!was) {
    const over = under(...now);
    if (over !== scene.over) { scene.over = over; canvas.classList.toggle("over", over >= 0); redraw(); }
    return;
  }
  const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
  if (others.length) {
    const far = place => Math.hypot(place[0] - others[0][0], place[1] - others[0][1]);
    zoom(far(now) / Math.max(1, far(was)), (now[0] + others[0][0]) / 2, (now[1] + others[0][1]) / 2);
    moved = 99;
  } else {
    scene.x -= (now[0] - was[0]) / scene.zoom;
    scene.y -= (now[1] - was[1]) / scene.zoom;
    moved += Math.abs(now[0] - was[0]) + Math.abs(now[1] - was[1]);
  }
  fingers.set(event.pointerId, now);
  redraw();
});
const lifted = event => {
  if (!fingers.delete(event.pointerId) || event.type === "pointercancel" || moved > 6) return;
  const hit = under(event.offsetX, event.offsetY);
  hit >= 0 ? choose(hit, false) : clear();
};
canvas.addEventListener("pointerup", lifted);
canvas.addEventListener("pointercancel", lifted);
canvas.addEventListener("wheel", event => { event.preventDefault(); zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY); }, {passive: false});
canvas.addEventListener("keydown", event => {
  const step = 60 / scene.zoom, by = {ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step]}[event.key];
  if (by) { scene.x += by[0]; scene.y += by[1]; redraw(); event.preventDefault(); }
  else if (event.key === "+" || event.key === "=") zoom(1.3);
  else if (event.key === "-") zoom(1 / 1.3);
  else if (event.key === "0") fitAll();
  else if (event.key === "Escape") clear();
});
at("in").onclick = () => zoom(1.4);
at("out").onclick = () => zoom(1 / 1.4);
at("fit").onclick = fitAll;
new ResizeObserver(redraw).observe(canvas);
const recolour = () => { readColours(); paint(); redraw(); };
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
document.addEventListener("themechange", recolour);
