/** The script of the operators' page, as browsers run it: no build step. The key that it is given is kept in the page alone. */
export const OPS_SCRIPT = String.raw`'use strict';
const byId = (id) => document.getElementById(id);
const KEPT = 120;
const history = new Map();
let authorization = null;
let asked = 0;

async function ask(path) {
  const response = await fetch('api/v1/' + path, { headers: { authorization } });
  const answer = await response.json();
  if (answer.result !== 'success') throw new Error(answer.msg);
  return answer;
}

function element(name, text, parent) {
  const made = document.createElement(name);
  made.textContent = text;
  parent?.append(made);
  return made;
}

function chart(canvas, values, colour) {
  const context = canvas.getContext('2d');
  const { width, height } = canvas;
  context.clearRect(0, 0, width, height);
  const most = Math.max(1, ...values);
  context.strokeStyle = colour;
  context.beginPath();
  values.forEach((value, index) => {
    const x = (index / (KEPT - 1)) * width;
    const y = height - 2 - (value / most) * (height - 4);
    if (index === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  });
  context.stroke();
}

function remember(report) {
  const known = history.get(report.projection) ?? { rates: [], lags: [] };
  history.set(report.projection, known);
  for (const [values, value] of [[known.rates, report.eventsPerSecond], [known.lags, report.lagSeconds]]) {
    values.push(value);
    if (values.length > KEPT) values.shift();
  }
  return known;
}

function showModel(report, head) {
  const { rates, lags } = remember(report);
  let card = document.querySelector('[data-model="' + report.projection + '"]');
  if (card === null) {
    card = element('section', '', byId('models'));
    card.dataset.model = report.projection;
  }
  card.replaceChildren();
  card.className = report.state === 'halted' ? 'model halted' : 'model';
  element('h3', report.projection + ', version ' + report.servingLabel + ': ' + (report.state ?? 'kept elsewhere'), card);
  element('div', 'checkpoint ' + (report.checkpoint ?? 'none') + ', lag ' + report.lagEvents + ' events, ' + report.lagSeconds.toFixed(1) + ' s, ' + report.eventsPerSecond.toFixed(1) + ' events/s', card);
  if (report.lastError !== null) element('div', report.lastError, card);
  for (const [values, colour, label] of [[rates, '#06c', 'events a second'], [lags, '#c60', 'lag in seconds']]) {
    const canvas = element('canvas', '', card);
    canvas.setAttribute('aria-label', label);
    canvas.width = 480;
    canvas.height = 60;
    chart(canvas, values, colour);
  }
  if (report.building !== null) {
    element('div', 'building version ' + report.building.label + ': ' + report.building.events + ' events', card);
    const progress = element('progress', '', card);
    progress.max = Math.max(1, head ?? 1);
    progress.value = report.building.position ?? 0;
  }
}

async function refresh() {
  const { head, projections, dead_letters: letters } = await ask('audit/projections');
  for (const report of projections) showModel(report, head);
  byId('letters').replaceChildren();
  for (const { projection, state, event, reason } of letters) {
    element('li', projection + ' ' + state + ': ' + event.type + ' at ' + event.position + ', ' + reason, byId('letters'));
  }
  if (letters.length === 0) element('li', 'none', byId('letters'));
  byId('slider').max = String(head ?? 0);
}

async function showLog() {
  const turn = ++asked;
  const from = Number(byId('slider').value);
  const { events } = await ask('audit/log?limit=50&after=' + Math.max(0, from - 1));
  if (turn !== asked) return;
  byId('events').replaceChildren();
  for (const { position, metadata, stream, revision, type, data } of events) {
    const row = element('tr', '', byId('events'));
    const when = new Date(metadata.at).toISOString();
    for (const cell of [position, when, stream + '@' + revision, type, metadata.actorId ?? 'server', JSON.stringify(data)]) {
      element('td', String(cell), row);
    }
  }
  byId('position').textContent = events.length === 0 ? '' : new Date(events[0].metadata.at).toISOString();
}

function report(error) {
  byId('failure').textContent = error.message;
}

byId('login').addEventListener('submit', async (event) => {
  event.preventDefault();
  authorization = 'Basic ' + btoa(byId('email').value + ':' + byId('key').value);
  try {
    await refresh();
    byId('failure').textContent = '';
    byId('login').hidden = true;
    byId('main').hidden = false;
    byId('slider').value = byId('slider').max;
    byId('slider').value = String(Math.max(0, Number(byId('slider').max) - 49));
    await showLog();
    setInterval(() => void refresh().catch(report), 1000);
  } catch (error) {
    report(error);
  }
});
byId('slider').addEventListener('input', () => {
  byId('position').textContent = byId('slider').value;
});
byId('slider').addEventListener('change', () => void showLog().catch(report));
`;
