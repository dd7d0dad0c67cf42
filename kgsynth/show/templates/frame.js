"use strict";
// What every page can do. It runs in the head, so the chosen theme is there before anything is drawn.
const frame = {themes: ["system", "light", "dark"], key: "kgsynth-theme"};
frame.read = () => { try { return localStorage.getItem(frame.key); } catch { return null; } };
frame.theme = frame.themes.includes(frame.read()) ? frame.read() : "system";
frame.paint = () => {
  if (frame.theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = frame.theme;
};
frame.paint();

// ---- the button of the theme -----------------------------------------------------------------------

document.addEventListener("DOMContentLoaded", () => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "theme noprint";
  const label = () => {
    button.textContent = {system: "◐", light: "☀", dark: "☾"}[frame.theme];
    button.title = `Theme: ${frame.theme}`;
    button.setAttribute("aria-label", `Theme: ${frame.theme}. Change it`);
  };
  button.onclick = () => {
    frame.theme = frame.themes[(frame.themes.indexOf(frame.theme) + 1) % frame.themes.length];
    try { localStorage.setItem(frame.key, frame.theme); } catch { /* it is kept for this page only */ }
    frame.paint();
    label();
    document.dispatchEvent(new Event("themechange"));
  };
  label();
  (document.querySelector("nav.sections, header .line, header") || document.body).append(button);
});

// ---- evidence as rendered or verbatim text ---------------------------------------------------------

document.addEventListener("click", event => {
  if (!event.target.closest(".as-written")) return;
  const top = event.target.getBoundingClientRect().top;
  const verbatim = document.documentElement.classList.toggle("verbatim");
  for (const each of document.querySelectorAll(".as-written")) each.setAttribute("aria-pressed", String(verbatim));
  scrollBy(0, event.target.getBoundingClientRect().top - top); // the button stays under the pointer
});

// ---- the section that is being read ----------------------------------------------------------------

document.addEventListener("DOMContentLoaded", () => {
  const nav = document.querySelector("nav.sections");
  if (!nav) return;
  const links = new Map([...nav.querySelectorAll("a")].map(a => [document.getElementById(a.hash.slice(1)), a]));
  const read = () => {
    const line = nav.getBoundingClientRect().bottom + 40;
    const passed = [...links.keys()].filter(h => h && h.getBoundingClientRect().top < line);
    const now = links.get(passed[passed.length - 1]);
    if (now === nav.querySelector("[aria-current]")) return;
    for (const a of links.values()) a.removeAttribute("aria-current");
    if (!now) return;
    now.setAttribute("aria-current", "true");
    const list = now.closest("div");
    list.scrollLeft = now.offsetLeft - list.offsetLeft - 20;
  };
  addEventListener("scroll", read, {passive: true});
  read();
});
