import { api, attempt, ownDemo, remember } from '../api.ts';
import type { TimeOff } from '../demoData.ts';
import { dayOf, h, hint, timeOf, ul } from '../dom.ts';
import { notify } from '../notice.ts';

const DAY_MS = 86_400_000;

/** The artist's time off, to edit. The API cannot list it, so this view only knows that of the demo data. */
export function timeOff(): HTMLElement {
  return h(
    'section',
    {},
    h('h2', {}, 'Time off'),
    hint('Times in which you cannot work: those of the demo data, with your changes in this tab.'),
    ul('rows', ownDemo().events.map(eventRow)),
  );
}

function eventRow(event: TimeOff): HTMLElement {
  const facts = h('div', {});
  const show = ({ title, startTime, endTime }: TimeOff) => {
    const times = `${dayOf(startTime)}, ${timeOf(startTime)} to ${timeOf(endTime)}`;
    facts.replaceChildren(h('strong', {}, title), h('p', {}, times));
    summary.ariaLabel = `Change: ${title}`;
  };
  const form = eventForm(event, (changed) => {
    show(changed);
    details.open = false;
    summary.focus();
  });
  const summary = h('summary', {}, 'Change');
  const details = h('details', {}, summary, form);
  show(event);
  return h('li', {}, facts, details);
}

function eventForm(event: TimeOff, saved: (changed: TimeOff) => void): HTMLElement {
  const { id } = event;
  const title = h('input', { value: event.title, required: true, maxLength: 200 });
  const timeInput = (time: number) =>
    h('input', { type: 'datetime-local', value: localValue(time), required: true });
  const start = timeInput(event.startTime);
  const end = timeInput(event.endTime);
  const check = () => {
    end.setCustomValidity(end.value > start.value ? '' : 'It must end after it starts.');
  };
  const save = async (submitted: Event) => {
    submitted.preventDefault();
    const startTime = new Date(start.value).getTime();
    const endTime = new Date(end.value).getTime();
    const date = startTime - (startTime % DAY_MS);
    const changed = { id, title: title.value, date, startTime, endTime };
    if (!(await attempt(() => api.unavailableEvents.editUnavailableEvent(changed)))) return;
    remember({ events: ownDemo().events.map((one) => (one.id === id ? changed : one)) });
    notify('Your time off is changed.');
    saved(changed);
  };
  return h(
    'form',
    { class: 'stack', onsubmit: save, oninput: check },
    h('label', {}, 'Title', title),
    h('label', {}, 'From', start),
    h('label', {}, 'Until', end),
    h('button', {}, 'Save this time'),
  );
}

/** The value of an input of type `datetime-local`. */
function localValue(time: number): string {
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 16);
}
