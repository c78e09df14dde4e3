import type { Account } from '../../demoData.ts';
import { TimeOff } from './TimeOff.tsx';
import { WeekForm } from './WeekForm.tsx';

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
