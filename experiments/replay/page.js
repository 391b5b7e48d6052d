"use strict";
// A game to step through: every position is drawn from the data in the page, and nothing else is read.
const game = JSON.parse(document.getElementById("game").textContent);
const last = game.steps.length;
const byId = (id) => document.getElementById(id);
let now = -1;

// ---------------------------------------------------------------- elements
function el(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

function chip(seat) {
  return el("span", { class: `chip s${seat}`, title: game.names[seat] }, String(seat));
}

function die([sign, name, seat, mark]) {
  const owned = seat >= 0;
  const words = name + (owned ? ` of ${game.names[seat]}` : "") + (mark ? `, ${mark}` : "");
  const kind = owned ? `die s${seat}${mark ? " marked" : ""}` : "die printed";
  const shown = el("span", { class: kind, role: "img", "aria-label": words, title: words }, sign);
  if (owned) shown.append(el("sub", {}, String(seat)));
  return shown;
}

function dice(list) {
  return el("span", { class: "dice" }, ...list.map(die));
}

const DRAW = {
  fact: ([text]) => [text],
  level: ([value, most, seat, note]) => {
    const bar = el("div", { class: `bar s${seat}`, "aria-hidden": "true" }, el("i"));
    bar.firstChild.style.width = `${Math.max(0, Math.min(100, (100 * value) / most))}%`;
    const number = el("span", { class: "number" }, String(value), el("span", { class: "hidden" }, ` of ${most}`));
    return [el("div", { class: "level" }, number, bar, note ? el("small", {}, note) : null)];
  },
  dice: ([list, empty]) => [list.length ? dice(list) : empty],
  cards: ([cards, empty]) => {
    if (!cards.length) return [empty];
    const items = cards.map(([title, text, badge]) => {
      const low = badge.startsWith("T ") ? " low" : badge.startsWith("I ") ? " out" : "";
      const head = badge ? el("span", { class: `badge${low}` }, badge) : null;
      return el("li", {}, head, el("strong", {}, title), text ? el("p", {}, text) : null);
    });
    return [el("ul", { class: "cards" }, ...items)];
  },
  places: ([lots, free]) => {
    const items = lots.map(([seat, list]) => el("li", { "aria-label": `placed by ${game.names[seat]}` }, dice(list)));
    const room = free < 0 ? "room for any number" : free > 0 ? (free === 1 ? "1 place free" : `${free} places free`) : "";
    if (room) items.push(el("li", {}, el("span", { class: "free" }, room)));
    return [el("ul", { class: "lots" }, ...items)];
  },
};

// ---------------------------------------------------------------- the table
// What lies on the table at a position: its panels by key, each with its rows.
function panelsAt(position) {
  const found = new Map();
  if (position < 0) return found;
  for (const group of game.positions[position])
    for (const panel of game.groups[group][2]) found.set(game.panels[panel][0], panel);
  return found;
}

function drawPanel(panel, before, compare) {
  const [, title, note, seat, rows] = game.panels[panel];
  const old = before === undefined ? null : game.panels[before];
  const isChanged = compare && panel !== before;
  const word = isChanged ? el("span", { class: "change" }, old ? "changed" : "new") : null;
  const heading = el("h3", {}, seat >= 0 ? chip(seat) : null, title, word);
  const list = el("dl");
  for (const row of rows) {
    const [kind, label, ...rest] = game.rows[row];
    const differs = isChanged && old && !old[4].includes(row);
    const owner = kind === "level" && rest[2] >= 0 ? chip(rest[2]) : null;
    const classes = [kind === "cards" ? "tall" : owner ? "track" : "", differs ? "changed" : ""];
    const place = el("div", { class: classes.join(" ").trim() });
    place.append(el("dt", {}, owner, owner ? ` ${label}` : label), el("dd", {}, ...DRAW[kind](rest)));
    list.append(place);
  }
  const kind = `panel${isChanged ? " changed" : ""}`;
  return el("article", { class: kind, "data-key": game.panels[panel][0] }, heading, note ? el("p", {}, note) : null, list);
}

function drawTable(position, compare) {
  const before = compare ? panelsAt(position - 1) : new Map();
  const groups = game.positions[position].map((number) => {
    const [title, size, panels] = game.groups[number];
    const drawn = panels.map((panel) => drawPanel(panel, before.get(game.panels[panel][0]), compare));
    return el("section", {}, el("h2", {}, title), el("div", { class: `panels ${size}` }, ...drawn));
  });
  byId("table").replaceChildren(...groups);
}

function changesAt(position) {
  if (position < 1) return [];
  const before = panelsAt(position - 1);
  const found = [];
  for (const [key, panel] of panelsAt(position)) if (before.get(key) !== panel) found.push(game.panels[panel][1]);
  return found;
}

// ---------------------------------------------------------------- what happened
function note(kind, options) {
  if (kind === "chance") return options === 1 ? "chance" : `chance, one of ${options.toLocaleString("en")}`;
  return kind === "forced" ? "the only legal action" : `one of ${options} options`;
}

function drawStatus(position) {
  const turn = game.turns[game.turnOf[position]];
  byId("step-where").textContent = `Step ${position} of ${last}. ${position ? turn.title : "Before the first step"}.`;
  const text = byId("step-text");
  text.replaceChildren();
  if (position === 0) {
    text.append("The game is set up.");
    byId("step-changes").textContent = "";
    return;
  }
  const [kind, seat, words, options, byItself] = game.steps[position - 1];
  if (seat >= 0) text.append(chip(seat), ` ${game.names[seat]}: `);
  text.append(el("code", {}, words), ` (${note(kind, options)})`);
  for (const [who, what] of byItself) text.append("; ", `${game.names[who]} by itself: `, el("code", {}, what));
  const changes = changesAt(position);
  const mover = game.movers[position];
  const next = position === last ? "The game is over." : mover >= 0 ? `${game.names[mover]} decides next.` : "Chance comes next.";
  byId("step-changes").textContent = `${changes.length ? `Changed: ${changes.join(", ")}.` : "Nothing on the table changed."} ${next}`;
}

// ---------------------------------------------------------------- options of a decision
function drawOptions(position) {
  const body = byId("options-body");
  const found = game.options[position];
  if (!found) {
    const step = position ? game.steps[position - 1] : null;
    const why = !game.valuedBy
      ? "This page was written without values of options."
      : step && step[0] === "forced"
        ? "There was only one legal action."
        : step && step[0] === "choice"
          ? "No values were kept for this decision."
          : "This step is no decision.";
    body.replaceChildren(el("p", {}, why));
    return;
  }
  const [rows, left] = found;
  const seat = game.steps[position - 1][1];
  const head = el("tr", {}, ...["option", "win %", "visits", ""].map((text, k) => el("th", k === 1 || k === 2 ? { scope: "col", class: "number" } : { scope: "col" }, text)));
  const lines = rows.map(([text, visits, share, , isPlayed, isChosen]) => {
    const marks = [isPlayed ? "played" : "", isChosen ? "search's choice" : ""].filter(Boolean).join(", ");
    return el("tr", isPlayed ? { class: "played" } : {}, el("th", { scope: "row" }, el("code", {}, text)),
      el("td", { class: "number" }, share === null ? "\u2013" : (100 * share).toFixed(1)),
      el("td", { class: "number" }, String(visits)), el("td", {}, marks));
  });
  const caption = `Before this step ${game.names[seat]} chose among ${rows.length + left} options. Expected share of the win of ${game.names[seat]}, as ${game.valuedBy} sees it.`;
  const table = el("table", {}, el("caption", {}, caption), el("thead", {}, head), el("tbody", {}, ...lines));
  const rest = left ? el("p", { class: "note" }, `${left} more were visited less or not at all.`) : null;
  body.replaceChildren(el("div", { class: "wide" }, table), ...(rest ? [rest] : []));
}

// ---------------------------------------------------------------- scores and chances
function standing(position) {
  const rows = game.names.map((name, seat) => {
    const cells = [el("th", { scope: "row" }, chip(seat), ` ${name}`), el("td", { class: "number" }, String(game.scores[position][seat]))];
    if (game.chances) {
      const side = game.chances.sides.findIndex((seats) => seats.includes(seat));
      const share = game.chances.rows[position][side];
      const together = game.chances.sides[side].length > 1 ? " together" : "";
      cells.push(el("td", { class: "number" }, share === null ? "\u2013" : `${(100 * share).toFixed(0)} %${together}`));
    }
    return el("tr", {}, ...cells);
  });
  byId("standing").tBodies[0].replaceChildren(...rows);
}

const SVG = "http://www.w3.org/2000/svg";
function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// Labels at the ends of lines, moved apart so that none covers another.
function spread(wanted, least, most, gap) {
  const order = wanted.map((y, k) => [y, k]).sort((one, other) => one[0] - other[0]);
  let floor = least;
  for (const one of order) floor = (one[0] = Math.max(one[0], floor)) + gap;
  let ceiling = most;
  for (const one of order.reverse()) ceiling = (one[0] = Math.min(one[0], ceiling)) - gap;
  const found = [];
  for (const [y, k] of order) found[k] = y;
  return found;
}

const charts = [];
function chart(title, lines, top, ticks, unit) {
  const figure = el("figure", {}, el("figcaption", {}, title));
  byId("charts").append(figure);
  const one = { figure, title, lines, top, ticks, unit };
  charts.push(one);
  draw(one);
}

function draw(one) {
  const width = Math.max(260, one.figure.clientWidth || 360), height = 190;
  const left = 30, right = 26, above = 8, below = 20;
  const x = (k) => left + ((width - left - right) * k) / Math.max(1, last);
  const y = (value) => height - below - ((height - above - below) * value) / one.top;
  const ends = one.lines.map(({ name, values }) => `${name} ${values[last] === null ? "unknown" : values[last] + one.unit}`);
  const words = `${one.title}. At the end: ${ends.join("; ")}. The values at the step shown are in the table below.`;
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words });
  for (const tick of one.ticks) {
    svg.append(shape("line", { class: "grid", x1: left, x2: width - right, y1: y(tick), y2: y(tick) }));
    svg.append(shape("text", { x: left - 4, y: y(tick) + 4, "text-anchor": "end" }, String(tick)));
  }
  let section = "", edge = 0;
  for (const turn of game.turns) {
    if (!turn.section || turn.section === section) continue;
    section = turn.section;
    const at = x(turn.steps[0] - 1);
    svg.append(shape("line", { class: "round", x1: at, x2: at, y1: above, y2: height - below }));
    const name = section.replace(/^Round /, "R");
    if (at >= edge) {
      svg.append(shape("text", { x: at + 1, y: height - 6 }, name));
      edge = at + 7 * name.length + 6;
    }
  }
  if (!section) {
    svg.append(shape("text", { x: left, y: height - 6 }, "0"));
    svg.append(shape("text", { x: width - right, y: height - 6, "text-anchor": "end" }, `${last} steps`));
  }
  for (const { seat, values } of one.lines) {
    let path = "", pen = "M";
    values.forEach((value, k) => {
      if (value === null) return;
      path += pen === "M" ? `M${x(k).toFixed(1)} ${y(value).toFixed(1)}` : value === values[k - 1] ? "" : `H${x(k).toFixed(1)}V${y(value).toFixed(1)}`;
      pen = "L";
    });
    svg.append(shape("path", { class: `s${seat}`, d: `${path}H${x(last).toFixed(1)}` }));
  }
  const heights = spread(one.lines.map(({ values }) => y(values[last] ?? 0)), above + 6, height - below, 13);
  one.lines.forEach(({ label }, k) => svg.append(shape("text", { x: width - right + 4, y: heights[k] + 4 }, label)));
  one.now = shape("g", {});
  svg.append(one.now);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) * width) / box.width;
    go(Math.round(((at - left) / (width - left - right)) * last));
  });
  one.x = x;
  one.y = y;
  one.bottom = height - below;
  one.figure.querySelector("svg")?.remove();
  one.figure.append(svg);
  point(one);
}

function point(one) {
  const at = Math.max(0, now);
  const marks = [shape("line", { class: "now", x1: one.x(at), x2: one.x(at), y1: 4, y2: one.bottom })];
  for (const { seat, values } of one.lines)
    if (values[at] !== null) marks.push(shape("circle", { class: `s${seat}`, cx: one.x(at), cy: one.y(values[at]), r: 3.5 }));
  one.now.replaceChildren(...marks);
}

function nice(most) {
  const unit = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000].find((step) => most / step <= 5) || Math.ceil(most / 5);
  const ticks = [];
  for (let tick = 0; tick < most + unit; tick += unit) ticks.push(tick);
  return ticks;
}

function makeCharts() {
  const seats = game.names.map((name, seat) => ({ seat, name, label: String(seat), values: game.scores.map((row) => row[seat]) }));
  const ticks = nice(Math.max(1, ...game.scores.flat()));
  chart("Score by step", seats, ticks[ticks.length - 1], ticks, " points");
  if (!game.chances) return;
  const sides = game.chances.sides.map((members, side) => ({
    seat: members[0], name: game.chances.names[side], label: members.join("+"),
    values: game.chances.rows.map((row) => (row[side] === null ? null : Math.round(1000 * row[side]) / 10)),
  }));
  chart("Chance to win by step, in per cent", sides, 100, [0, 25, 50, 75, 100], " per cent");
}

// ---------------------------------------------------------------- moving
function go(wanted) {
  const position = Math.max(0, Math.min(last, wanted));
  if (position === now) return;
  now = position;
  drawTable(position, position > 0);
  drawStatus(position);
  drawOptions(position);
  standing(position);
  charts.forEach(point);
  byId("slider").value = String(position);
  byId("slider").setAttribute("aria-valuetext", `step ${position} of ${last}`);
  byId("turn").value = String(game.turnOf[position]);
  document.querySelector("#log [aria-current]")?.removeAttribute("aria-current");
  const entry = document.querySelector(`#log [data-step="${position}"]`);
  if (entry) {
    entry.setAttribute("aria-current", "step");
    const log = byId("log");
    log.scrollTop += entry.getBoundingClientRect().top - log.getBoundingClientRect().top - log.clientHeight / 2;
  } else byId("log").scrollTop = 0;
  for (const button of document.querySelectorAll("#controls [data-go]")) {
    const isBack = ["start", "turn-back", "back"].includes(button.dataset.go);
    button.setAttribute("aria-disabled", String(isBack ? position === 0 : position === last));
  }
  try {
    history.replaceState(null, "", `#step-${position}`);
  } catch {
    // A page that may not name its own step is read all the same.
  }
}

function turnStep(direction) {
  const turn = game.turnOf[now];
  const first = game.turns[turn].steps[0];
  if (direction < 0) return now > first ? first : turn ? game.turns[turn - 1].steps[0] : 0;
  return turn + 1 < game.turns.length && now > 0 ? game.turns[turn + 1].steps[0] : now > 0 ? last : first;
}

const MOVES = {
  start: () => 0, end: () => last, back: () => now - 1, forward: () => now + 1,
  "turn-back": () => turnStep(-1), "turn-forward": () => turnStep(1),
};
const KEYS = {
  ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end",
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("select, input, textarea")) return;
  if (event.shiftKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    byId("options").open = event.key === "ArrowDown";
    return;
  }
  let move = KEYS[event.key];
  if (!move) return;
  if (event.shiftKey && move === "back") move = "turn-back";
  if (event.shiftKey && move === "forward") move = "turn-forward";
  event.preventDefault();
  go(MOVES[move]());
});
for (const button of document.querySelectorAll("#controls [data-go]"))
  button.addEventListener("click", () => go(MOVES[button.dataset.go]()));
byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
byId("turn").addEventListener("change", (event) => go(game.turns[Number(event.target.value)].steps[0]));
byId("log").addEventListener("click", (event) => {
  const entry = event.target.closest("[data-step]");
  if (entry) go(Number(entry.dataset.step));
});
window.addEventListener("hashchange", fromAddress);
window.addEventListener("resize", () => charts.forEach(draw));

function fromAddress() {
  const found = /^#step-(\d+)$/.exec(location.hash);
  if (found) go(Number(found[1]));
}

makeCharts();
fromAddress();
if (now < 0) go(0);
