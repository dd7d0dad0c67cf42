// Every table with a head can be sorted: a click on a head, or Enter on it, sorts down, up, and back to the first order.
// data-sort on a cell gives another value to sort by; a table with the class "fixed" stays as it is.
document.addEventListener("DOMContentLoaded", () => {
  const text = cell => (cell ? cell.dataset.sort ?? cell.textContent : "").trim();
  const number = words => {
    const found = /^([+−-]?)(\d[\d,]*\.?\d*|\.\d+)(?:e([+-]?\d+))?/i.exec(words);
    return found ? (/[−-]/.test(found[1]) ? -1 : 1) * Number(found[2].replaceAll(",", "")) * 10 ** Number(found[3] || 0) : NaN;
  };
  const missing = words => ["", "–", "-", "—"].includes(words);
  for (const table of document.querySelectorAll("table:not(.fixed)")) {
    const body = table.tBodies[0], heads = table.tHead ? [...table.tHead.rows[0].cells] : [];
    if (!body || !heads.length || body.rows.length < 2 || table.tHead.rows.length > 1 || body.querySelector("[colspan], [rowspan]")) continue;
    const first = [...body.rows];
    heads.forEach((head, at) => {
      if (!head.textContent.trim()) return;
      const cells = first.map(row => text(row.cells[at]));
      const numbers = cells.every(words => missing(words) || !isNaN(number(words)));
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      head.setAttribute("aria-sort", "none");
      button.onclick = () => {
        const turns = numbers ? ["none", "descending", "ascending"] : ["none", "ascending", "descending"];
        const next = turns[(turns.indexOf(head.getAttribute("aria-sort")) + 1) % 3];
        for (const each of heads) if (each.hasAttribute("aria-sort")) each.setAttribute("aria-sort", "none");
        head.setAttribute("aria-sort", next);
        const sign = next === "descending" ? -1 : 1;
        const before = (a, b) => {
          const one = text(a.cells[at]), other = text(b.cells[at]);
          if (missing(one) || missing(other)) return missing(one) - missing(other); // empty cells stay at the end
          return sign * (numbers ? number(one) - number(other) : one.localeCompare(other, "en", {numeric: true}));
        };
        body.append(...(next === "none" ? first : [...first].sort(before)));
      };
    });
  }
});
