// What an annotator changes in the item that is shown: the decision, its reasons, new words, grades; and how to undo it.

const PAUSE_MS = 10 * 60 * 1000; // without a key or a movement for longer, the annotator was away
const undoStack = [];
let editing = null; // the annotation as it was when the edit began, while the fields of the edit are open

// ---- the time an item takes ----

const clock = {spent: 0, last: 0};

function tick() { // count the time since the last sign of the annotator, unless it was a pause
  const now = performance.now();
  if (now - clock.last <= PAUSE_MS) clock.spent += now - clock.last;
  clock.last = now;
}

function restartClock() { Object.assign(clock, {spent: 0, last: performance.now()}); }

function seconds() { // of the item so far: visits add up
  tick();
  const total = (current().seconds || 0) + clock.spent / 1000;
  restartClock();
  return Math.round(total * 10) / 10;
}

for (const sign of ['keydown', 'pointermove', 'pointerdown', 'scroll']) addEventListener(sign, tick, {passive: true, capture: true});

// ---- changing ----

function change(values, field = '') { // with a field, it is being typed in: it is saved with a delay and undone as a whole
  const id = item().id;
  const before = structuredClone(current());
  const after = {...structuredClone(before), ...values};
  if (same(before, after)) return;
  const last = undoStack[undoStack.length - 1];
  if (!field || !last || last.id !== id || last.field !== field) undoStack.push({id, before, field});
  annotations.save(id, after, field ? 400 : 0);
  paint();
}

function decide(decision) {
  if (decision === 'edit') {
    beginEdit();
    return;
  }
  const reasons = decision === 'reject' ? current().reasons : [];
  if (current().decision !== decision) change({decision, reasons, question: '', answers: [], seconds: seconds()});
  advance();
}

function clearDecision() {
  change({decision: '', reasons: [], question: '', answers: []});
  show(at);
}

function advance() { // to the next item; from the last one to any that is undecided
  const next = at + 1 < data.items.length ? at + 1 : undecided(0);
  if (next >= 0) show(next);
  else show(at);
}

function toggleReason(letter) { // a reason rejects the item, and the page stays for more of them
  const given = current().reasons;
  const reasons = data.reasons.filter((each) => given.includes(each) !== (each === letter));
  editing = null;
  change({decision: 'reject', reasons, question: '', answers: [], seconds: seconds()});
}

function grade(value) {
  const name = data.criteria[criterion];
  if (!name) return;
  const grades = {...current().grades, [name]: value};
  if (current().grades[name] === value) delete grades[name];
  if (grades[name]) criterion = Math.min(criterion + 1, data.criteria.length - 1);
  change({grades: Object.fromEntries(data.criteria.filter((each) => grades[each]).map((each) => [each, grades[each]]))});
}

function undo() {
  const last = undoStack.pop();
  if (!last) return;
  annotations.save(last.id, last.before);
  show(data.items.findIndex(({id}) => id === last.id));
}

// ---- editing ----

const linesOf = (text) => text.split('\n').map((line) => line.trim()).filter(Boolean);
const oneLine = (text) => text.split(/\s+/).filter(Boolean).join(' ');

function beginEdit() {
  editing = editing || structuredClone(current());
  paint();
  fields.question.focus();
}

function typeEdit(field) { // words that differ from the item's are an edit; until then the decision stays as it was
  editing = editing || structuredClone(current());
  const question = oneLine(fields.question.value) === oneLine(item().question) ? '' : fields.question.value.trim();
  const lines = linesOf(fields.answers.value);
  const answers = same(lines, linesOf(item().answers.join('\n'))) ? [] : lines;
  if (question || answers.length) change({decision: 'edit', reasons: [], question, answers, seconds: seconds()}, field);
  else change({decision: editing.decision === 'edit' ? '' : editing.decision, reasons: editing.reasons, question, answers}, field);
}

function giveUpEdit() {
  const {decision, reasons, question, answers} = editing;
  change({decision, reasons, question, answers});
  show(at);
}
