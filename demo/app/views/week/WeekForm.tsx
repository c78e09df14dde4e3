import { useRef, useState, type SubmitEvent } from 'react';
import type { Day } from '@tattoo-marketplace/client';
import { useMarketplace } from '../../api/MarketplaceContext.ts';
import { IconButton } from '../../components/controls.tsx';
import type { Schedule, Slot } from '../../demoData.ts';
import { saveChanges, useAccount, useSession } from '../../session.ts';
import { DateRangeFields, readDateRange } from './DateRangeFields.tsx';

const WORKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const;
const DAYS: readonly Day[] = [...WORKDAYS, 'Saturday', 'Sunday'];

export function WeekForm(schedule: Schedule) {
  const account = useAccount();
  const { updateAvailability } = useMarketplace().availability;
  const { run } = useSession();
  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const slots = DAYS.map((day) => [day, readSlots(fields, day)] as const);
    const overnightSlots = slots.flatMap(([day, times]) =>
      times.flatMap(({ startTime, endTime }) =>
        endTime > startTime ? [] : `${day}, ${startTime} to ${endTime}`,
      ),
    );
    const question = `These hours end on the next day. Is that right?\n\n${overnightSlots.join('\n')}`;
    if (overnightSlots.length > 0 && !confirm(question)) return;
    const { artistId, availabilityId, effectiveFrom, createdAt } = schedule;
    const changed: Schedule = {
      artistId,
      availabilityId,
      effectiveFrom,
      createdAt,
      updatedAt: Date.now(),
      isActive: fields.has('isActive'),
      weeklySlots: Object.fromEntries(slots),
      ...readDateRange(fields),
    };
    const isSaved = await run(() => updateAvailability(changed), 'Your week is saved.');
    if (isSaved) saveChanges(account, { schedule: changed, savedAt: Date.now() });
  };
  const days = DAYS.map((day) => (
    <DayFields key={day} day={day} stored={schedule.weeklySlots[day] ?? []} />
  ));
  return (
    <form className="week" onSubmit={save}>
      {days}
      <DateRangeFields {...schedule} />
      <label className="row inline">
        <input type="checkbox" name="isActive" defaultChecked={schedule.isActive} />
        Clients can book
      </label>
      <button>Save my week</button>
    </form>
  );
}

function readSlots(fields: FormData, day: Day): Slot[] {
  const starts = fields.getAll(`${day}, from`) as string[];
  const ends = fields.getAll(`${day}, until`) as string[];
  return starts.map((startTime, index) => ({ startTime, endTime: ends[index] ?? '' }));
}

/** A day and its times. */
function DayFields({ day, stored }: { day: Day; stored: readonly Slot[] }) {
  const [slots, setSlots] = useState(stored.map((slot, key) => ({ ...slot, key })));
  const addButton = useRef<HTMLButtonElement>(null);
  const add = () => {
    const key = Math.max(stored.length, ...slots.map((slot) => slot.key + 1));
    setSlots([...slots, { startTime: '10:00', endTime: '18:00', key }]);
  };
  const remove = (key: number) => {
    setSlots(slots.filter((slot) => slot.key !== key));
    addButton.current?.focus();
  };
  const input = (name: string, defaultValue: string, autoFocus = false) => (
    <input
      type="time"
      aria-label={name}
      name={name}
      defaultValue={defaultValue}
      autoFocus={autoFocus}
      required
    />
  );
  const rows = slots.map(({ key, startTime, endTime }) => (
    <span className="row slot" key={key}>
      {input(`${day}, from`, startTime, key >= stored.length)}–{input(`${day}, until`, endTime)}
      <IconButton label={`${day}: remove these hours`} onClick={() => remove(key)} children="×" />
    </span>
  ));
  return (
    <fieldset className="row day">
      <legend>{day}</legend>
      <div className="row slots">{rows}</div>
      <span className="hint" hidden={rows.length > 0} children="Closed" />
      <IconButton label={`${day}: add hours`} ref={addButton} onClick={add} children="+" />
    </fieldset>
  );
}
