import type { ComponentProps, ReactNode } from 'react';

export const Hint = (props: ComponentProps<'p'>) => <p className="hint" {...props} />;

type ButtonProps = ComponentProps<'button'> & { label: string };

/** A button beside others that matter more. */
export const QuietButton = ({ label, ...props }: ButtonProps) => (
  <button className="quiet" {...props} children={label} />
);

/** A button with a symbol. */
export const IconButton = ({ label, ...props }: ButtonProps) => (
  <button type="button" className="quiet icon" aria-label={label} {...props} />
);

type FieldProps = ComponentProps<'input'> & { label: string };

/** A required input. If it is disabled, it is hidden. */
export const Field = ({ label, className, ...props }: FieldProps) => (
  <label className={className} hidden={props.disabled}>
    {label}
    <input required {...props} />
  </label>
);

export const List = (props: ComponentProps<'ul'>) => <ul role="list" {...props} />;

type PicturesProps = ComponentProps<'ul'> & { cards: ReactNode[] };

/** A list of pictures, or a hint if it is empty. */
export const Pictures = ({ cards, ...props }: PicturesProps) =>
  cards.length > 0 ? (
    <List className="pictures" {...props} children={cards} />
  ) : (
    <Hint>Nothing here yet.</Hint>
  );

type SectionProps = { title: string; count?: number | undefined; children: ReactNode };

export const Section = ({ title, count, children }: SectionProps) => (
  <section>
    <h2>
      {title} <span className="count">{count}</span>
    </h2>
    {children}
  </section>
);
