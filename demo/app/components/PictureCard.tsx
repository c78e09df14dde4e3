import { Fragment, useState, type ReactNode, type Ref } from 'react';
import { createPortal } from 'react-dom';
import type { FlashListing, GalleryPhoto } from '@tattoo-marketplace/client';
import { pluralize } from '../format.ts';
import { QuietButton } from './controls.tsx';

interface CardProps {
  ref?: Ref<HTMLLIElement>;
  /** The controls on the card. */
  children?: ReactNode;
}

/** The card of a flash listing. */
export function ListingCard({
  listing,
  children,
  ...props
}: CardProps & { listing: FlashListing }) {
  const { id, sourceData = {}, price, isAvailable } = listing;
  const size = formatSize(listing);
  const className = isAvailable ? 'picture' : 'picture is-taken';
  const facts = listingFacts(listing);
  return (
    <PictureCard {...props} id={id} className={className} facts={facts} picture={sourceData}>
      <p className="row facts">
        {price?.amount && <strong>{`$${price.amount}`}</strong>}
        {size && <span>{size}</span>}
        <span className="availability">{!isAvailable && 'Taken'}</span>
      </p>
      {children}
    </PictureCard>
  );
}

/** The card of a photo. */
export function PhotoCard({ photo, ...props }: CardProps & { photo: GalleryPhoto }) {
  const { id, sourceData, url, thumbnailUrl, artistName, tags } = photo;
  const picture = { caption: sourceData?.caption, url, thumbnailUrl };
  const facts = { Artist: artistName, Tags: tags?.join(', ') };
  return <PictureCard {...props} id={id} picture={picture} facts={facts} className="picture" />;
}

interface DetailsProps {
  picture: {
    url?: string | undefined;
    thumbnailUrl?: string | undefined;
    caption?: string | undefined;
  };
  facts: Record<string, string | number | undefined>;
}

type PictureCardProps = CardProps & DetailsProps & { id: string; className: string };

function PictureCard({ id, picture, facts, children, ...props }: PictureCardProps) {
  const [isOpen, setOpen] = useState(false);
  const { caption = 'Without a title', url, thumbnailUrl = url } = picture;
  const details = <DetailsDialog picture={picture} facts={facts} onClose={() => setOpen(false)} />;
  return (
    <li {...props} data-id={id}>
      <button type="button" className="open" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <img loading="lazy" src={thumbnailUrl} alt="" width={400} height={400} />
        <span>{caption}</span>
      </button>
      {children}
      {isOpen && createPortal(details, document.body)}
    </li>
  );
}

/** A picture and the facts about it. The browser closes the dialog with Escape, and returns the focus. */
function DetailsDialog({ picture, facts, onClose }: DetailsProps & { onClose: () => void }) {
  const { url, caption } = picture;
  const label = caption ?? 'Picture';
  const known = Object.entries(facts).filter(([, value]) => value);
  const rows = known.map(([name, value]) => (
    <Fragment key={name}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </Fragment>
  ));
  return (
    <dialog className="details" closedby="any" aria-label={label} ref={showModal} onClose={onClose}>
      <QuietButton
        label="Close"
        onClick={(event) => event.currentTarget.closest('dialog')?.close()}
      />
      <img src={url} alt={caption ?? ''} width={400} height={400} />
      <div>
        <h2>{caption}</h2>
        <dl>{rows}</dl>
      </div>
    </dialog>
  );
}

const showModal = (dialog: HTMLDialogElement | null) => dialog?.showModal();

/** Returns what a listing or photo is called in the labels of its controls. */
export const pictureTitle = ({ id, sourceData }: FlashListing | GalleryPhoto) =>
  sourceData?.caption ?? id;

function listingFacts(listing: FlashListing) {
  const { artistName, styles, price, sessionDuration, notes, isAvailable } = listing;
  return {
    Artist: artistName,
    Styles: styles?.join(', '),
    Size: formatSize(listing),
    Duration: sessionDuration?.blocks && pluralize(sessionDuration.blocks, 'time block'),
    Price: price?.amount && `$${price.amount}`,
    Notes: notes,
    Status: isAvailable ? 'Available' : 'Taken',
  };
}

/** `2 to 3 in`, or the parts of it that are known. */
function formatSize({ size = {} }: FlashListing): string {
  const range = [size.minSize, size.maxSize].filter(Boolean).join(' to ');
  return range && [range, size.unit].filter(Boolean).join(' ');
}
