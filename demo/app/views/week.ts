import type { Day } from '@tattoo-marketplace/client';
import { api, attempt, ownDemo, remember } from '../api.ts';
import type { Schedule, Slot } from '../demoData.ts';
import { h, hint, one, quiet, timeOf, type Child } from '../dom.ts';
import { notify } from '../notice.ts';
import { timeOff } from './timeOff.ts';

const DAYS: readonly Day[] = [
  ...(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const),
];
const DAY_MS = 86_400_000;

/** The signed-in user's schedule. The API cannot read schedules, so this view only knows the one of the demo data. */
export function week(): Child[] {
  const { schedule, savedAt } = ownDemo();
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

function form(schedule: Schedule): HTMLElement {
  const isActive = h('input', { type: 'checkbox', checked: schedule.isActive });
  const days = DAYS.map((day) => dayRow(day, schedule.weeklySlots[day] ?? []));
  const range = rangeFields(schedule);
  const save = async (event: Event) => {
    event.preventDefault();
    const slots = days.map(({ day, slots }) => [day, slots()] as const);
    const nights = slots.flatMap(([day, times]) =>
      times
        .filter(({ startTime, endTime }) => endTime <= startTime)
        .map(({ startTime, endTime }) => `${day}, ${startTime} to ${endTime}`),
    );
    const question = `These hours end on the next day. Is that right?\n\n${nights.join('\n')}`;
    if (nights.length > 0 && !confirm(question)) return;
    const { artistId, availabilityId, effectiveFrom, createdAt } = schedule;
    const record: Schedule = {
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
function dayRow(day: Day, given: readonly Slot[]) {
  const list = h('div', { class: 'slots' });
  const empty = h('span', { class: 'hint' }, 'Closed');
  const refresh = () => {
    empty.hidden = list.children.length > 0;
  };
  const add = ({ startTime, endTime }: Slot) => {
    const time = (label: string, value: string) =>
      h('input', { type: 'time', 'aria-label': `${day}, ${label}`, value, required: true });
    const remove = () => {
      slot.remove();
      refresh();
      plus.focus();
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
    return slot;
  };
  for (const slot of given) add(slot);
  refresh();
  const slots = () =>
    [...list.children].map((slot): Slot => {
      const [startTime = '', endTime = ''] = [...slot.querySelectorAll('input')].map(
        ({ value }) => value,
      );
      return { startTime, endTime };
    });
  const plus = iconButton('+', `${day}: add hours`, () => {
    one('input', add({ startTime: '10:00', endTime: '18:00' })).focus();
  });
  const element = h('fieldset', { class: 'day' }, h('legend', {}, day), list, empty, plus);
  return { day, element, slots };
}

function iconButton(icon: string, label: string, onclick: () => void): HTMLElement {
  return quiet(icon, onclick, { type: 'button', class: 'quiet icon', 'aria-label': label });
}

type DateRange =
  | { dateRangeType: 'indefinitely' }
  | { dateRangeType: 'rolling'; rollingDays: number }
  | { dateRangeType: 'specific'; effectiveUntil: number };

/** The date range of the schedule: one of three types, each with its own field. */
function rangeFields({ dateRangeType, rollingDays, effectiveFrom, effectiveUntil }: Schedule) {
  const type = h(
    'select',
    {},
    [
      ['indefinitely', 'from now on'],
      ['rolling', 'for the next days'],
      ['specific', 'until a day'],
    ].map(([value, text]) => h('option', { value, selected: value === dateRangeType }, text)),
  );
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  const days = h('input', {
    type: 'number',
    min: 1,
    max: 366,
    value: rollingDays ?? 30,
    required: true,
  });
  const until = h('input', {
    type: 'date',
    min: day(effectiveFrom + DAY_MS),
    value: day(effectiveUntil ?? Date.now() + 60 * DAY_MS),
    required: true,
  });
  const fields = [
    { of: 'rolling', input: days, label: h('label', { class: 'inline' }, 'Days', days) },
    { of: 'specific', input: until, label: h('label', { class: 'inline' }, 'Until', until) },
  ];
  const refresh = () => {
    for (const { of, input, label } of fields) {
      label.hidden = type.value !== of;
      // A field that cannot be seen does not keep the form from being sent.
      input.disabled = label.hidden;
    }
  };
  type.addEventListener('change', refresh);
  refresh();
  return {
    element: h(
      'div',
      { class: 'range' },
      h('label', { class: 'inline' }, 'These hours apply', type),
      fields.map(({ label }) => label),
    ),
    value: (): DateRange => {
      const { value } = type;
      if (value === 'rolling') return { dateRangeType: value, rollingDays: days.valueAsNumber };
      if (value !== 'specific') return { dateRangeType: 'indefinitely' };
      return { dateRangeType: value, effectiveUntil: until.valueAsNumber };
    },
  };
}
