// ---- choosing --------------------------------------------------------------------------------------

function make(tag, words = "", name = "") {
  const element = document.createElement(tag);
  if (words) element.textContent = words;
  if (name) element.className = name;
  return element;
}
function dot(kind) {
  const element = make("span", "", "dot");
  element.style.background = colours.kinds[kind];
  element.dataset.kind = kind;
  return element;
}
const paint = () => document.querySelectorAll(".dot").forEach(each => { each.style.background = colours.kinds[each.dataset.kind]; });
function button(words, aside, kind, act) {
  const item = make("li"), element = make("button");
  element.type = "button";
  if (kind >= 0) element.append(dot(kind));
  element.append(make("span", words));
  if (aside) element.append(make("small", aside));
  element.onclick = act;
  item.append(element);
  return item;
}
const nodeButton = (i, aside) => button(nodes[i][LABEL], aside, nodes[i][KIND], () => choose(i, true));
function list(items) {
  const element = make("ul", "", "list");
  element.append(...items);
  return element;
}
function show(parts) {
  at("chosen").replaceChildren(...parts);
  document.querySelector("aside").scrollTop = 0;
}
function choose(i, go) {
  scene.chosen = i;
  scene.path = [];
  scene.bright = new Set([i, ...around[i].filter(e => drawn.edges[edges[e][2]]).flatMap(e => [edges[e][0], edges[e][1]])]);
  const [kind, x, y, label, text, doc] = nodes[i], parts = [make("h2", label)];
  const where = make("p", "", "soft");
  where.append(dot(kind), ` ${kinds.nodes[kind].replace(/ies$/, "y").replace(/s$/, "")}${doc && doc !== label ? ", " + doc : ""}`);
  parts.push(where);
  if (text && text !== label) parts.push(make("p", text));
  kinds.edges.forEach((name, k) => {
    const near = around[i].filter(e => edges[e][2] === k);
    if (!near.length) return;
    parts.push(make("h3", `${name} (${near.length})`));
    parts.push(list(near.slice(0, 40).map(e => {
      const [a, b, , words] = edges[e], out = a === i;
      return nodeButton(out ? b : a, words ? (out ? words + " →" : "→ " + words) : "");
    })));
    if (near.length > 40) parts.push(make("p", `and ${near.length - 40} more`, "soft"));
  });
  show(parts);
  if (go) { scene.x = x; scene.y = y; scene.zoom = Math.max(scene.zoom, 0.9); }
  mark(-1);
  redraw();
}
function ask(q) {
  const {question, answer, type, path, hops, evidence} = questions[q];
  scene.chosen = null;
  scene.path = path;
  scene.bright = new Set(path);
  const parts = [make("h2", question), make("p", answer || "no answer in the documents"), make("p", type, "soft")];
  parts.push(make("h3", "Path"), list(path.map((i, step) => nodeButton(i, String(step + 1)))));
  if (hops.length > 1) parts.push(make("h3", "Facts used"), ...hops.map(({doc, parts: phrases}) => make("p", phrases.map(([role, words]) => `${role}: ${words}`).join("; ") + ` (${doc})`)));
  evidence.forEach(([doc, text]) => parts.push(make("p", text, "quote"), make("p", doc, "soft mono")));
  show(parts);
  mark(q);
  path.length ? fit(path) : redraw();
}
function clear() {
  scene.chosen = scene.bright = null;
  scene.path = [];
  at("chosen").replaceChildren();
  mark(-1);
  redraw();
}
const mark = q => at("questions").querySelectorAll("button").forEach((each, i) => each.setAttribute("aria-pressed", String(i === q)));

// ---- searching and filtering -----------------------------------------------------------------------

const haystack = nodes.map(node => `${node[LABEL]}\n${node[TEXT]}\n${node[DOC]}`.toLowerCase());
const asked = questions.map(each => `${each.question}\n${each.answer}`.toLowerCase());
at("search").addEventListener("input", event => {
  const words = event.target.value.trim().toLowerCase();
  clear();
  if (!words) return at("found").replaceChildren();
  const hits = order.filter(i => haystack[i].includes(words)), named = hits.filter(i => nodes[i][LABEL].toLowerCase().includes(words));
  const first = [...new Set([...named, ...hits])].slice(0, 40);
  const ours = questions.map((_, q) => q).filter(q => asked[q].includes(words)).slice(0, 20);
  at("found").replaceChildren(
    make("h3", `${hits.length} nodes${ours.length ? `, ${ours.length} questions` : ""}`),
    list([...ours.map(q => button(questions[q].question, "question", -1, () => ask(q))), ...first.map(i => nodeButton(i, kinds.nodes[nodes[i][KIND]]))]));
});
function toggles(place, which, count) {
  kinds[which].forEach((name, k) => {
    if (!count[k]) return;
    const label = make("label"), box = make("input");
    box.type = "checkbox";
    box.checked = drawn[which][k];
    box.onchange = () => { drawn[which][k] = box.checked; show_all(true); };
    label.append(box, ...(which === "nodes" ? [dot(k)] : []), `${name} (${count[k].toLocaleString("en")})`);
    at(place).append(label);
  });
}
const tally = (rows, key) => rows.reduce((found, row) => { found[row[key]] = (found[row[key]] || 0) + 1; return found; }, {});
function show_all(all) {
  overview = !all;
  at("all").setAttribute("aria-pressed", String(all));
  redraw();
}
at("all").onclick = () => show_all(overview);
readColours();
toggles("nodes", "nodes", tally(nodes, KIND));
toggles("edges", "edges", tally(edges, 2));
at("questions").hidden = !questions.length;
at("questions").querySelector("summary").textContent = `Questions (${questions.length}): click one to see its path`;
at("questions").querySelector("ul").append(...questions.map((each, q) => button(each.question, each.type, -1, () => ask(q))));
if (questions.length) at("questions").open = true;
fitAll();
