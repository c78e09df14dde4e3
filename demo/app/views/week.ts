import { api, attempt, ownDemo, remember } from '../api.js';
import { h, hint, quiet, timeOf } from '../dom.js';
import { notify } from '../notice.js';
import { timeOff } from './timeOff.js';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const DAY_MS = 86_400_000;

/** The signed-in user's schedule. The API cannot read schedules, so this view only knows the one of the demo data. */
export async function week() {
  const { schedule, savedAt } = ownDemo() ?? {};
  const heading = h('h1', {}, 'My week');
  if (schedule === undefined) {
    return [heading, hint('This demo does not know your week, so it cannot be changed here.')];
  }
  const source =
    savedAt === undefined
      ? 'These are the hours of the demo data. Saving replaces the hours that are stored.'
      : `These are the hours that you saved in this tab at ${timeOf(savedAt)}.`;
  return [heading, hint(source), form(schedule), timeOff()];
}

function form(schedule) {
  const isActive = h('input', { type: 'checkbox', checked: schedule.isActive });
  const days = DAYS.map((day) => dayRow(day, schedule.weeklySlots[day] ?? []));
  const range = rangeFields(schedule);
  const save = async (event) => {
    event.preventDefault();
    const slots = days.map(({ day, slots }) => [day, slots()]);
    const nights = slots.flatMap(([day, times]) =>
      times
        .filter(({ startTime, endTime }) => endTime <= startTime)
        .map(({ startTime, endTime }) => `${day}, ${startTime} to ${endTime}`),
    );
    const question = `These hours end on the next day. Is that right?\n\n${nights.join('\n')}`;
    if (nights.length > 0 && !confirm(question)) return;
    const { artistId, availabilityId, effectiveFrom, createdAt } = schedule;
    const record = {
      ...{ artistId, availabilityId, effectiveFrom, createdAt },
      updatedAt: Date.now(),
      isActive: isActive.checked,
      weeklySlots: Object.fromEntries(slots),
      ...range.value(),
    };
    if (!(await attempt(() => api.availability.updateAvailability(record)))) return;
    remember({ schedule: record, savedAt: Date.now() });
    notify('Your week is saved.');
  };
  return h(
    'form',
    { class: 'week', onsubmit: save },
    days.map(({ element }) => element),
    range.element,
    h('label', { class: 'inline' }, isActive, 'Clients can book'),
    h('button', {}, 'Save my week'),
  );
}

/** A day and its times; `slots` returns the current ones. */
function dayRow(day, given) {
  const list = h('div', { class: 'slots' });
  const empty = h('span', { class: 'hint' }, 'Closed');
  const refresh = () => {
    empty.hidden = list.children.length > 0;
  };
  const add = ({ startTime = '10:00', endTime = '18:00' } = {}) => {
    const time = (label, value) =>
      h('input', { type: 'time', 'aria-label': `${day}, ${label}`, value, required: true });
    const remove = () => {
      slot.remove();
      refresh();
    };
    const slot = h(
      'span',
      { class: 'slot' },
      time('from', startTime),
      '–',
      time('until', endTime),
      iconButton('×', `${day}: remove these hours`, remove),
    );
    list.append(slot);
    refresh();
  };
  given.forEach(add);
  refresh();
  const slots = () =>
    [...list.children].map((slot) => {
      const [start, end] = slot.querySelectorAll('input');
      return { startTime: start.value, endTime: end.value };
    });
  const plus = iconButton('+', `${day}: add hours`, () => add());
  const element = h('fieldset', { class: 'day' }, h('legend', {}, day), list, empty, plus);
  return { day, element, slots };
}

function iconButton(icon, label, onclick) {
  return quiet(icon, onclick, { type: 'button', class: 'quiet icon', 'aria-label': label });
}

/** The date range of the schedule: one of three types, each with its own field. */
function rangeFields({ dateRangeType, rollingDays = 30, effectiveFrom, effectiveUntil }) {
  const type = h(
    'select',
    {},
    [
      ['indefinitely', 'from now on'],
      ['rolling', 'for the next days'],
      ['specific', 'until a day'],
    ].map(([value, text]) => h('option', { value, selected: value === dateRangeType }, text)),
  );
  const day = (time) => new Date(time).toISOString().slice(0, 10);
  const days = h('input', { type: 'number', min: 1, max: 366, value: rollingDays, required: true });
  const until = h('input', {
    type: 'date',
    min: day(effectiveFrom + DAY_MS),
    value: day(effectiveUntil ?? Date.now() + 60 * DAY_MS),
    required: true,
  });
  const fields = { rolling: days, specific: until };
  const labels = [
    h('label', { class: 'inline' }, 'Days', days),
    h('label', { class: 'inline' }, 'Until', until),
  ];
  const refresh = () => {
    for (const label of labels) {
      label.hidden = label.control !== fields[type.value];
      // A field that cannot be seen does not keep the form from being sent.
      label.control.disabled = label.hidden;
    }
  };
  type.addEventListener('change', refresh);
  refresh();
  return {
    element: h(
      'div',
      { class: 'range' },
      h('label', { class: 'inline' }, 'These hours apply', type),
      labels,
    ),
    value: () => ({
      dateRangeType: type.value,
      ...(type.value === 'rolling' && { rollingDays: days.valueAsNumber }),
      ...(type.value === 'specific' && { effectiveUntil: until.valueAsNumber }),
    }),
  };
}
