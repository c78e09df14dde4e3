import { api, attempt, ownDemo, remember } from '../api.js';
import { h, notify } from '../dom.js';
import { dayOf, localValue, timeOf } from '../times.js';

const DAY_MS = 86_400_000;

/** The artist's time off, to edit. The API cannot list it, so this view only knows that of the demo data. */
export function timeOff() {
  const events = ownDemo()?.events ?? [];
  return h(
    'section',
    {},
    h('h2', {}, 'Time off'),
    h(
      'p',
      { class: 'hint' },
      'The API changes times in which you cannot work, but has no list of them. ',
      events.length > 0
        ? 'These are the ones of the demo data, with your changes in this tab.'
        : 'The demo data has none of yours.',
    ),
    h('ul', { class: 'rows', role: 'list' }, events.map(eventRow)),
  );
}

function eventRow(event) {
  const facts = h('div', {});
  const show = ({ title, startTime, endTime }) =>
    facts.replaceChildren(
      h('strong', {}, title),
      h('p', {}, `${dayOf(startTime)}, ${timeOf(startTime)} to ${timeOf(endTime)}`),
    );
  show(event);
  const form = eventForm(event, (changed) => {
    show(changed);
    details.open = false;
  });
  const details = h(
    'details',
    {},
    h('summary', { 'aria-label': `Change: ${event.title}` }, 'Change'),
    form,
  );
  return h('li', {}, facts, details);
}

function eventForm({ id, ...event }, saved) {
  const title = h('input', { value: event.title, required: true, maxLength: 200 });
  const [start, end] = [event.startTime, event.endTime].map((time) =>
    h('input', { type: 'datetime-local', value: localValue(time), required: true }),
  );
  const check = () => {
    const isRight = end.value > start.value;
    end.setCustomValidity(isRight ? '' : 'It must end after it starts.');
  };
  const save = async (submitted) => {
    submitted.preventDefault();
    const startTime = new Date(start.value).getTime();
    const changed = {
      ...{ id, title: title.value, date: startTime - (startTime % DAY_MS), startTime },
      endTime: new Date(end.value).getTime(),
    };
    if (!(await attempt(() => api.unavailableEvents.editUnavailableEvent(changed)))) return;
    const { events } = ownDemo();
    remember({ events: events.map((one) => (one.id === id ? changed : one)) });
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
