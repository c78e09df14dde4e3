import { useMutation } from '@tanstack/react-query';
import { useRef, type SubmitEvent, type SyntheticEvent } from 'react';
import useSessionStorageState from 'use-session-storage-state';
import { Field } from '../../components/Field.tsx';
import type { UnavailableEvent } from '../../../pageData.ts';
import { passFocus } from '../../focus.ts';
import { dateTimeFormat, formatInput, parseInput, startOfDay } from '../../format.ts';
import { api } from '../../session.ts';

/** The artist's time off, to edit. */
export const TimeOff = ({ events }: { events: readonly UnavailableEvent[] }) => (
  <section>
    <h2>Time off</h2>
    <p className="hint">
      Times in which you cannot work: those of the demo data, with your changes in this tab.
    </p>
    <ul role="list" className="rows">
      {events.map((event) => (
        <EventRow key={event.id} stored={event} />
      ))}
    </ul>
  </section>
);

function EventRow({ stored }: { stored: UnavailableEvent }) {
  const [event = stored, saveEvent] = useSessionStorageState<UnavailableEvent>(stored.id);
  const { title, startTime, endTime } = event;
  const details = useRef<HTMLDetailsElement>(null);
  const { mutate: save } = useMutation({
    mutationFn: (changed: UnavailableEvent) => api.unavailableEvents.editUnavailableEvent(changed),
    onSuccess: (_result, changed) => {
      saveEvent(changed);
      passFocus(details.current, details.current?.querySelector('summary'));
      details.current?.removeAttribute('open');
    },
    meta: { success: 'Your time off is changed.' },
  });
  const readEvent = (form: HTMLFormElement): UnavailableEvent => {
    const fields = Object.fromEntries(new FormData(form)) as Record<string, string>;
    const { title = '', start = '', end = '' } = fields;
    const changed = parseInput(start, startTime);
    const date = changed === startTime ? event.date : startOfDay(changed);
    return { ...event, title, date, startTime: changed, endTime: parseInput(end, endTime) };
  };
  const check = ({ currentTarget }: SyntheticEvent<HTMLFormElement>) => {
    const { startTime, endTime } = readEvent(currentTarget);
    const input = currentTarget.querySelector<HTMLInputElement>('[name=end]');
    input?.setCustomValidity(endTime > startTime ? '' : 'It must end after it starts.');
  };
  const submit = (submission: SubmitEvent<HTMLFormElement>) => {
    submission.preventDefault();
    save(readEvent(submission.currentTarget));
  };
  const type = 'datetime-local';
  return (
    <li className="row">
      <div>
        <strong>{title}</strong>
        <p>{dateTimeFormat.formatRange(startTime, endTime)}</p>
      </div>
      <details ref={details}>
        <summary aria-label={`Change: ${title}`} children="Change" />
        <form className="stack" onSubmit={submit} onInput={check}>
          <Field label="Title" name="title" defaultValue={title} maxLength={200} />
          <Field label="From" name="start" type={type} defaultValue={formatInput(startTime)} />
          <Field label="Until" name="end" type={type} defaultValue={formatInput(endTime)} />
          <button>Save this time</button>
        </form>
      </details>
    </li>
  );
}
