import { Fragment, useRef, type PropsWithChildren, type Ref } from 'react';
import type { FlashListing, GalleryPhoto } from '@tattoo-marketplace/client';
import { pluralize } from '../format.ts';

/** Listings have the addresses of the picture in `sourceData`. */
export type Picture = Pick<FlashListing, 'id' | 'sourceData'> & Partial<GalleryPhoto>;

/** The children are the controls on the card. */
export type CardProps<Item> = PropsWithChildren<{
  item: Item;
  ref?: Ref<HTMLLIElement> | undefined;
}>;

export function ListingCard({ item, ref, children }: CardProps<FlashListing>) {
  const { artistName, styles, size = {}, sessionDuration, price, notes, isAvailable } = item;
  const range = [size.minSize, size.maxSize].filter(Boolean).join(' to ');
  const facts = {
    Artist: artistName,
    Styles: styles?.join(', '),
    Size: range && [range, size.unit].filter(Boolean).join(' '),
    Duration: sessionDuration?.blocks && pluralize(sessionDuration.blocks, 'time block'),
    Price: price?.amount && `$${price.amount}`,
    Notes: notes,
    Status: isAvailable ? 'Available' : 'Taken',
  };
  return (
    <PictureCard item={item} facts={facts} ref={ref}>
      <p className="row facts">
        {facts.Price && <strong>{facts.Price}</strong>}
        {facts.Size && <span>{facts.Size}</span>}
        {!isAvailable && <span className="taken">Taken</span>}
      </p>
      {children}
    </PictureCard>
  );
}

export function PhotoCard(props: CardProps<GalleryPhoto>) {
  const { artistName, tags } = props.item;
  return <PictureCard {...props} facts={{ Artist: artistName, Tags: tags?.join(', ') }} />;
}

type Facts = Record<string, string | number | undefined>;

/** A picture that opens a dialog with the facts about it. */
function PictureCard({ item, facts, ref, children }: CardProps<Picture> & { facts: Facts }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { caption = 'Without a title', url, thumbnailUrl = url } = { ...item, ...item.sourceData };
  const open = () => dialog.current?.showModal();
  const knownFacts = Object.entries(facts).filter(([, value]) => value);
  const rows = knownFacts.map(([name, value]) => (
    <Fragment key={name}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </Fragment>
  ));
  return (
    <li className="picture" data-id={item.id} ref={ref}>
      <button type="button" className="open" aria-haspopup="dialog" onClick={open}>
        <img loading="lazy" src={thumbnailUrl} alt="" width={400} height={400} />
        <span>{caption}</span>
      </button>
      {children}
      <dialog className="details" closedby="any" aria-label={caption} ref={dialog}>
        <button onClick={() => dialog.current?.close()}>Close</button>
        <img loading="lazy" src={url} alt={caption} width={400} height={400} />
        <div>
          <h2>{caption}</h2>
          <dl>{rows}</dl>
        </div>
      </dialog>
    </li>
  );
}

/** Returns what a picture is called in the labels of its controls. */
export const pictureTitle = ({ id, sourceData }: Picture) => sourceData?.caption ?? id;
