import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type ComponentProps, type SubmitEvent } from 'react';
import useSessionStorageState from 'use-session-storage-state';
import type { Day } from '@tattoo-marketplace/client';
import { Field } from '../../components/Field.tsx';
import type { Account, Schedule, Slot } from '../../../pageData.ts';
import { dateTimeFormat, formatInput, parseInput, startOfDay } from '../../format.ts';
import { api } from '../../session.ts';
import { TimeOff } from './TimeOff.tsx';

/** The signed-in artist's schedule and time off. */
export const Week = ({ schedule, events }: Account) => (
  <>
    <h1>My week</h1>
    {schedule ? (
      <>
        <WeekForm stored={schedule} />
        <TimeOff events={events} />
      </>
    ) : (
      <p className="hint">This demo does not know your week, so it cannot be changed here.</p>
    )}
  </>
);

const WORKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const;
const DAYS: readonly Day[] = [...WORKDAYS, 'Saturday', 'Sunday'];
const DAY_MS = 86_400_000;
const IN_TWO_MONTHS = startOfDay(Date.now() + 60 * DAY_MS);

/** The artist's weekly hours, to edit. Saved ones are kept in this tab, because the API cannot read them. */
function WeekForm({ stored }: { stored: Schedule }) {
  const [schedule = stored, saveSchedule] = useSessionStorageState<Schedule>(stored.availabilityId);
  const { effectiveFrom, rollingDays, updatedAt } = schedule;
  const effectiveUntil = schedule.effectiveUntil ?? IN_TWO_MONTHS;
  const [type, setType] = useState<string>(schedule.dateRangeType);
  const { mutate } = useMutation({
    mutationFn: (changed: Schedule) => api.availability.updateAvailability(changed),
    onSuccess: (_result, changed) => saveSchedule(changed),
    meta: { success: 'Your week is saved.' },
  });

  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const days = DAYS.map((day) => [day, readSlots(fields, day)] as const);
    const overnightSlots = days.flatMap(([day, slots]) =>
      slots
        .filter(({ startTime, endTime }) => endTime <= startTime)
        .map(({ startTime, endTime }) => `${day}, ${startTime} to ${endTime}`),
    );
    const question = `These hours end on the next day. Is that right?\n\n${overnightSlots.join('\n')}`;
    if (overnightSlots.length > 0 && !confirm(question)) return;
    mutate({
      ...schedule,
      weeklySlots: Object.fromEntries(days),
      isActive: fields.has('isActive'),
      updatedAt: Date.now(),
      dateRangeType: type,
      rollingDays: type === 'rolling' ? Number(fields.get(type)) : undefined,
      effectiveUntil:
        type === 'specific' ? parseInput(fields.get(type) as string, effectiveUntil) : undefined,
    } as Schedule);
  };

  return (
    <>
      <p className="hint">
        {schedule === stored
          ? 'These are the hours of the demo data. Saving replaces the hours that are stored.'
          : `These are the hours that you saved in this tab on ${dateTimeFormat.format(updatedAt)}.`}
      </p>
      <form className="week" onSubmit={save}>
        {DAYS.map((day) => (
          <DayFields key={day} day={day} stored={schedule.weeklySlots[day] ?? []} />
        ))}
        <div className="row">
          <label>
            These hours apply
            <select value={type} onChange={(event) => setType(event.target.value)}>
              <option value="indefinitely">from now on</option>
              <option value="rolling">for the next days</option>
              <option value="specific">until a day</option>
            </select>
          </label>
          <Field
            label="Days"
            name="rolling"
            hidden={type !== 'rolling'}
            type="number"
            min={1}
            max={366}
            defaultValue={rollingDays ?? 30}
          />
          <Field
            label="Until"
            name="specific"
            hidden={type !== 'specific'}
            type="date"
            min={formatDate(effectiveFrom + DAY_MS)}
            defaultValue={formatDate(effectiveUntil)}
          />
        </div>
        <label>
          <input type="checkbox" name="isActive" defaultChecked={schedule.isActive} />
          Clients can book
        </label>
        <button>Save my week</button>
      </form>
    </>
  );
}

const formatDate = (time: number) => formatInput(time).slice(0, 10);

function readSlots(fields: FormData, day: Day): Slot[] {
  const starts = fields.getAll(`${day}, from`) as string[];
  const ends = fields.getAll(`${day}, until`) as string[];
  return starts.map((startTime, index) => ({ startTime, endTime: ends[index] ?? '' }));
}

/** A day and its times. */
function DayFields({ day, stored }: { day: Day; stored: readonly Slot[] }) {
  const [slots, setSlots] = useState(() => stored.map((slot, key) => ({ ...slot, key })));
  const addButton = useRef<HTMLButtonElement>(null);
  const add = () => setSlots([...slots, { startTime: '10:00', endTime: '18:00', key: Date.now() }]);
  const remove = (key: number) => {
    setSlots(slots.filter((slot) => slot.key !== key));
    addButton.current?.focus();
  };
  const rows = slots.map(({ key, startTime, endTime }) => (
    <span className="row slot" key={key}>
      <TimeInput name={`${day}, from`} defaultValue={startTime} autoFocus={key >= stored.length} />–
      <TimeInput name={`${day}, until`} defaultValue={endTime} />
      <button type="button" aria-label={`${day}: remove these hours`} onClick={() => remove(key)}>
        ×
      </button>
    </span>
  ));
  return (
    <fieldset className="row day">
      <legend>{day}</legend>
      <div className="row slots">{rows}</div>
      {rows.length === 0 && <span className="hint">Closed</span>}
      <button type="button" aria-label={`${day}: add hours`} ref={addButton} onClick={add}>
        +
      </button>
    </fieldset>
  );
}

const TimeInput = (props: ComponentProps<'input'>) => (
  <input type="time" aria-label={props.name} required {...props} />
);
