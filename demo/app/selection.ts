import { attempt } from './api.js';
import { h } from './dom.js';
import { notify } from './notice.js';

/**
 * Buttons for the selected elements of a list. An action gets their ids, and resolves with what was done: a `text`, and
 * how to `undo` it; or with nothing. Enter leads from an element to the buttons, because with Tab there may be hundreds
 * of steps.
 */
export function selectionBar(list, actions, sentences) {
  const boxes = () => [...list.querySelectorAll('input:checked')];
  const count = h('span', { role: 'status' });
  const buttons = Object.entries(actions).map(([label, act]) =>
    h('button', { onclick: () => run(act) }, label),
  );
  const bar = h('div', { class: 'selection', hidden: true }, count, buttons);
  const refresh = () => {
    const { length } = boxes();
    bar.hidden = length === 0;
    const keys = h('span', { class: 'keys' }, ' Press Enter to choose what to do.');
    count.replaceChildren(`${length} selected.`, keys);
  };
  const run = async (act) => {
    const byKey = document.activeElement.matches(':focus-visible');
    const selected = boxes();
    const ids = selected.map((box) => box.closest('li').dataset.id);
    for (const button of buttons) button.disabled = true;
    const done = await attempt(() => act(ids), sentences);
    for (const button of buttons) button.disabled = false;
    if (done.text) for (const box of selected) box.checked = false;
    refresh();
    const last = selected.at(-1);
    if (byKey) (last.isConnected ? last : list.querySelector('input'))?.focus();
    if (done.text) notify(done.text, { undo: done.undo, byKey });
  };
  list.addEventListener('change', refresh);
  list.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || bar.hidden || !event.target.matches('input')) return;
    event.preventDefault();
    buttons[0].focus();
  });
  return bar;
}
