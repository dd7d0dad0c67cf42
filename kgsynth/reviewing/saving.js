'use strict';
// Saving annotations: at once in this browser, then on the server, with retries until the server has confirmed.
// A form that was sent out has no server and keeps everything in the browser until it is downloaded.

const data = JSON.parse(document.getElementById('data').textContent);
const RETRY_MS = 2000; // until a failed save is tried again

const blank = () => ({decision: '', grades: {}, comment: '', question: '', answers: [], reasons: [], seconds: 0});
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const storage = { // localStorage, which the browser may refuse; one key for each item, so that tabs do not collide
  read(prefix) {
    const found = {};
    try {
      for (const key of Object.keys(localStorage)) {
        if (key.startsWith(prefix)) found[key.slice(prefix.length)] = JSON.parse(localStorage.getItem(key));
      }
    } catch { /* nothing is stored */ }
    return found;
  },
  write(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
      return true;
    } catch { return false; }
  },
  remove(key) {
    try { localStorage.removeItem(key); } catch { /* it is not there */ }
  },
};

function addressOf(path) {
  const address = new URL(path, location.origin);
  address.searchParams.set('token', new URLSearchParams(location.search).get('token') || '');
  return address;
}

function loadPictures(article) { // of PDF pages, when their item is shown; one that cannot be drawn stays hidden
  for (const picture of article.querySelectorAll('img[data-src]')) {
    picture.onload = () => { picture.hidden = false; };
    picture.src = addressOf(picture.dataset.src);
    picture.removeAttribute('data-src');
  }
}

async function request(path, parameters = {}, body = null, leaving = false) {
  const address = addressOf(path);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  const options = body === null ? {} : {
    method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body), keepalive: leaving,
  };
  const reply = await fetch(address, options);
  const values = await reply.json();
  if (!reply.ok) throw Object.assign(new Error(values.error), {status: reply.status});
  return values;
}

class Annotations {
  constructor(annotator, showState, showFindings) {
    this.annotator = annotator;
    this.showState = showState; // (state, sentence): whether everything is saved
    this.showFindings = showFindings; // (id, findings): what the audit finds in an edit
    this.byItem = {};
    const owner = data.form ? 'form' : encodeURIComponent(annotator.toLowerCase());
    this.prefix = `kgsynth review/${data.review}/${owner}/`;
    this.unconfirmed = storage.read(this.prefix); // not yet confirmed by the server; in a form, all annotations
    this.checks = {}; // how often the audit of an edit was requested, by item
    this.timer = null;
    this.busy = false;
  }

  async begin() {
    if (!data.form) await this.refresh();
    Object.assign(this.byItem, this.unconfirmed);
    if (this.hasUnconfirmed()) this.flush();
  }

  async refresh() {
    const saved = await request('/annotations', {annotator: this.annotator});
    this.annotator = saved.annotator;
    this.byItem = {...saved.judgements, ...this.unconfirmed};
  }

  of(id) { return {...blank(), ...this.byItem[id]}; } // an annotation may come without the newer keys

  hasUnconfirmed() { return Object.keys(this.unconfirmed).length > 0; }

  save(id, annotation, delay = 0) {
    this.byItem[id] = annotation;
    this.unconfirmed[id] = annotation;
    const stored = storage.write(this.prefix + id, annotation);
    if (data.form) {
      const warning = 'This browser cannot store your annotations: download them before you close the page.';
      this.showState(stored ? 'saved' : 'refused', stored ? '' : warning);
      return;
    }
    this.showState('saving', '');
    this.flushLater(delay);
  }

  flushLater(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), delay);
  }

  async flush() {
    if (data.form || this.busy) return;
    this.busy = true;
    let refusal = '';
    const refused = new Set();
    for (const [id, annotation] of Object.entries(this.unconfirmed)) {
      try {
        await request('/annotations', {}, {annotator: this.annotator, item: id, judgement: annotation});
        if (same(this.unconfirmed[id], annotation)) {
          delete this.unconfirmed[id];
          storage.remove(this.prefix + id);
        }
        if (annotation.decision === 'edit') this.check(id);
      } catch (error) {
        if (error.status === 400) { // a retry would not help: it waits until the annotation is changed
          refusal = error.message;
          refused.add(annotation);
          continue;
        }
        this.busy = false;
        const gone = 'The server does not respond. Start it again with the same command: your annotations are stored here and will be sent.';
        this.showState('gone', error.status ? `Not saved: ${error.message}` : gone);
        this.flushLater(RETRY_MS);
        return;
      }
    }
    this.busy = false;
    if (Object.values(this.unconfirmed).some((annotation) => !refused.has(annotation))) this.flushLater(0);
    else if (refusal) this.showState('refused', `Not saved: ${refusal}`);
    else this.showState('saved', '');
  }

  async check(id) { // audit an edit; saving does not wait for it
    if (data.form || this.unconfirmed[id]) return; // an edit on its way to the server is audited when it is there
    const count = this.checks[id] = (this.checks[id] || 0) + 1;
    try {
      const {findings} = await request('/findings', {annotator: this.annotator, item: id});
      if (count === this.checks[id]) this.showFindings(id, findings); // replies may come in another order
    } catch { /* requested again when the item is shown */ }
  }

  flushOnLeave() { // the page is closing: a last try, which the browser completes without the page
    for (const [id, annotation] of Object.entries(data.form ? {} : this.unconfirmed)) {
      request('/annotations', {}, {annotator: this.annotator, item: id, judgement: annotation}, true).catch(() => {});
    }
  }

  download() { // the contents of the file that a form saves
    const judgements = data.items.filter(({id}) => this.byItem[id]).map(({id}) => ({id, ...this.byItem[id]}));
    return {review: data.review, annotator: this.annotator, judgements};
  }
}
