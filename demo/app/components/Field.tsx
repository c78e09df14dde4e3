import type { ComponentProps } from 'react';

type FieldProps = ComponentProps<'input'> & { label: string };

/** A required input with a label. A hidden one keeps its value, and is not submitted. */
export const Field = ({ label, hidden, ...props }: FieldProps) => (
  <label hidden={hidden}>
    {label}
    <input required disabled={hidden} {...props} />
  </label>
);
