import { useState } from 'react';
import { Field } from '../../components/controls.tsx';
import type { Schedule } from '../../demoData.ts';

const DAY_MS = 86_400_000;

/** The date range of a schedule: one of three types, each with its own field. */
export function DateRangeFields(schedule: Schedule) {
  const { dateRangeType, rollingDays, effectiveFrom, effectiveUntil } = schedule;
  const [type, setType] = useState<string>(dateRangeType);
  const [inTwoMonths] = useState(() => Date.now() + 60 * DAY_MS);
  return (
    <div className="row">
      <label className="row inline">
        These hours apply
        <select name="type" value={type} onChange={(event) => setType(event.target.value)}>
          <option value="indefinitely">from now on</option>
          <option value="rolling">for the next days</option>
          <option value="specific">until a day</option>
        </select>
      </label>
      <Field
        label="Days"
        className="row inline"
        type="number"
        min={1}
        max={366}
        name="rolling"
        defaultValue={rollingDays ?? 30}
        disabled={type !== 'rolling'}
      />
      <Field
        label="Until"
        className="row inline"
        type="date"
        name="specific"
        min={formatDate(effectiveFrom + DAY_MS)}
        defaultValue={formatDate(effectiveUntil ?? inTwoMonths)}
        disabled={type !== 'specific'}
      />
    </div>
  );
}

type DateRange =
  | { dateRangeType: 'indefinitely' }
  | { dateRangeType: 'rolling'; rollingDays: number }
  | { dateRangeType: 'specific'; effectiveUntil: number };

export function readDateRange(fields: FormData): DateRange {
  const dateRangeType = fields.get('type');
  if (dateRangeType === 'rolling')
    return { dateRangeType, rollingDays: Number(fields.get('rolling')) };
  if (dateRangeType !== 'specific') return { dateRangeType: 'indefinitely' };
  return { dateRangeType, effectiveUntil: Date.parse(fields.get('specific') as string) };
}

const formatDate = (time: number) => new Date(time).toISOString().slice(0, 10);
