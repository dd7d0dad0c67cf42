// A tooltip for every mark of a plot, and for anything with data-tip: by pointer, by touch and by keyboard.
document.addEventListener("DOMContentLoaded", () => {
  const marks = [...document.querySelectorAll("svg .mark")];
  for (const mark of marks) {
    const title = mark.querySelector("title");
    mark.dataset.tip = title.textContent;
    title.remove(); // or the browser would show it too
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", mark.dataset.tip);
  }
  for (const svg of new Set(marks.map(mark => mark.ownerSVGElement))) { // Tab reaches a plot, the arrows its marks
    const own = marks.filter(mark => mark.ownerSVGElement === svg);
    own.forEach((mark, at) => { mark.tabIndex = at ? -1 : 0; });
    svg.setAttribute("role", "group");
    svg.addEventListener("keydown", event => {
      const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
      const next = own[own.indexOf(event.target) + step];
      if (step) event.preventDefault();
      if (next) next.focus();
    });
  }
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.append(tip);
  const show = (mark, x, y) => {
    tip.textContent = mark.dataset.tip;
    tip.hidden = false;
    const room = document.documentElement.clientWidth - tip.offsetWidth - 6;
    tip.style.left = `${Math.max(6, Math.min(room, x - tip.offsetWidth / 2))}px`;
    tip.style.top = `${y - tip.offsetHeight - 14 < 0 ? y + 18 : y - tip.offsetHeight - 14}px`;
  };
  const over = event => {
    const mark = event.target.closest?.("[data-tip]");
    if (mark) show(mark, event.clientX, event.clientY);
    else tip.hidden = true;
  };
  document.addEventListener("pointermove", over);
  document.addEventListener("pointerdown", over);
  document.addEventListener("focusin", event => {
    const mark = event.target.closest?.("[data-tip]"), box = mark?.getBoundingClientRect();
    if (mark && mark.matches(":focus-visible")) show(mark, box.left + box.width / 2, box.top);
    else tip.hidden = true;
  });
  document.addEventListener("keydown", event => { if (event.key === "Escape") tip.hidden = true; });
  addEventListener("scroll", () => { tip.hidden = true; }, {passive: true});
});
