import type { ComponentProps, ReactNode } from 'react';

type FieldProps = ComponentProps<'input'> & { label: string };

/** A required input with a label. A hidden one keeps its value, and is not submitted. */
export const Field = ({ label, hidden, ...props }: FieldProps) => (
  <label hidden={hidden}>
    {label}
    <input required disabled={hidden} {...props} />
  </label>
);

type ListProps = ComponentProps<'ul'> & { children: ReactNode[]; hint?: string };

/** A list, or a hint if it is empty. */
export const List = ({ hint, ...props }: ListProps) =>
  props.children.length > 0 ? <ul role="list" {...props} /> : <p className="hint">{hint}</p>;
