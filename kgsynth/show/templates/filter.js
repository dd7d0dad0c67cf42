"use strict";
// Filters a list by hiding rows: each select by the value of one key, the text field by any text in the row.
for (const box of document.querySelectorAll("[data-filters]")) {
  const rows = [...document.getElementById(box.dataset.filters).children];
  const fields = [...box.querySelectorAll("[data-key]")];
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
  box.addEventListener("input", apply);
  apply();
}
