"use strict";
// Tables sort by the column whose heading is pressed: numbers by value, all else by text; again turns the order.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const ascending = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const body = table.tBodies[0];
      const rows = Array.from(body.rows);
      const key = (row) => row.cells[column].dataset.value;
      rows.sort((one, other) => {
        const order =
          key(one) !== undefined && key(other) !== undefined
            ? Number(key(one)) - Number(key(other))
            : row_text(one, column).localeCompare(row_text(other, column), "en", { numeric: true });
        return ascending ? order : -order;
      });
      body.append(...rows);
    });
  });
}
function row_text(row, column) {
  return row.cells[column].textContent;
}
// Paper shows all numbers; afterwards what was folded is folded again.
let folded = [];
addEventListener("beforeprint", () => {
  folded = Array.from(document.querySelectorAll("details:not([open])"));
  for (const one of folded) one.open = true;
});
addEventListener("afterprint", () => {
  for (const one of folded) one.open = false;
});
// On a narrow page the contents are folded at first: the findings come first.
if (matchMedia("(max-width: 72rem)").matches) document.querySelector("nav details").open = false;
