/** Derives the fields that documents need from the declaration of their collection. */
import type { Collection } from '@tattoo-marketplace/collections';

/** A required field: without it, the service does not find the document, or rejects everyone who wants to change it. */
export interface FieldRequirement {
  /** The path of the field: `order`, `artistInfo.isVerified`. */
  readonly field: string;
  /** True if `null` is accepted. */
  readonly mayBeNull?: boolean;
  /** The requirement applies to documents with these values. Default: to all documents. */
  readonly appliesWhen?: Readonly<Record<string, string>>;
  /** The consequence for a document without the field. */
  readonly consequence: string;
}

const NOT_LISTED = 'in no list';

/** Returns the required fields of the documents of a collection. */
export function getFieldRequirements({
  lists,
  owner,
  requiredFields,
}: Collection): readonly FieldRequirement[] {
  const ofLists = lists.flatMap(getListRequirements);
  return [
    // Two lists may have the same requirement.
    ...new Map(ofLists.map((requirement) => [JSON.stringify(requirement), requirement])).values(),
    ...(owner === undefined ? [] : [{ field: owner, consequence: 'no user can change it' }]),
    ...Object.entries(requiredFields).map(([field, consequence = '']) => ({ field, consequence })),
  ];
}

function getListRequirements({
  filterBy,
  where,
  orderBy,
}: Collection['lists'][number]): FieldRequirement[] {
  const filters = Object.entries(where);
  return [
    ...filterBy.map((field) => ({ field, consequence: NOT_LISTED })),
    ...filters.map(([field]) => {
      // The list contains documents of one type only, such as `userType` artist.
      const types = filters.filter(
        (filter): filter is [string, string] =>
          filter[0] !== field && typeof filter[1] === 'string',
      );
      return { field, appliesWhen: Object.fromEntries(types), consequence: NOT_LISTED };
    }),
    ...(orderBy === undefined
      ? []
      : [{ field: orderBy, mayBeNull: true, consequence: NOT_LISTED }]),
  ];
}
