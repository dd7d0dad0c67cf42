// The page: one item at a time, the keys, and what is shown of what was said.

const find = (id) => document.getElementById(id);
const articles = [...document.querySelectorAll('article')];
const rows = [...document.querySelectorAll('.criterion')];
const decisions = [...document.querySelectorAll('.decision')];
const fields = {question: find('question'), answers: find('answers'), comment: find('comment')};
const audits = {};
const undone = [];
let keeper = null;
let at = 0;
let criterion = 0;

const item = () => data.items[at];
const now = () => keeper.of(item().id);
const undecided = (from) => data.items.findIndex(({id}, place) => place >= from && !keeper.of(id).decision);

function make(tag, text, classes = '') {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = classes;
  return element;
}

// ---- showing ----

function show(place) {
  at = Math.max(0, Math.min(place, data.items.length - 1));
  articles.forEach((article, number) => { article.hidden = number !== at; });
  criterion = Math.max(0, data.criteria.findIndex((name) => !now().grades[name]));
  fill();
  paint();
  if (now().decision === 'edit' && !audits[item().id]) keeper.check(item().id);
  scrollTo(0, 0);
  articles[at].querySelector('h1').focus({preventScroll: true});
}

function fill() {
  fields.question.value = now().question || item().question;
  fields.answers.value = (now().answers.length ? now().answers : item().answers).join('\n');
  fields.comment.value = now().comment;
}

function paint() {
  const said = now();
  decisions.forEach((button) => button.setAttribute('aria-pressed', button.dataset.decision === said.decision));
  find('edit').hidden = said.decision !== 'edit';
  rows.forEach((row, number) => {
    row.classList.toggle('now', number === criterion);
    row.querySelectorAll('button').forEach((button) => {
      button.setAttribute('aria-pressed', Number(button.dataset.grade) === said.grades[row.dataset.criterion]);
    });
  });
  paintFindings();
  paintProgress();
}

function paintFindings() {
  const found = audits[item().id];
  const lines = (found || []).map(({code, severity, message, advice}) => (
    make('p', `${code}: ${message}${advice ? ` – ${advice}` : ''}`, severity === 'error' ? 'bad' : 'warn')));
  if (!found && !data.form) lines.push(make('p', 'The audit reads it …', 'soft'));
  if (found && !found.length) lines.push(make('p', 'The audit finds nothing amiss.', 'good'));
  find('findings').replaceChildren(...lines);
}

function paintProgress() {
  const done = data.items.filter(({id}) => keeper.of(id).decision).length;
  find('progress').value = done;
  find('count').textContent = done < data.items.length ? `${done} of ${data.items.length}` : `all ${done} decided`;
  find('results').hidden = data.form || done < data.items.length;
  find('download').classList.toggle('main', done === data.items.length);
  document.title = `${at + 1}/${data.items.length} ${item().question}`;
  [...find('dots').children].forEach(({firstChild: dot}, place) => {
    const said = keeper.of(data.items[place].id);
    dot.className = said.decision || (same(said, blank()) ? '' : 'said');
    dot.setAttribute('aria-current', place === at);
    dot.title = data.items[place].question;
  });
}

function tell(state, sentence) {
  find('status').textContent = {saved: 'saved', saving: 'saving…', gone: 'not saved', refused: 'not saved'}[state];
  find('status').className = state === 'saved' || state === 'saving' ? '' : 'bad';
  find('notice').textContent = sentence;
  find('notice').hidden = !sentence;
}

// ---- saying ----

function say(change, delay = 0) {
  const id = item().id;
  const before = structuredClone(now());
  const after = {...structuredClone(before), ...change};
  if (same(before, after)) return;
  const last = undone[undone.length - 1];
  const typing = delay && last && last.id === id && last.field === Object.keys(change)[0];
  if (!typing) undone.push({id, before, field: delay ? Object.keys(change)[0] : ''});
  keeper.say(id, after, delay);
  paint();
}

function decide(decision) {
  say({decision: now().decision === decision && decision !== 'edit' ? '' : decision}); // the same again takes it back
  if (now().decision === 'edit') fields.question.focus();
}

function grade(value) {
  const name = data.criteria[criterion];
  const grades = {...now().grades, [name]: value};
  if (now().grades[name] === value) delete grades[name];
  if (grades[name]) criterion = Math.min(criterion + 1, data.criteria.length - 1);
  say({grades: Object.fromEntries(data.criteria.filter((each) => grades[each]).map((each) => [each, grades[each]]))});
}

function undo() {
  const last = undone.pop();
  if (!last) return;
  keeper.say(last.id, last.before);
  show(data.items.findIndex(({id}) => id === last.id));
}

function onward() {
  const later = undecided(at + 1);
  const any = undecided(0);
  if (later >= 0) show(later);
  else show(any >= 0 ? any : at + 1);
}

const typingNow = () => document.activeElement.matches('textarea, input');
const lines = (text) => text.split('\n').map((line) => line.trim()).filter(Boolean);

// ---- hands ----

const keys = {
  j: () => show(at + 1), ArrowRight: () => show(at + 1), k: () => show(at - 1), ArrowLeft: () => show(at - 1),
  Enter: onward, u: undo, c: () => fields.comment.focus(), '?': () => find('keys').showModal(),
  h: () => { criterion = Math.max(0, criterion - 1); paint(); },
  l: () => { criterion = Math.min(data.criteria.length - 1, criterion + 1); paint(); },
};
decisions.forEach((button) => { keys[button.dataset.key] = () => decide(button.dataset.decision); });
['1', '2', '3', '4', '5'].forEach((digit) => { keys[digit] = () => grade(Number(digit)); });

document.addEventListener('keydown', (event) => {
  if (!keeper || document.querySelector('dialog[open]') || event.ctrlKey || event.metaKey || event.altKey) return;
  if (typingNow()) {
    if (event.key === 'Escape') document.activeElement.blur();
    return;
  }
  if (event.key === 'Enter' && document.activeElement.matches('button, summary, a')) return; // it presses that
  const act = keys[event.key] || keys[event.key.toLowerCase()];
  if (act && event.repeat && !'jk'.includes(event.key)) return; // a key held down says one thing
  if (act) {
    event.preventDefault();
    act();
  }
});

decisions.forEach((button) => button.addEventListener('click', () => decide(button.dataset.decision)));
rows.forEach((row, number) => row.querySelectorAll('button').forEach((button) => {
  button.addEventListener('click', () => { criterion = number; grade(Number(button.dataset.grade)); });
}));
find('back').addEventListener('click', () => show(at - 1));
find('next').addEventListener('click', () => show(at + 1));
find('help').addEventListener('click', () => find('keys').showModal());
fields.comment.addEventListener('input', () => say({comment: fields.comment.value}, 400));
fields.question.addEventListener('input', () => say({question: fields.question.value}, 400));
fields.answers.addEventListener('input', () => say({answers: lines(fields.answers.value)}, 400));
Object.values(fields).forEach((field) => field.addEventListener('blur', () => keeper && keeper.flush()));
document.querySelectorAll('dialog form').forEach((form) => form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (form.parentElement.id !== 'hello') form.parentElement.close();
}));

find('results').addEventListener('click', async () => {
  try {
    find('text').textContent = (await ask('/results', {annotator: keeper.annotator})).text;
    find('told').showModal();
  } catch (error) { tell('saved', error.message); }
});

find('download').addEventListener('click', () => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(keeper.whole(), null, 1)], {type: 'application/json'}));
  link.download = `review ${keeper.annotator}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});

// ---- the beginning ----

async function begin(name) {
  const next = new Keeper(name, tell, (id, findings) => {
    audits[id] = findings;
    if (keeper && item().id === id) paintFindings();
  });
  await next.begin();
  keeper = next;
  remember(keeper.annotator);
  find('who').textContent = keeper.annotator;
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
  if (!data.form) setInterval(watch, 4000);
}

const seat = `kgsynth review/${data.review}/seat`;
const memory = () => (data.form ? localStorage : sessionStorage); // two tabs on one server may be two annotators

function remember(name) {
  try { if (name) memory().setItem(seat, name); else memory().removeItem(seat); } catch { /* it asks again */ }
}

function remembered() {
  try { return memory().getItem(seat) || ''; } catch { return ''; }
}

async function watch() { // is the server still there?
  if (document.hidden || Object.keys(keeper.waiting).length) return;
  try {
    await ask('/annotators');
    if (find('status').textContent !== 'saving…') tell('saved', '');
  } catch (error) {
    tell('gone', error.status ? error.message : 'The server is gone. Start it again with the same command.');
    find('status').textContent = 'no server';
  }
}

async function enter(name) {
  try {
    await begin(name);
  } catch (error) {
    find('known').textContent = error.status ? error.message : 'The server is gone. Start it again, and load this page again.';
    if (!find('hello').open) find('hello').showModal();
  }
}

async function hello() {
  find('hello').addEventListener('cancel', (event) => event.preventDefault());
  find('hello').querySelector('form').addEventListener('submit', () => enter(find('name').value.trim()));
  const given = data.annotator || remembered();
  if (given) {
    enter(given);
    return;
  }
  find('hello').showModal();
  if (data.form) return;
  const told = await ask('/annotators').catch(() => ({decided: {}}));
  find('known').replaceChildren(...Object.entries(told.decided).map(([name, done]) => {
    const button = make('button', `Go on as ${name} (${done} of ${told.items})`);
    button.type = 'button';
    button.addEventListener('click', () => enter(name));
    return button;
  }));
}

find('who').addEventListener('click', () => { // somebody else sits down
  if (data.annotator || data.form) return;
  remember('');
  location.reload();
});
addEventListener('pagehide', () => keeper && keeper.leave());
document.addEventListener('visibilitychange', async () => {
  if (document.hidden || !keeper || data.form || Object.keys(keeper.waiting).length || typingNow()) return;
  try { // another tab of the same annotator may have said more
    await keeper.refresh();
    fill();
    paint();
  } catch { /* watch tells of it */ }
});
hello();
