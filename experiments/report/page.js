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
            : row_text(one, column).localeCompare(row_text(other, column));
        return ascending ? order : -order;
      });
      body.append(...rows);
    });
  });
}
function row_text(row, column) {
  return row.cells[column].textContent;
}
