import { attempt } from './api.ts';
import { focused, h } from './dom.ts';
import { notify } from './notice.ts';

/** What an action has done, and how to take it back. */
interface Done {
  readonly text: string;
  readonly undo?: (() => unknown) | undefined;
}

/** Gets the ids of the selected elements; resolves with nothing if it did nothing. */
type Action = (ids: string[]) => Promise<Done | undefined>;

/**
 * Buttons for the selected elements of a list. Enter leads from an element to the buttons, because with Tab there may be
 * hundreds of steps.
 */
export function selectionBar(
  list: HTMLElement,
  actions: Readonly<Record<string, Action>>,
  sentences: Parameters<typeof attempt>[1],
): HTMLElement {
  const boxes = () => [...list.querySelectorAll<HTMLInputElement>('input:checked')];
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
  const run = async (act: Action) => {
    const byKey = focused().matches(':focus-visible');
    const selected = boxes();
    const ids = selected.map((box) => box.closest('li')?.dataset.id ?? '');
    let done: Done | undefined;
    for (const button of buttons) button.disabled = true;
    await attempt(async () => {
      done = await act(ids);
    }, sentences);
    for (const button of buttons) button.disabled = false;
    if (done) for (const box of selected) box.checked = false;
    refresh();
    const last = selected.at(-1);
    if (byKey) (last?.isConnected ? last : list.querySelector('input'))?.focus();
    if (done) notify(done.text, { undo: done.undo, byKey });
  };
  list.addEventListener('change', refresh);
  list.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || bar.hidden || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    buttons[0]?.focus();
  });
  return bar;
}
