"use strict";
// Filters a list by hiding rows: each select by the value of one key, the text field by any text in the row.
// The address has what is chosen, "#list?state=failed&text=leave&row=q-12", so it can be sent to somebody else.
const lists = [...document.querySelectorAll("[data-filters]")].map(box => {
  const id = box.dataset.filters, rows = [...document.getElementById(id).children];
  const fields = [...box.querySelectorAll("[data-key]")];
  const name = field => field.dataset.key || "text", first = new Map(fields.map(field => [field, field.value]));
  const texts = new Map();
  const text = row => {
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  };
  const fits = (row, {dataset: {key}, value}) =>
    !value || (key ? (row.getAttribute("data-" + key) || "").split("\n").includes(value) : text(row).includes(value.toLowerCase()));
  const apply = () => {
    let shown = 0;
    for (const row of rows) {
      row.hidden = !fields.every(field => fits(row, field));
      shown += !row.hidden;
    }
    box.querySelector("output").value = `${shown} of ${rows.length} ${box.dataset.noun}`;
  };
  const address = row => {
    const parts = new URLSearchParams();
    if (row) parts.set("row", row.dataset.id);
    else for (const field of fields) if (field.value !== first.get(field)) parts.set(name(field), field.value || "any");
    return `#${id}${parts.size ? "?" + parts : ""}`;
  };
  const restore = parts => {
    const row = parts.get("row") === null ? null : rows.find(each => each.dataset.id === parts.get("row"));
    for (const field of fields) {
      const wanted = parts.get(name(field)) ?? (row ? "any" : first.get(field)); // a linked row is never filtered out
      field.value = wanted === "any" ? "" : wanted;
      if (field.value !== wanted && wanted !== "any") field.value = ""; // the page has no such value
    }
    apply();
    if (row) row.open = true;
    (row || document.getElementById(id)).scrollIntoView();
  };
  box.addEventListener("input", () => { apply(); history.replaceState(null, "", address()); });
  for (const row of rows) row.addEventListener("toggle", () => {
    if (!row.open || !row.dataset.id || row.querySelector(".permalink")) return;
    const link = document.createElement("a");
    link.className = "permalink noprint";
    link.href = address(row);
    link.textContent = "link to this question";
    row.querySelector(".open").append(" ", link);
  });
  apply();
  return {id, restore};
});
const restore = () => {
  const [id, query] = location.hash.slice(1).split("?");
  if (query) lists.find(list => list.id === id)?.restore(new URLSearchParams(query));
};
addEventListener("hashchange", restore);
restore();
