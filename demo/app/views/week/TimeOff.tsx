import { useRef, type SubmitEvent, type SyntheticEvent } from 'react';
import { useScreen } from '#hooks/screen.ts';
import { Field, List } from '../../components/controls.tsx';
import { run } from '../../components/notices.tsx';
import type { UnavailableEvent } from '../../../demoData.ts';
import { passFocus } from '../../focus.ts';
import { formatPeriod } from '../../format.ts';
import { useSessionStorage } from '../../session.ts';

const DAY_MS = 86_400_000;

/** The artist's time off, to edit. */
export const TimeOff = ({ events }: { events: readonly UnavailableEvent[] }) => (
  <section>
    <h2>Time off</h2>
    <p className="hint">
      Times in which you cannot work: those of the demo data, with your changes in this tab.
    </p>
    <List className="rows">
      {events.map((event) => (
        <EventRow key={event.id} stored={event} />
      ))}
    </List>
  </section>
);

function EventRow({ stored }: { stored: UnavailableEvent }) {
  const [{ id, title, startTime, endTime }, saveEvent] = useSessionStorage(stored.id, stored);
  const { editUnavailableEvent } = useScreen().api.unavailableEvents;
  const details = useRef<HTMLDetailsElement>(null);
  const check = ({ currentTarget }: SyntheticEvent<HTMLFormElement>) => {
    const { start, end } = readFields(currentTarget);
    const input = currentTarget.querySelector<HTMLInputElement>('[name=end]');
    input?.setCustomValidity(end > start ? '' : 'It must end after it starts.');
  };
  const submit = async (submission: SubmitEvent<HTMLFormElement>) => {
    submission.preventDefault();
    const { activeElement } = document;
    const { title, start, end } = readFields(submission.currentTarget);
    const startTime = Date.parse(start);
    const date = startTime - (startTime % DAY_MS);
    const event = { id, title, date, startTime, endTime: Date.parse(end) };
    const { isDone } = await run(() => editUnavailableEvent(event), 'Your time off is changed.');
    if (!isDone) return;
    saveEvent(() => event);
    passFocus(activeElement, details.current?.querySelector('summary'));
    if (details.current) details.current.open = false;
  };
  const type = 'datetime-local';
  return (
    <li className="row">
      <div>
        <strong>{title}</strong>
        <p>{formatPeriod(startTime, endTime)}</p>
      </div>
      <details ref={details}>
        <summary aria-label={`Change: ${title}`} children="Change" />
        <form className="stack" onSubmit={submit} onInput={check}>
          <Field label="Title" name="title" defaultValue={title} maxLength={200} />
          <Field label="From" name="start" type={type} defaultValue={formatLocal(startTime)} />
          <Field label="Until" name="end" type={type} defaultValue={formatLocal(endTime)} />
          <button>Save this time</button>
        </form>
      </details>
    </li>
  );
}

function readFields(form: HTMLFormElement) {
  return Object.fromEntries(new FormData(form)) as Record<'title' | 'start' | 'end', string>;
}

/** Formats a time for an input of type `datetime-local`. */
function formatLocal(time: number): string {
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 16);
}
