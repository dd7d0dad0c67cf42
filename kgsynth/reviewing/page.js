// The page: shows one item at a time, handles keys and clicks, and shows the annotations.

const find = (id) => document.getElementById(id);
const articles = [...document.querySelectorAll('article')];
const rows = [...document.querySelectorAll('.criterion')];
const decisions = [...document.querySelectorAll('.decision')];
const reasonButtons = [...document.querySelectorAll('#reasons button')];
const fields = {question: find('question'), answers: find('answers'), comment: find('comment'), tags: find('tags')};
const findingsByItem = {};
let annotations = null;
let at = 0;
let criterion = 0;

const item = () => data.items[at];
const current = () => annotations.of(item().id);
const undecided = (from) => data.items.findIndex(({id}, place) => place >= from && !annotations.of(id).decision);

// The same as kgsynth/show/wording.py: control characters and marks of direction as symbols.
function visible(text) {
  return String(text).replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufff9-\ufffb]/g, (character) => {
    const code = character.codePointAt(0);
    return code < 32 ? String.fromCodePoint(0x2400 + code) : `«U+${code.toString(16).toUpperCase().padStart(4, '0')}»`;
  });
}

function make(tag, text, classes = '') {
  const element = document.createElement(tag);
  element.textContent = visible(text);
  element.className = classes;
  return element;
}

// ---- showing ----

function show(place) {
  at = Math.max(0, Math.min(place, data.items.length - 1));
  articles.forEach((article, number) => { article.hidden = number !== at; });
  loadPictures(articles[at]);
  criterion = Math.max(0, data.criteria.findIndex((name) => !current().grades[name]));
  editing = null;
  if (current().decision === 'edit') editing = structuredClone(current());
  restartClock();
  fillFields();
  paint();
  if (current().decision === 'edit' && !findingsByItem[item().id]) annotations.check(item().id);
  scrollTo(0, 0);
  articles[at].querySelector('h1').focus({preventScroll: true});
}

function fillFields() {
  fields.question.value = current().question || item().question;
  fields.answers.value = (current().answers.length ? current().answers : item().answers).join('\n');
  fields.comment.value = current().comment;
  fields.tags.value = (current().tags || item().tags).join(', ');
}

function paint() {
  const {decision, grades, reasons} = current();
  decisions.forEach((button) => button.setAttribute('aria-pressed', button.dataset.decision === decision));
  find('edit').hidden = !editing && decision !== 'edit';
  find('undo').disabled = !undoStack.length;
  reasonButtons.forEach((button) => button.setAttribute('aria-pressed', reasons.includes(button.dataset.reason)));
  if (find('reasons')) find('reasons').classList.toggle('open', decision === 'reject');
  rows.forEach((row, number) => {
    row.classList.toggle('now', number === criterion);
    row.querySelectorAll('button').forEach((button) => {
      button.setAttribute('aria-pressed', Number(button.dataset.grade) === grades[row.dataset.criterion]);
    });
  });
  paintFindings();
  paintProgress();
}

function paintFindings() {
  const found = findingsByItem[item().id];
  const lines = (found || []).map(({code, severity, message, advice}) => (
    make('p', `${code}: ${message}${advice ? ` – ${advice}` : ''}`, severity === 'error' ? 'bad' : 'warn')));
  if (!found && !data.form) lines.push(make('p', 'Checking the edit …', 'soft'));
  if (found && !found.length) lines.push(make('p', 'The audit finds no problems.', 'good'));
  find('findings').replaceChildren(...lines);
}

function paintProgress() {
  const done = data.items.filter(({id}) => annotations.of(id).decision).length;
  find('progress').value = done;
  find('count').textContent = done < data.items.length ? `${done} of ${data.items.length}` : `all ${done} decided`;
  find('results').hidden = data.form || done < data.items.length;
  find('download').classList.toggle('main', done === data.items.length);
  document.title = `${at + 1}/${data.items.length} ${item().question}`;
  [...find('dots').children].forEach(({firstChild: dot}, place) => {
    const annotation = annotations.of(data.items[place].id);
    dot.className = annotation.decision || (same(annotation, blank()) ? '' : 'undecided');
    dot.setAttribute('aria-current', place === at);
    dot.title = data.items[place].question;
  });
}

function showState(state, sentence) {
  find('status').textContent = {saved: 'saved', saving: 'saving…', gone: 'not saved', refused: 'not saved'}[state];
  find('status').className = state === 'saved' || state === 'saving' ? '' : 'bad';
  find('notice').textContent = sentence;
  find('notice').hidden = !sentence;
}

// ---- moving ----

function showNextUndecided() {
  const later = undecided(at + 1);
  const any = undecided(0);
  if (later >= 0) show(later);
  else show(any >= 0 ? any : at + 1);
}

const isTyping = () => document.activeElement.matches('textarea, input');

// ---- the whole document ----

let shownDocument = 0;

function showDocument(number = 0) { // offsets count characters, of which JavaScript may need two units for one
  const spans = data.evidence[item().id];
  const docs = [...new Set(spans.map(([doc]) => doc))];
  if (!docs.length) return;
  shownDocument = number % docs.length;
  const doc = docs[shownDocument];
  const text = [...data.documents[doc]];
  const parts = [];
  let from = 0;
  for (const [, start, end] of spans.filter(([name]) => name === doc).sort((a, b) => a[1] - b[1])) {
    if (end <= from) continue;
    parts.push(text.slice(from, start).join(''), make('mark', text.slice(Math.max(from, start), end).join('')));
    from = end;
  }
  find('document-text').replaceChildren(...parts, text.slice(from).join(''));
  find('document-name').textContent = docs.length > 1 ? `${doc} (${shownDocument + 1} of ${docs.length})` : doc;
  find('document-next').hidden = docs.length < 2;
  if (!find('document').open) find('document').showModal();
  find('document-text').focus({preventScroll: true});
  find('document-text').querySelector('mark').scrollIntoView({block: 'center'});
}

// ---- keys and clicks ----

const keys = {
  j: () => show(at + 1), ArrowRight: () => show(at + 1), k: () => show(at - 1), ArrowLeft: () => show(at - 1),
  Enter: showNextUndecided, u: undo, x: clearDecision, d: () => showDocument(),
  c: () => fields.comment.focus(), '?': () => find('keys').showModal(),
  h: () => { criterion = Math.max(0, criterion - 1); paint(); },
  l: () => { criterion = Math.min(data.criteria.length - 1, criterion + 1); paint(); },
};
decisions.forEach((button) => { keys[button.dataset.key] = () => decide(button.dataset.decision); });
for (let digit = 1; digit <= 7; digit += 1) keys[digit] = () => pressDigit(digit);

function pressDigit(digit) { // of a rejected item the digits give reasons, otherwise grades
  if (current().decision === 'reject') toggleReason(data.reasons[digit - 1]);
  else if (digit <= 5) grade(digit);
}

function reasonOf(event) { // Shift and a letter always give a reason; the letter alone if it has no other meaning
  const letter = event.key.toUpperCase();
  if (!data.reasons.includes(letter)) return null;
  return event.shiftKey || (current().decision === 'reject' && !keys[event.key.toLowerCase()]) ? letter : null;
}

document.addEventListener('keydown', (event) => {
  if (find('document').open && event.key === 'd') showDocument(shownDocument + 1);
  if (!annotations || document.querySelector('dialog[open]')) return;
  if (event.key === 'Enter' && event.ctrlKey && isTyping()) {
    document.activeElement.blur();
    advance();
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping()) {
    const edits = editing && find('edit').contains(document.activeElement);
    if (event.key === 'Escape') document.activeElement.blur();
    if (event.key === 'Escape' && edits) giveUpEdit();
    return;
  }
  if (event.key === 'Enter' && document.activeElement.matches('button, summary, a')) return; // it activates the element
  const reason = reasonOf(event);
  const act = (reason && (() => toggleReason(reason))) || keys[event.key] || keys[event.key.toLowerCase()];
  if (act && event.repeat && !'jk'.includes(event.key)) return; // a key that is held down acts only once
  if (act) {
    event.preventDefault();
    act();
  }
});

decisions.forEach((button) => button.addEventListener('click', () => decide(button.dataset.decision)));
rows.forEach((row, number) => row.querySelectorAll('button').forEach((button) => {
  button.addEventListener('click', () => { criterion = number; grade(Number(button.dataset.grade)); });
}));
reasonButtons.forEach((button) => button.addEventListener('click', () => toggleReason(button.dataset.reason)));
find('back').addEventListener('click', () => show(at - 1));
find('next').addEventListener('click', () => show(at + 1));
document.querySelectorAll('button.whole').forEach((button) => button.addEventListener('click', () => showDocument()));
find('document-next').addEventListener('click', () => showDocument(shownDocument + 1));
find('undo').addEventListener('click', undo);
find('help').addEventListener('click', () => find('keys').showModal());
fields.comment.addEventListener('input', () => change({comment: fields.comment.value}, 'comment'));
fields.tags.addEventListener('input', () => {
  const tags = fields.tags.value.split(',').map(oneLine).filter(Boolean);
  change({tags: same(tags, item().tags) ? undefined : tags}, 'tags');
});
fields.question.addEventListener('input', () => typeEdit('question'));
fields.answers.addEventListener('input', () => typeEdit('answers'));
Object.values(fields).forEach((field) => field.addEventListener('blur', () => annotations && annotations.flush()));
document.querySelectorAll('dialog form').forEach((form) => form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!['hello', 'adding'].includes(form.parentElement.id)) form.parentElement.close();
}));

if (find('add')) {
  const parts = ['new-question', 'new-answers', 'new-evidence'].map(find);
  find('add').addEventListener('click', () => find('adding').showModal());
  find('adding-close').addEventListener('click', () => find('adding').close());
  find('adding').addEventListener('submit', async () => {
    const [question, answers, evidence] = parts.map((part) => part.value);
    const sent = {annotator: annotations.annotator, question, answers: linesOf(answers), evidence: evidence.split(/\n\s*\n/)};
    try {
      const {added, findings} = await request('/items', {}, sent);
      find('added').textContent = visible([`Added as ${added}; it is not reviewed here, and --apply writes it.`, ...findings].join(' '));
      parts.forEach((part) => { part.value = ''; });
    } catch (error) {
      find('added').textContent = visible(error.status ? error.message : 'The server does not respond. Start it again with the same command.');
    }
  });
}

find('results').addEventListener('click', async () => {
  try {
    find('results-text').textContent = visible((await request('/results', {annotator: annotations.annotator})).text);
    find('results-dialog').showModal();
  } catch (error) { showState('saved', error.message); }
});

find('download').addEventListener('click', () => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(annotations.download(), null, 1)], {type: 'application/json'}));
  link.download = `review ${annotations.annotator}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});

// ---- start ----

async function begin(name) {
  const next = new Annotations(name, showState, (id, findings) => {
    findingsByItem[id] = findings;
    if (annotations && item().id === id) paintFindings();
  });
  await next.begin();
  annotations = next;
  rememberName(annotations.annotator);
  find('annotator').textContent = annotations.annotator;
  find('hello').close();
  document.querySelector('main').hidden = false;
  find('dots').replaceChildren(...data.items.map((_, place) => {
    const line = document.createElement('li');
    const dot = make('button', place + 1);
    dot.addEventListener('click', () => show(place));
    line.append(dot);
    return line;
  }));
  show(Math.max(0, undecided(0)));
  if (!data.form) setInterval(checkServer, 4000);
}

const nameKey = `kgsynth review/${data.review}/seat`;
const nameStorage = () => (data.form ? localStorage : sessionStorage); // two tabs may have two annotators

function rememberName(name) {
  try { if (name) nameStorage().setItem(nameKey, name); else nameStorage().removeItem(nameKey); } catch { /* it asks again */ }
}

function rememberedName() {
  try { return nameStorage().getItem(nameKey) || ''; } catch { return ''; }
}

async function checkServer() {
  if (document.hidden || annotations.hasUnconfirmed()) return;
  try {
    await request('/progress');
    if (find('status').textContent !== 'saving…') showState('saved', '');
  } catch (error) {
    showState('gone', error.status ? error.message : 'The server does not respond. Start it again with the same command.');
    find('status').textContent = 'no server';
  }
}

async function enter(name) {
  try {
    await begin(name);
  } catch (error) {
    find('known').textContent = error.status ? error.message : 'The server does not respond. Start it again, and reload this page.';
    if (!find('hello').open) find('hello').showModal();
  }
}

async function start() {
  find('hello').addEventListener('cancel', (event) => event.preventDefault());
  find('hello').querySelector('form').addEventListener('submit', () => enter(find('name').value.trim()));
  const name = data.annotator || rememberedName();
  if (name) {
    enter(name);
    return;
  }
  find('hello').showModal();
  if (data.form) return;
  const progress = await request('/progress').catch(() => ({decided: {}}));
  find('known').replaceChildren(...Object.entries(progress.decided).map(([known, done]) => {
    const button = make('button', `Continue as ${known} (${done} of ${progress.items})`);
    button.type = 'button';
    button.addEventListener('click', () => enter(known));
    return button;
  }));
}

find('annotator').addEventListener('click', () => { // change the annotator
  if (data.annotator || data.form) return;
  rememberName('');
  location.reload();
});
addEventListener('pagehide', () => annotations && annotations.flushOnLeave());
document.addEventListener('visibilitychange', async () => {
  if (document.hidden || !annotations || data.form || annotations.hasUnconfirmed() || isTyping()) return;
  try { // the same annotator may have continued in another tab
    await annotations.refresh();
    fillFields();
    paint();
  } catch { /* checkServer reports it */ }
});
start();
