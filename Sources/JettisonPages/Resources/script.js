'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);

  // --- What a mark tells, on hover and on focus ---

  const tip = document.createElement('div');
  tip.id = 'tip';
  tip.hidden = true;
  // Screen readers have the mark's own name.
  tip.setAttribute('aria-hidden', 'true');
  document.body.append(tip);
  const marks = '[data-tip]';

  // The browser's own tip would tell the same a second later.
  for (const title of document.querySelectorAll('[data-tip] > title')) {
    const mark = title.parentElement;
    if (!mark.hasAttribute('aria-label')) mark.setAttribute('aria-label', title.textContent);
    title.remove();
  }

  function show(mark) {
    tip.textContent = mark.getAttribute('aria-label');
    tip.hidden = false;
    const shape = (mark.querySelector('.hit') || mark).getBoundingClientRect();
    const width = document.documentElement.clientWidth;
    const own = tip.getBoundingClientRect();
    const left = Math.max(8, Math.min(shape.left + shape.width / 2 - own.width / 2, width - own.width - 8));
    const above = shape.top - own.height - 8;
    tip.style.left = `${left + window.scrollX}px`;
    tip.style.top = `${(above >= 0 ? above : shape.bottom + 8) + window.scrollY}px`;
  }

  for (const [enter, leave] of [['pointerover', 'pointerout'], ['focusin', 'focusout']]) {
    document.addEventListener(enter, (event) => {
      const mark = event.target.closest?.(marks);
      if (mark) show(mark);
    });
    document.addEventListener(leave, () => { tip.hidden = true; });
  }
  document.addEventListener('keydown', (event) => { if (event.key === 'Escape') tip.hidden = true; });

  // --- Tables that sort ---

  function value(row, column) {
    const cell = row.cells[column];
    const exact = cell.dataset.value;
    if (exact !== undefined) return exact === '' ? null : Number(exact);
    return cell.textContent.trim();
  }

  function compare(a, b, sign) {
    if (a === b) return 0;
    // What has no figure stands last in either direction.
    if (a === null || b === null) return a === null ? 1 : -1;
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    return sign * (String(a) < String(b) ? -1 : 1);
  }

  function sort(table, head) {
    const column = head.cellIndex;
    const isNumber = head.classList.contains('number');
    const before = head.getAttribute('aria-sort');
    const direction = before ? (before === 'ascending' ? 'descending' : 'ascending')
      : isNumber ? 'descending' : 'ascending';
    for (const other of head.parentElement.cells) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', direction);
    const body = table.tBodies[0];
    const sign = direction === 'ascending' ? 1 : -1;
    const rows = [...body.rows].map((row, place) => ({ row, place, key: value(row, column) }));
    rows.sort((a, b) => compare(a.key, b.key, sign) || a.place - b.place);
    body.append(...rows.map((entry) => entry.row));
  }

  for (const table of document.querySelectorAll('table.sortable')) {
    for (const head of table.tHead.rows[0].cells) {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      button.addEventListener('click', () => sort(table, head));
      head.append(button);
    }
  }

  // --- Files, put together from the data ---

  // Figures are one text, in which '0.5*3' is three cells. Other columns list texts, or places in
  // their list of words; a number below 0 says how often what stands before it is there.
  function spread({ words, cells, figures }) {
    const texts = [];
    if (figures !== undefined) {
      for (const part of figures.split(' ')) {
        const [figure, count] = part.split('*');
        for (let place = 0; place < (count ?? 1); place++) texts.push(figure);
      }
      return texts;
    }
    for (const cell of cells) {
      if (typeof cell === 'string') texts.push(cell);
      else if (cell >= 0) texts.push(words[cell]);
      else for (let count = 1; count < -cell; count++) texts.push(texts[texts.length - 1]);
    }
    return texts;
  }

  function fileText(file) {
    if (file.text !== undefined) return file.text;
    const columns = file.columns.map(spread);
    const lines = [file.columns.map((column) => column.name).join(',')];
    for (let row = 0; row < file.rows; row++) lines.push(columns.map((cells) => cells[row]).join(','));
    return lines.join('\n') + '\n';
  }

  for (const button of document.querySelectorAll('button.download')) {
    button.addEventListener('click', () => {
      const name = button.dataset.file;
      const link = document.createElement('a');
      const url = URL.createObjectURL(new Blob([fileText(data.files[name])], { type: 'text/csv' }));
      link.href = url;
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 10000);
    });
  }

  // --- Skylines: a day at a time, an app at a time ---

  function openDay(day) {
    for (const other of day.parentElement.querySelectorAll(':scope > details.day')) {
      other.open = other === day;
    }
    const id = day.querySelector('[id]').id;
    for (const link of day.parentElement.querySelectorAll('.days a')) {
      if (link.hash === '#' + id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }

  for (const days of document.querySelectorAll('nav.days')) {
    days.hidden = false;
    days.parentElement.classList.add('by-switch');
    days.addEventListener('click', (event) => {
      const link = event.target.closest('a');
      if (!link) return;
      event.preventDefault();
      openDay(document.getElementById(link.hash.slice(1)).closest('details.day'));
    });
  }

  // What a link leads to is opened, however deep it lies.
  function reveal() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let fold = target.closest('details'); fold; fold = fold.parentElement.closest('details')) {
      if (fold.matches('.by-switch > details.day')) openDay(fold);
      fold.open = true;
    }
    const summary = target.parentElement.querySelector(':scope > summary');
    (summary || target).scrollIntoView({ block: 'nearest' });
    if (summary) summary.focus({ preventScroll: true });
  }
  window.addEventListener('hashchange', reveal);
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.getAttribute('href') === location.hash) reveal();
  });
  reveal();

  for (const svg of document.querySelectorAll('svg.skyline')) {
    const lit = (app) => {
      for (const part of svg.querySelectorAll('.band-app, .lane')) {
        part.classList.toggle('dim', app !== null && part.dataset.app !== app);
      }
    };
    const app = (event) => event.target.closest('[data-app]')?.dataset.app ?? null;
    svg.addEventListener('pointerover', (event) => lit(app(event)));
    svg.addEventListener('pointerleave', () => lit(null));
    svg.addEventListener('focusin', (event) => lit(app(event)));
    svg.addEventListener('focusout', () => lit(null));

    // One stop for Tab in each picture; arrows lead from mark to mark.
    const stops = [...svg.querySelectorAll('[tabindex="0"], a')];
    stops.forEach((stop, place) => stop.setAttribute('tabindex', place ? '-1' : '0'));
    svg.addEventListener('keydown', (event) => {
      const place = stops.indexOf(event.target);
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const next = step ? place + step : { Home: 0, End: stops.length - 1 }[event.key];
      if (place < 0 || next === undefined || !stops[next]) return;
      event.preventDefault();
      stops[place].setAttribute('tabindex', '-1');
      stops[next].setAttribute('tabindex', '0');
      stops[next].focus();
    });
  }
})();
