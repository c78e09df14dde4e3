import { api, attempt, auth, ownDemo } from '../api.js';
import { h, notify } from '../dom.js';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const DAY_MS = 86_400_000;

/** The signed-in user's schedule. The API cannot read schedules, so this view starts with the one of the demo data. */
export async function week() {
  const user = auth?.currentUser;
  if (!user) {
    location.hash = '#/sign-in';
    return [];
  }
  const schedule = ownDemo()?.schedule;
  if (ownDemo() !== undefined && schedule === undefined) {
    return [h('h1', {}, 'My week'), h('p', {}, 'Only artists have a schedule.')];
  }
  return [
    h('h1', {}, 'My week'),
    form({ artistId: user.uid, weeklySlots: {}, isActive: true, ...schedule }),
  ];
}

function form(schedule) {
  const id = h('input', { value: schedule.availabilityId ?? '', required: true });
  const isActive = h('input', { type: 'checkbox', checked: schedule.isActive });
  const days = DAYS.map((day) => dayRow(day, schedule.weeklySlots[day] ?? []));
  const range = rangeFields(schedule);
  const save = async (event) => {
    event.preventDefault();
    const now = Date.now();
    const record = {
      artistId: schedule.artistId,
      availabilityId: id.value,
      isActive: isActive.checked,
      weeklySlots: Object.fromEntries(days.map(({ day, slots }) => [day, slots()])),
      effectiveFrom: schedule.effectiveFrom ?? now,
      createdAt: schedule.createdAt ?? now,
      updatedAt: now,
      ...range.value(),
    };
    if (!(await attempt(() => api.availability.updateAvailability(record)))) return;
    const known = ownDemo();
    if (known !== undefined) known.schedule = record;
    notify('Your week is saved.');
  };
  return h(
    'form',
    { class: 'week', onsubmit: save },
    schedule.availabilityId === undefined && h('label', {}, 'Id of the schedule', id),
    days.map(({ element }) => element),
    h(
      'div',
      { class: 'range' },
      range.element,
      h('label', { class: 'inline' }, isActive, 'Clients can book'),
    ),
    h('button', {}, 'Save'),
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
    const slot = h(
      'span',
      { class: 'slot' },
      time('from', startTime),
      '–',
      time('until', endTime),
      h(
        'button',
        {
          type: 'button',
          class: 'quiet icon',
          'aria-label': `${day}: remove these hours`,
          onclick: () => {
            slot.remove();
            refresh();
          },
        },
        '×',
      ),
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
  const element = h(
    'fieldset',
    { class: 'day' },
    h('legend', {}, day),
    list,
    empty,
    h(
      'button',
      {
        type: 'button',
        class: 'quiet icon',
        'aria-label': `${day}: add hours`,
        onclick: () => add(),
      },
      '+',
    ),
  );
  return { day, element, slots };
}

/** The date range of the schedule: one of three types, each with its own field. */
function rangeFields({ dateRangeType = 'indefinitely', rollingDays = 30, effectiveUntil }) {
  const type = h(
    'select',
    {},
    [
      ['indefinitely', 'from now on'],
      ['rolling', 'for the next days'],
      ['specific', 'until a day'],
    ].map(([value, text]) => h('option', { value, selected: value === dateRangeType }, text)),
  );
  const days = h('input', { type: 'number', min: 1, max: 366, value: rollingDays });
  const last = new Date(effectiveUntil ?? Date.now() + 60 * DAY_MS).toISOString().slice(0, 10);
  const until = h('input', { type: 'date', value: last });
  const daysLabel = h('label', { class: 'inline' }, 'Days', days);
  const untilLabel = h('label', { class: 'inline' }, 'Until', until);
  const refresh = () => {
    daysLabel.hidden = type.value !== 'rolling';
    untilLabel.hidden = type.value !== 'specific';
  };
  type.addEventListener('change', refresh);
  refresh();
  return {
    element: h(
      'div',
      { class: 'range' },
      h('label', { class: 'inline' }, 'These hours hold', type),
      daysLabel,
      untilLabel,
    ),
    value: () => ({
      dateRangeType: type.value,
      ...(type.value === 'rolling' && { rollingDays: days.valueAsNumber }),
      ...(type.value === 'specific' && { effectiveUntil: until.valueAsNumber }),
    }),
  };
}
