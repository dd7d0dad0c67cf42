'use strict';
// What is said, and where it is kept: in this browser at once, then on the server, tried again until it is there.
// A form that was sent out has no server, and keeps all in the browser until it is downloaded.

const data = JSON.parse(document.getElementById('data').textContent);
const AGAIN = 2000; // milliseconds until a save that failed is tried again

const blank = () => ({decision: '', grades: {}, comment: '', question: '', answers: []});
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const shelf = { // the browser's own storage, which it may refuse; a key an item, so that two tabs do not meet
  read(prefix) {
    const found = {};
    try {
      for (const key of Object.keys(localStorage)) {
        if (key.startsWith(prefix)) found[key.slice(prefix.length)] = JSON.parse(localStorage.getItem(key));
      }
    } catch { /* nothing was kept */ }
    return found;
  },
  put(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
      return true;
    } catch { return false; }
  },
  drop(key) {
    try { localStorage.removeItem(key); } catch { /* there is none */ }
  },
};

async function ask(path, values = {}, body = null, leaving = false) {
  const address = new URL(path, location.origin);
  address.searchParams.set('token', new URLSearchParams(location.search).get('token') || '');
  for (const [name, value] of Object.entries(values)) address.searchParams.set(name, value);
  const sent = body === null ? {} : {
    method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body), keepalive: leaving,
  };
  const reply = await fetch(address, sent);
  const told = await reply.json();
  if (!reply.ok) throw Object.assign(new Error(told.error), {status: reply.status});
  return told;
}

class Keeper {
  constructor(annotator, tell, audited) {
    this.annotator = annotator;
    this.tell = tell; // what became of a save: (state, sentence)
    this.audited = audited; // what the audit says of an edit: (id, findings)
    this.said = {};
    const whose = data.form ? 'form' : encodeURIComponent(annotator.toLowerCase());
    this.prefix = `kgsynth review/${data.review}/${whose}/`;
    this.waiting = shelf.read(this.prefix); // what the server has not confirmed; of a form, all of it
    this.turns = {}; // how often the audit of an edit was asked for
    this.timer = null;
    this.busy = false;
  }

  async begin() {
    if (!data.form) await this.refresh();
    Object.assign(this.said, this.waiting);
    if (Object.keys(this.waiting).length) this.flush();
  }

  async refresh() {
    const told = await ask('/said', {annotator: this.annotator});
    this.annotator = told.annotator;
    this.said = {...told.judgements, ...this.waiting};
  }

  of(id) {
    return this.said[id] || blank();
  }

  say(id, judgement, delay = 0) {
    this.said[id] = judgement;
    this.waiting[id] = judgement;
    const kept = shelf.put(this.prefix + id, judgement);
    if (data.form) {
      this.tell(kept ? 'saved' : 'refused', kept ? '' : 'This browser keeps nothing: download before you close the page.');
      return;
    }
    this.tell('saving', '');
    this.later(delay);
  }

  later(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), delay);
  }

  async flush() {
    if (data.form || this.busy) return;
    this.busy = true;
    let refused = '';
    const stuck = new Set();
    for (const [id, judgement] of Object.entries(this.waiting)) {
      try {
        await ask('/said', {}, {annotator: this.annotator, item: id, judgement});
        if (same(this.waiting[id], judgement)) {
          delete this.waiting[id];
          shelf.drop(this.prefix + id);
        }
        if (judgement.decision === 'edit') this.check(id);
      } catch (error) {
        if (error.status === 400) {
          refused = error.message; // no other try will do: it waits until it is changed
          stuck.add(judgement);
          continue;
        }
        this.busy = false;
        const gone = 'The server is gone. Start it again with the same command: what you said is kept here and will be sent.';
        this.tell('gone', error.status ? `Not saved: ${error.message}` : gone);
        this.later(AGAIN);
        return;
      }
    }
    this.busy = false;
    if (Object.values(this.waiting).some((judgement) => !stuck.has(judgement))) this.later(0);
    else if (refused) this.tell('refused', `Not saved: ${refused}`);
    else this.tell('saved', '');
  }

  async check(id) { // the audit of an edit; what is saved does not wait for it
    if (data.form) return;
    const turn = this.turns[id] = (this.turns[id] || 0) + 1;
    try {
      const {findings} = await ask('/findings', {annotator: this.annotator, item: id});
      if (turn === this.turns[id]) this.audited(id, findings); // an earlier answer may come later
    } catch { /* it is asked again when the item is shown */ }
  }

  leave() { // the page is going: one last try, which the browser finishes without it
    for (const [id, judgement] of Object.entries(data.form ? {} : this.waiting)) {
      ask('/said', {}, {annotator: this.annotator, item: id, judgement}, true).catch(() => {});
    }
  }

  whole() { // of a form: what is sent back
    const judgements = data.items.filter(({id}) => this.said[id]).map(({id}) => ({id, ...this.said[id]}));
    return {review: data.review, annotator: this.annotator, judgements};
  }
}
