// SPDX-License-Identifier: Apache-2.0
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const tasks = data.tasks;
  const $ = (id) => document.getElementById(id);
  const ROW = 28;

  /** An element with text or children; never HTML from data. */
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
      else if (name === 'class') element.className = value;
      else element.setAttribute(name, value);
    }
    for (const child of children) element.append(child);
    return element;
  }
  const fixed = (value, digits = 1) => value.toLocaleString('en', {
    minimumFractionDigits: digits, maximumFractionDigits: digits});
  const percent = (share) => fixed(100 * share) + ' %';
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  function bytesText(bytes) {
    if (bytes >= 1 << 20) return fixed(bytes / (1 << 20)) + ' MB';
    return bytes >= 1024 ? fixed(bytes / 1024) + ' KB' : bytes + ' B';
  }
  /** Blue for nothing, red for the most expensive. */
  function heat(share, most) {
    const t = Math.sqrt(most > 0 ? Math.min(1, share / most) : 0);
    return `hsl(${220 - 220 * t} ${45 + 35 * t}% 50%)`;
  }
  function table(columns, rows) {
    const head = make('tr', {}, ...columns.map((c) => make('th', {class: c.number ? 'n' : ''}, c.name)));
    const body = rows.map((row) => make('tr', {}, ...columns.map((c, i) => {
      const cell = make('td', {class: c.number ? 'n' : ''});
      cell.append(row[i]);
      return cell;
    })));
    return make('div', {class: 'scroll'}, make('table', {}, make('thead', {}, head),
                                               make('tbody', {}, ...body)));
  }
  function section(id, ...content) {
    const element = $(id);
    if (content.length === 0) { element.hidden = true; return; }
    element.append(make('h2', {}, element.dataset.title), ...content);
    $('sections').append(make('a', {href: '#' + id}, element.dataset.title));
  }
  function showTip(event, text) {
    const tip = $('tip');
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    tip.style.left = Math.max(4, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)) + 'px';
    tip.style.top = Math.max(4, Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)) + 'px';
  }
  const taskTip = (task) => `${task.name}\n${task.type}, ${task.kernel}` +
    (data.timed ? `\n${fixed(task.us, 2)} us, ${percent(task.share)}` : '');

  /** A canvas that follows its width and the colour scheme; `draw(context, width, height)`. */
  function canvas(height, draw) {
    const element = make('canvas', {style: `height:${height}px`});
    const paint = () => {
      const ratio = devicePixelRatio || 1;
      const width = element.clientWidth || 900;
      element.width = width * ratio;
      element.height = height * ratio;
      const context = element.getContext && element.getContext('2d');
      if (!context) return;
      context.scale(ratio, ratio);
      draw(context, width, height);
    };
    addEventListener('resize', paint);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
    setTimeout(paint);
    return {element, paint};
  }

  // Header.
  document.title = data.title;
  $('title').textContent = data.title;
  $('diagnosis').textContent = data.diagnosis;
  for (const [name, value] of data.facts)
    $('facts').append(make('div', {}, make('dt', {}, name), make('dd', {}, value)));

  // Advice.
  section('advice', ...data.advice.map((a) => make('div', {class: 'card', 'data-rule': a.rule},
    make('b', {}, a.title), make('div', {}, 'Measured: ' + a.measured),
    make('div', {}, 'Change: ' + a.change),
    ...(a.gain > 0 ? [make('div', {class: 'gain'}, `Up to ${fixed(a.gain, 0)} % of the time`)] : []))));

  // Comparison with another profile.
  if (data.compare) {
    const c = data.compare;
    const factor = c.run_us / data.run_us;
    section('compare', make('p', {}, `${c.title}: ${fixed(c.run_us / 1e3, 3)} ms a run; here ` +
      `${fixed(data.run_us / 1e3, 3)} ms, ${fixed(factor, 2)} times as fast.`),
      table([{name: 'Operator type'}, {name: 'Before, us', number: true},
             {name: 'Now, us', number: true}, {name: 'Difference', number: true}],
            c.types.map((t) => [t.type, fixed(t.before), fixed(t.now),
              make('span', {class: t.now <= t.before ? 'faster' : 'slower'}, fixed(t.now - t.before))])));
  } else {
    section('compare');
  }

  // Time by operator type.
  const most = Math.max(...data.types.map((t) => t.value), 1e-9);
  section('types', table(
    [{name: 'Type'}, {name: 'Tasks', number: true},
     {name: data.timed ? 'us a run' : 'MFLOP', number: true}, {name: 'Share', number: true}, {name: ''}],
    data.types.map((t) => {
      const bar = make('div', {class: t.layout ? 'bar layout' : 'bar'});
      bar.style.width = 100 * t.value / most + '%';
      return [t.type, String(t.tasks), fixed(t.value), percent(t.share), bar];
    })));

  // Node table: only the rows in view exist.
  const columns = [
    {name: 'Node', key: 'name'}, {name: 'Type', key: 'type'},
    {name: data.timed ? 'us' : 'MFLOP', key: 'us', number: true}, {name: 'Share', key: 'share', number: true},
    {name: 'FMA roof', key: 'fma', number: true}, {name: 'Mem roof', key: 'mem', number: true},
    {name: 'Cores', key: 'cores', number: true}, {name: 'Kernel', key: 'kernel'}];
  let order = {key: 'us', down: true}, shown = tasks.slice(), selected = null;
  const search = make('input', {type: 'search', placeholder: 'Filter by name, type, kernel',
                                'aria-label': 'Filter nodes', oninput: () => update()});
  const typeChoice = make('select', {'aria-label': 'Operator type', onchange: () => update()},
    make('option', {value: ''}, 'All types'),
    ...data.types.map((t) => make('option', {value: t.type}, t.type)));
  const count = make('span', {class: 'soft'});
  const space = make('div', {class: 'space'});
  const grid = make('div', {class: 'scroll grid', tabindex: '0', onscroll: () => render()}, space);
  const detail = make('div', {class: 'detail', hidden: ''});
  const head = make('div', {class: 'row head'}, ...columns.map((c) => {
    const cell = make('span', {class: c.number ? 'n' : ''});
    cell.append(make('button', {onclick: () => {
      order = {key: c.key, down: order.key === c.key ? !order.down : !!c.number};
      update();
    }}, c.name));
    return cell;
  }));
  function cells(task) {
    return [task.name, task.type, fixed(task.us, 2), percent(task.share), fixed(task.fma, 0) + ' %',
            fixed(task.mem, 0) + ' %', String(task.cores), task.kernel];
  }
  function describe(task) {
    selected = task;
    detail.hidden = false;
    detail.textContent = [
      task.name, `${task.type}, kernel ${task.kernel}, stream ${task.stream}, ${task.cores} cores`,
      `in   ${task.in_shapes}   ${task.in_formats}`, `out  ${task.out_shapes}   ${task.out_formats}`,
      data.timed ? `typically ${fixed(task.us, 2)} us, least ${fixed(task.min, 2)} us, most ` +
        `${fixed(task.max, 2)} us, waiting at barriers ${fixed(task.wait, 2)} us` : '',
      `${fixed(task.flop / 1e6, 2)} MFLOP, ${bytesText(task.bytes)}` +
        (data.timed ? `, ${fixed(task.gflops, 1)} GFLOP/s, ${fixed(task.gbytes, 1)} GB/s` : ''),
      task.reason ? 'reason: ' + task.reason : '',
      'origins: ' + task.origins.join(', ')].filter((line) => line).join('\n');
    render();
  }
  function render() {
    const first = Math.max(0, Math.floor(grid.scrollTop / ROW) - 5);
    const last = Math.min(shown.length, first + Math.ceil((grid.clientHeight || 460) / ROW) + 12);
    const rows = [head];
    for (let i = first; i < last; ++i) {
      const task = shown[i];
      const row = make('div', {class: task === selected ? 'row on' : 'row', tabindex: '0',
        onclick: () => describe(task),
        onkeydown: (event) => { if (event.key === 'Enter') describe(task); }},
        ...cells(task).map((text, c) => make('span', {class: columns[c].number ? 'n' : '', title: text}, text)));
      row.style.top = (i + 1) * ROW + 'px';
      rows.push(row);
    }
    space.replaceChildren(...rows);
  }
  function update() {
    const words = search.value.toLowerCase().split(/\s+/).filter((w) => w);
    shown = tasks.filter((t) => (!typeChoice.value || t.type === typeChoice.value) &&
      words.every((w) => (t.name + ' ' + t.type + ' ' + t.kernel).toLowerCase().includes(w)));
    const sign = order.down ? -1 : 1;
    shown.sort((a, b) => sign * (typeof a[order.key] === 'number' ? a[order.key] - b[order.key]
                                 : a[order.key].localeCompare(b[order.key])));
    space.style.height = (shown.length + 1) * ROW + 'px';
    count.textContent = `${shown.length} of ${tasks.length}`;
    render();
  }
  section('nodes', make('div', {class: 'tools'}, search, typeChoice, count), grid, detail);
  update();

  // Timeline: wheel and buttons zoom, drag moves.
  const rows = data.timeline.rows;
  if (rows.length > 0) {
    const end = data.timeline.us, height = 26 * rows.length + 24, label = 92;
    let from = 0, to = end;
    const x = (us, width) => label + (us - from) / (to - from) * (width - label);
    const view = canvas(height, (c, width) => {
      c.clearRect(0, 0, width, height);
      c.font = '12px system-ui, sans-serif';
      rows.forEach((row, r) => {
        const y = 4 + 26 * r;
        for (const [begin, duration, index] of row.items) {
          const left = Math.max(label, x(begin, width)), right = x(begin + duration, width);
          if (right < label || left > width) continue;
          const task = tasks[index];
          c.fillStyle = task.layout ? css('--hot') : heat(task.share, data.most_share);
          c.fillRect(left, y, Math.max(0.6, right - left - 0.4), 20);
          if (right - left > 60) {
            c.save();
            c.beginPath();
            c.rect(left, y, right - left, 20);
            c.clip();
            c.fillStyle = '#fff';
            c.fillText(task.name, left + 3, y + 14);
            c.restore();
          }
        }
        c.fillStyle = css('--ink');
        c.fillText(row.name, 4, y + 14);
      });
      c.fillStyle = css('--soft');
      c.fillText(`${fixed(from, 1)} us`, label, height - 6);
      const text = `${fixed(to, 1)} us`;
      c.fillText(text, width - c.measureText(text).width - 4, height - 6);
    });
    const zoom = (factor, at = (from + to) / 2) => {
      const span = Math.min(end, Math.max(end / 5000, (to - from) * factor));
      from = Math.max(0, Math.min(end - span, at - (at - from) * span / (to - from)));
      to = from + span;
      view.paint();
    };
    const usAt = (event) => {
      const box = view.element.getBoundingClientRect();
      return from + (event.clientX - box.left - label) / (box.width - label) * (to - from);
    };
    view.element.addEventListener('wheel', (event) => {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, usAt(event));
    }, {passive: false});
    let drag = null;
    view.element.addEventListener('pointerdown', (event) => { drag = {us: usAt(event)}; });
    addEventListener('pointerup', () => { drag = null; });
    view.element.addEventListener('pointermove', (event) => {
      const us = usAt(event);
      if (drag) {
        const move = Math.max(-from, Math.min(end - to, drag.us - us));
        from += move;
        to += move;
        view.paint();
        return;
      }
      const row = rows[Math.floor((event.offsetY - 4) / 26)];
      const item = row && row.items.find(([b, d]) => us >= b && us <= b + d);
      showTip(event, item ? taskTip(tasks[item[2]]) : '');
    });
    view.element.addEventListener('pointerleave', (event) => showTip(event, ''));
    section('timeline', make('div', {class: 'tools'},
      make('button', {class: 'tool', id: 'zoom-in', onclick: () => zoom(0.5)}, 'Zoom in'),
      make('button', {class: 'tool', onclick: () => zoom(2)}, 'Zoom out'),
      make('button', {class: 'tool', onclick: () => zoom(1e9)}, 'All'),
      make('span', {class: 'soft'}, 'One run. Wheel zooms, dragging moves.')), view.element);
  } else {
    section('timeline');
  }

  // Layout conversions.
  const layout = tasks.filter((t) => t.layout);
  section('conversions', ...(layout.length === 0 ? [] : [table(
    [{name: 'Edge'}, {name: 'From, to'}, {name: 'Size', number: true},
     {name: data.timed ? 'us' : '', number: true}, {name: 'Share', number: true}, {name: 'Reason'}, {name: 'Remedy'}],
    layout.map((t) => [t.edge || t.name, `${t.in_formats} to ${t.out_formats}`, bytesText(t.bytes / 2),
      data.timed ? fixed(t.us, 2) : '', data.timed ? percent(t.share) : '', t.reason, t.remedy]))]));

  // Tail of tiny tasks.
  const tiny = data.timed ? tasks.filter((t) => t.us < data.tiny_us) : [];
  if (tiny.length > 0) {
    const kinds = new Map();
    for (const t of tiny) {
      const kind = kinds.get(t.type) || {tasks: 0, us: 0};
      kind.tasks += 1;
      kind.us += t.us;
      kinds.set(t.type, kind);
    }
    const us = tiny.reduce((sum, t) => sum + t.us, 0);
    section('tail', make('p', {}, `${tiny.length} of ${tasks.length} tasks take less than ` +
      `${data.tiny_us} us each, together ${fixed(us)} us, ${percent(us / data.task_us)} of the time.`),
      table([{name: 'Type'}, {name: 'Tasks', number: true}, {name: 'us', number: true}],
        [...kinds].sort((a, b) => b[1].us - a[1].us).map(([type, k]) => [type, String(k.tasks), fixed(k.us, 2)])));
  } else {
    section('tail');
  }

  // Arena: time to the right, offset upwards.
  const arena = data.arena;
  if (arena.tensors.length > 0) {
    const height = 280, steps = Math.max(1, arena.steps);
    const boxes = (width) => arena.tensors.map((t) => ({t,
      x: t.first / steps * width, w: Math.max(1, (t.last + 1 - t.first) / steps * width),
      y: height - (t.offset + t.bytes) / arena.bytes * height, h: Math.max(0.5, t.bytes / arena.bytes * height)}));
    const view = canvas(height, (c, width) => {
      c.clearRect(0, 0, width, height);
      for (const box of boxes(width)) {
        c.fillStyle = box.t.at_peak ? css('--hot') : css('--accent');
        c.globalAlpha = 0.75;
        c.fillRect(box.x, box.y, box.w - 0.3, Math.max(0.4, box.h - 0.3));
      }
      c.globalAlpha = 1;
    });
    view.element.addEventListener('pointermove', (event) => {
      const hit = boxes(view.element.clientWidth).find((b) => event.offsetX >= b.x &&
        event.offsetX <= b.x + b.w && event.offsetY >= b.y && event.offsetY <= b.y + b.h);
      showTip(event, hit ? `${hit.t.name}\n${bytesText(hit.t.bytes)} at ${hit.t.offset}\ntasks ` +
                           `${hit.t.first} to ${hit.t.last}` : '');
    });
    view.element.addEventListener('pointerleave', (event) => showTip(event, ''));
    const peak = arena.tensors.filter((t) => t.at_peak).sort((a, b) => b.bytes - a.bytes).slice(0, 8);
    section('arena', make('p', {}, `Arena ${bytesText(arena.bytes)}, at least ` +
      `${bytesText(arena.lower_bound)} are alive at once; weights ${bytesText(arena.weights)}. Tasks run ` +
      `from left to right, addresses go up; red: alive at the peak (task ${arena.peak_step}).`), view.element,
      table([{name: 'Alive at the peak'}, {name: 'Size', number: true}],
            peak.map((t) => [t.name, bytesText(t.bytes)])));
  } else {
    section('arena');
  }

  // Fusions.
  const fused = tasks.filter((t) => t.origins.length > 1 && !t.layout);
  const alone = data.unfused;
  section('fusions', ...(fused.length + alone.length === 0 ? [] : [
    make('p', {}, `${fused.length} tasks compute several operators of the model.`),
    table([{name: 'Task'}, {name: 'Operators'}], fused.map((t) => [t.name, t.origins.join(', ')])),
    ...(alone.length === 0 ? [] : [make('h3', {}, 'Element-wise tasks that stayed alone'),
      table([{name: 'Task'}, {name: 'Why'}], alone.map((u) => [u.name, u.reason]))])]));

  // The compilation: passes that changed something, candidates of each node with their estimated cycles.
  const compile = data.compile;
  section('passes', ...(!compile ? [] : [table(
    [{name: 'Pass'}, {name: 'Changes', number: true}, {name: 'ms', number: true}],
    compile.passes.filter((p) => p.changes > 0 || !p.enabled).map((p) =>
      [p.enabled ? p.name : p.name + ' (off)', String(p.changes), fixed(p.milliseconds, 2)]))]));
  section('kernels', ...(!compile ? [] : [table(
    [{name: 'Node'}, {name: 'Type'}, {name: 'Kernel'}, {name: 'Candidates, cycles'}],
    compile.nodes.map((n) => [n.node, n.op, n.kernel + (n.algorithm ? ': ' + n.algorithm : ''),
                              n.candidates.join(', ')]))]));

  // Graph: depth downwards, colour by share.
  if (data.edges.length > 0) {
    const byIndex = new Map(tasks.map((t) => [t.index, t]));
    const depth = new Map(), level = [];
    for (const t of [...tasks].sort((a, b) => a.index - b.index)) depth.set(t.index, 0);
    for (const [a, b] of data.edges) depth.set(b, Math.max(depth.get(b) || 0, (depth.get(a) || 0) + 1));
    for (const index of depth.keys()) (level[depth.get(index)] ||= []).push(index);
    const height = Math.max(80, level.length * 22 + 20);
    const place = (width) => {
      const at = new Map();
      level.forEach((nodes, d) => nodes.forEach((n, i) => at.set(n,
        {x: width * (i + 1) / (nodes.length + 1), y: 14 + d * 22, w: Math.min(180, width / (nodes.length + 1) - 4)})));
      return at;
    };
    const view = canvas(Math.min(height, 30000), (c, width) => {
      const at = place(width);
      c.clearRect(0, 0, width, height);
      c.strokeStyle = css('--soft');
      c.lineWidth = 0.6;
      for (const [a, b] of data.edges) {
        const p = at.get(a), q = at.get(b);
        if (!p || !q) continue;
        c.beginPath();
        c.moveTo(p.x, p.y);
        c.lineTo(q.x, q.y);
        c.stroke();
      }
      c.font = '11px system-ui, sans-serif';
      for (const [index, p] of at) {
        const task = byIndex.get(index);
        c.fillStyle = task.layout ? css('--hot') : heat(task.share, data.most_share);
        c.fillRect(p.x - p.w / 2, p.y - 8, p.w, 16);
        if (p.w < 40) continue;
        c.save();
        c.beginPath();
        c.rect(p.x - p.w / 2, p.y - 8, p.w, 16);
        c.clip();
        c.fillStyle = '#fff';
        c.fillText(`${task.type}  ${task.name}`, p.x - p.w / 2 + 4, p.y + 4);
        c.restore();
      }
    });
    view.element.addEventListener('pointermove', (event) => {
      for (const [index, p] of place(view.element.clientWidth))
        if (Math.abs(event.offsetX - p.x) < p.w / 2 && Math.abs(event.offsetY - p.y) < 9)
          return showTip(event, taskTip(byIndex.get(index)));
      return showTip(event, '');
    });
    view.element.addEventListener('pointerleave', (event) => showTip(event, ''));
    section('graph', make('div', {class: 'scroll', style: 'max-height:600px'}, view.element));
  } else {
    section('graph');
  }
})();
