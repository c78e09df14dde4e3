import { Hint } from '../../components/controls.tsx';
import { Page } from '../../components/Page.tsx';
import { formatTime } from '../../format.ts';
import { useAccount } from '../../session.ts';
import { TimeOff } from './TimeOff.tsx';
import { WeekForm } from './WeekForm.tsx';

/** The signed-in artist's schedule and time off. */
export function Week() {
  const { schedule, savedAt } = useAccount();
  let source = 'These are the hours of the demo data. Saving replaces the hours that are stored.';
  if (savedAt) source = `These are the hours that you saved in this tab at ${formatTime(savedAt)}.`;
  if (!schedule) source = 'This demo does not know your week, so it cannot be changed here.';
  return (
    <Page>
      <h1>My week</h1>
      <Hint>{source}</Hint>
      {schedule && <WeekForm {...schedule} />}
      {schedule && <TimeOff />}
    </Page>
  );
}
